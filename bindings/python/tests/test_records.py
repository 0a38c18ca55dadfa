"""Records, which stand for frozen dataclasses."""

import pickle

import pytest

from cpl.errors import Diagnostic
from cpl.records import Record


class Place(Record):
    name: str
    line: int = 1
    notes: tuple[str, ...] = ()


def test_fields():
    p = Place("a", notes=("n",))
    assert (p.name, p.line, p.notes) == ("a", 1, ("n",))
    assert repr(p) == "Place(name='a', line=1, notes=('n',))"
    assert p == Place("a", 1, ("n",)) and hash(p) == hash(Place("a", 1, ("n",)))
    assert p != Place("b", 1, ("n",)) and p != ("a", 1, ("n",))
    assert p.but(line=3) == Place("a", 3, ("n",)) and p.line == 1
    assert pickle.loads(pickle.dumps(p)) == p


@pytest.mark.parametrize("values, named, message", [
    ((), {}, "Place is given no name"),
    (("a", 1, (), 2), {}, "Place is given too much"),
    (("a",), {"column": 2}, "Place is given column too"),
    (("a",), {"name": "b"}, "Place is given name too"),
])
def test_what_does_not_fit(values, named, message):
    with pytest.raises(TypeError, match=message):
        Place(*values, **named)


def test_no_change():
    p = Place("a")
    with pytest.raises(AttributeError, match="Place.name cannot be changed"):
        p.name = "b"
    with pytest.raises(AttributeError, match="Place.line cannot be deleted"):
        del p.line
    assert isinstance(Diagnostic("note", "m", None, None, 0, 0, 0, None), Record)
