# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Line charts as SVG, without a library: panels with a curve a name, one legend for all."""
import math
import pathlib

COLORS = ["#000000", "#0072b2", "#009e73", "#e69f00", "#d55e00", "#cc79a7", "#56b4e9"]
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 22, 24  # of a panel, around its curves
LEGEND = 110


def ticks(low, high, most=6):
    """Multiples of 1, 2 or 5 times a power of ten that cover [low, high], at most `most` + 1."""
    span = max(high - low, 1e-9)
    power = 10 ** math.floor(math.log10(span / most))
    step = next(power * digit for digit in (1, 2, 5, 10) if span / (power * digit) <= most)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [step * i for i in range(first, last + 1)]


def number(value):
    return f"{value / 1000:g}k" if value >= 1000 else f"{value:g}"


def panel(title, curves, size, marks=None, from_zero=False):
    """`curves`: {name: [(x, y)]}. `marks`: [(x, text)] below the axis, by default numbers."""
    width, height = size
    points = [point for curve in curves.values() for point in curve]
    rows = ticks(0 if from_zero else min(y for _, y in points), max(y for _, y in points))
    columns = [x for x, _ in marks] if marks else ticks(0, max(x for x, _ in points), 4)
    low, high = min(columns), max(columns + [x for x, _ in points])

    def place(x, y):
        return (LEFT + (width - LEFT - RIGHT) * (x - low) / max(high - low, 1e-9),
                height - BOTTOM - (height - BOTTOM - TOP) * (y - rows[0]) / (rows[-1] - rows[0]))

    out = [f'<text x="{LEFT}" y="{TOP - 8}" font-weight="bold">{title}</text>']
    for y in rows:
        at = place(low, y)[1]
        out.append(f'<path d="M{LEFT} {at:.1f}H{width - RIGHT}" stroke="#ddd"/>'
                   f'<text x="{LEFT - 5}" y="{at + 4:.1f}" text-anchor="end">{y:g}</text>')
    for x, text in marks or [(x, number(x)) for x in columns]:
        out.append(f'<text x="{place(x, rows[0])[0]:.1f}" y="{height - BOTTOM + 15}" '
                   f'text-anchor="middle">{text}</text>')
    for color, curve in zip(COLORS, curves.values()):
        line = " ".join("{:.1f},{:.1f}".format(*place(x, y)) for x, y in curve)
        out.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="1.5"/>')
    return out


def write(file, panels, x_label, columns=1, size=(360, 260)):
    """Panels are dictionaries of panel()'s arguments without `size`; all have the same curves."""
    width, height = size
    lines = math.ceil(len(panels) / columns)
    whole = (columns * width + LEGEND, lines * height + 16)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" '
           'font-family="sans-serif" font-size="11">'.format(*whole),
           '<rect width="{}" height="{}" fill="white"/>'.format(*whole)]
    for i, one in enumerate(panels):
        out.append(f'<g transform="translate({i % columns * width} {i // columns * height})">')
        out += panel(size=size, **one) + ["</g>"]
    out.append(f'<text x="{columns * width / 2}" y="{whole[1] - 5}" text-anchor="middle">'
               f'{x_label}</text>')
    for i, (color, name) in enumerate(zip(COLORS, panels[0]["curves"])):
        x, y = columns * width, TOP + 16 * i + 10
        out.append(f'<path d="M{x} {y - 4}h18" stroke="{color}" stroke-width="2"/>'
                   f'<text x="{x + 22}" y="{y}">{name}</text>')
    temporary = pathlib.Path(str(file) + ".tmp")
    temporary.write_text("\n".join(out) + "\n</svg>\n", encoding="utf-8")
    temporary.rename(file)
    print(f"picture: {file}")
