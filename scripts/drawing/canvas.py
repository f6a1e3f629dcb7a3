# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""What all pictures share: matplotlib without a display, colours, and files whose bytes depend only
on what is drawn."""
import pathlib
import sys

try:
    import matplotlib
except ModuleNotFoundError:
    sys.exit("matplotlib is missing: apt-get install python3-matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot

__all__ = ["COLORS", "pyplot", "save"]

# Colours that colour-blind readers tell apart (Okabe, Ito), in the order of the curves.
COLORS = ["#000000", "#0072b2", "#009e73", "#e69f00", "#d55e00", "#cc79a7", "#56b4e9"]
matplotlib.rcParams.update({"svg.hashsalt": "heddle", "svg.fonttype": "none"})


def save(figure, file, dpi=100, mark=None):
    """Writes a picture, without the date and the version of the library. A PNG may have a mark
    (drawing/stamp.py). The file is whole or not changed."""
    file = pathlib.Path(file)
    options = {}
    if file.suffix == ".svg":
        options = {"metadata": {"Date": None, "Creator": None}}
    elif file.suffix == ".png":
        marks = {"Source": mark} if mark else {}
        options = {"metadata": {"Software": None, **marks}, "pil_kwargs": {"optimize": True}}
    unfinished = file.with_name(f".unfinished_{file.name}")
    figure.savefig(unfinished, dpi=dpi, **options)
    unfinished.rename(file)
    pyplot.close(figure)
