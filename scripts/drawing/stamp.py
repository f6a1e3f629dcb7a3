# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""A mark in a picture of what it was drawn from, by which a stale picture is known.

Bytes of a picture depend on fonts and libraries, so they can't be compared with those of another
machine. What a run writes is the same everywhere."""
import hashlib

from PIL import Image, PngImagePlugin

KEY = "Source"


def of(*contents):
    """The mark of what is drawn: texts."""
    mark = hashlib.sha256()
    for text in contents:
        mark.update(hashlib.sha256(text.encode()).digest())
    return mark.hexdigest()


def read(file):
    """The mark of a picture; None if it has none."""
    try:
        with Image.open(file) as picture:
            return picture.info.get(KEY)
    except OSError:
        return None


def save(picture, file, mark, colors):
    """Writes a picture of PIL with a mark, in so many colours."""
    marks = PngImagePlugin.PngInfo()
    marks.add_text(KEY, mark)
    few = picture.convert("RGB").quantize(colors, dither=Image.Dither.NONE)
    unfinished = file.with_name(f".unfinished_{file.name}")
    few.save(unfinished, "png", optimize=True, pnginfo=marks)
    unfinished.rename(file)
