"""What the examples share: their --show and --save, and progress where tqdm is installed."""

import argparse
from pathlib import Path

import numpy as np

try:
    from matplotlib import pyplot
except ImportError:
    pyplot = None

try:
    from tqdm import tqdm as progress
except ImportError:

    def progress(rounds, **_):
        """The rounds alone."""
        return rounds


def arguments(doc):
    """A parser with what all examples take."""
    parser = argparse.ArgumentParser(description=doc.partition("\n\n")[0])
    parser.add_argument("--show", action="store_true", help="open a window (needs matplotlib)")
    parser.add_argument("--save", metavar="FILE", type=Path,
                        help="write a picture, or the numbers where FILE ends in .npy")
    return parser


def at_least(least):
    """The type of an option that takes a whole number."""

    def number(text):
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"{value} is less than {least}")
        return value

    return number


def present(args, numbers, draw):
    """Shows and saves what was computed. draw(axes) draws it; without matplotlib, and into .npy
    files, go the numbers."""
    if args.show and pyplot is None:
        raise SystemExit("--show needs matplotlib: pip install matplotlib")
    if args.save and (pyplot is None or args.save.suffix == ".npy"):
        path = args.save.with_suffix(".npy")
        np.save(path, numbers)
        print(f"numbers in {path}")
        args.save = None
    if not (args.show or args.save):
        return
    figure, axes = pyplot.subplots(figsize=(7, 7), layout="constrained")
    draw(axes)
    axes.set_axis_off()
    if args.save:
        figure.savefig(args.save, dpi=150)
        print(f"picture in {args.save}")
    if args.show:
        pyplot.show()
    pyplot.close(figure)
