from typing import TYPE_CHECKING

import cpl

if TYPE_CHECKING:
    from cpl.fourth import Four

three = cpl.one


def of(four: "Four"):
    return four
