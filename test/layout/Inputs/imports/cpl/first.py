"""Needs the second, by the face."""


def one():
    from cpl import two

    return two()
