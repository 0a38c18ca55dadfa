"""Needs the third, which names it in an annotation."""


from . import third


class Four:
    three = third.three
