# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Charts of table rows: means over the seeds, with a bar for an interval."""
from drawing.canvas import COLORS, pyplot, save
from experiments.expressions import Failed


def number(value):
    """A value to draw; what is not defined or failed leaves a gap."""
    return float("nan") if value is None or isinstance(value, Failed) else value


def spans(result):
    """{column: (start, width) for each line} of bars that stand one behind the other."""
    lines = list(dict.fromkeys(line for line, _ in result.cells))
    ends = [0.0] * len(lines)
    found = {}
    for column in result.row.columns:
        widths = [number(result.cells[line, column]) for line in lines]
        found[column] = list(zip(ends, widths))
        ends = [end + width for end, width in zip(ends, widths)]
    return found


def draw(result, file):
    """The chart that a table row asks for."""
    row = result.row
    lines = list(dict.fromkeys(line for line, _ in result.cells))
    colors = pyplot.cm.tab20.colors if row.chart == "stack" else COLORS
    figure, axes = pyplot.subplots(figsize=(9, 3) if row.chart == "bars" else (6, 3))
    for i, (column, color) in enumerate(zip(row.columns, colors)):
        values = [number(result.cells[line, column]) for line in lines]
        places = lines
        if row.chart == "stack":
            starts, widths = zip(*spans(result)[column])
            axes.barh(range(len(lines)), widths, 0.8, starts, label=column, color=color)
            continue
        if row.chart == "bars":
            width = 0.8 / len(row.columns)
            places = [j - 0.4 + (i + 0.5) * width for j in range(len(lines))]
            axes.bar(places, values, width, label=column, color=color)
        else:
            axes.plot(lines, values, marker=".", label=column, color=color)
        bars = [(place, value, result.half_widths[line, column])
                for place, value, line in zip(places, values, lines)
                if (line, column) in result.half_widths]
        if bars:
            axes.errorbar(*zip(*bars), fmt="none", elinewidth=1, capsize=2,
                          ecolor="0.55" if row.chart == "bars" else color)
    if row.chart == "bars":
        axes.set_xticks(range(len(lines)), lines)
    axes.set_title(f"{row.place}: {row.text}" + (f" ({row.unit})" if row.unit else ""), fontsize=9)
    if row.chart == "stack":  # the first line is at the top
        axes.set_yticks(range(len(lines)), lines)
        axes.invert_yaxis()
    axes.grid(axis="x" if row.chart == "stack" else "y", alpha=0.3)
    axes.set_axisbelow(True)
    axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1, 1))
    figure.tight_layout()
    save(figure, file)
