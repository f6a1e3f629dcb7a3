# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""A time series of `heddle run --series`: a panel for each statistic, and the CPI stack over time.
Of `--thread-progress`: how much each thread issues over time. series.png and thread_progress.png are
those of real runs; scripts/plot_series draws any."""
import csv
import json
import sys
import tempfile
from pathlib import Path

from drawing.canvas import pyplot, save
from drawing.program import output_of

STACK = "gpu.issue_slots."
THREAD = "thread."
PANELS = ["gpu.ipc", "gpu.smx_occupancy", "gpu.executing_warps", "gpu.l1d_miss_rate",
          "gpu.l2_miss_rate", "gpu.dram_bandwidth_utilization"]


def read(file):
    """Columns by name, a list of numbers or None each; units by name (none in CSV)."""
    with open(file, newline="", encoding="utf-8") as stream:
        if file.endswith(".json"):
            series = json.load(stream)
            names = [column["name"] for column in series["columns"]]
            units = {column["name"]: column["unit"] for column in series["columns"]}
            rows = series["rows"]
        else:
            lines = csv.reader(stream)
            names, units = next(lines), {}
            rows = [[float(cell) if cell else None for cell in line] for line in lines]
    return dict(zip(names, map(list, zip(*rows)))), units


def threads_panel(axis, columns):
    """A line for each thread, darker where it issues more."""
    threads = [name for name in columns if name.startswith(THREAD)]
    used = max((at + 1 for at, name in enumerate(threads) if any(columns[name])), default=1)
    cycles = [columns["interval.start"][0], *columns["interval.end"]]
    colors = axis.pcolormesh(cycles, range(used + 1), [columns[name] for name in threads[:used]],
                             cmap="Greys", rasterized=True)
    axis.figure.colorbar(colors, label="instructions in an interval")
    axis.set_ylabel("thread of the SMX")
    axis.set_xlabel("core cycle")


def draw(source, picture, show=()):
    """`show`: statistics that get a panel, by default a choice."""
    columns, units = read(source)
    if not columns:
        sys.exit(f"plot_series: {source} has no intervals")
    if THREAD + "0.instructions" in columns:
        figure, axis = pyplot.subplots(figsize=(9, 5))
        threads_panel(axis, columns)
        figure.tight_layout()
        save(figure, picture, dpi=80)
        return
    for name in show or PANELS:
        if name not in columns:
            sys.exit(f"plot_series: {source} has no column '{name}'")
    # Of the choice, what has values at all: L1D may cache nothing.
    panels = show or [name for name in PANELS if any(v is not None for v in columns[name])]
    end = columns["interval.end"]
    figure, axes = pyplot.subplots(len(panels) + 1, 1, sharex=True,
                                   figsize=(9, 1.5 * len(panels) + 3),
                                   height_ratios=[1] * len(panels) + [2])
    for axis, name in zip(axes, panels):
        values = [float("nan") if value is None else value for value in columns[name]]
        axis.plot(end, values, linewidth=1)
        axis.set_title(name + (f" ({units[name]})" if units.get(name) else ""), fontsize=9,
                       loc="left")
        axis.set_ylim(bottom=0)
        axis.grid(alpha=0.3)
    parts = [name for name in columns if name.startswith(STACK) and sum(columns[name]) > 0]
    total = [sum(values) or 1 for values in zip(*(columns[name] for name in parts))]
    shares = [[value / all_ for value, all_ in zip(columns[name], total)] for name in parts]
    axes[-1].stackplot(end, shares, labels=[name[len(STACK):] for name in parts],
                       colors=pyplot.cm.tab20.colors)
    axes[-1].set_title("CPI stack: share of cycles x schedulers", fontsize=9, loc="left")
    axes[-1].set_xlabel("core cycle")
    axes[-1].set_xlim(0, end[-1])
    axes[-1].set_ylim(0, 1)
    axes[-1].legend(fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.tight_layout()
    save(figure, picture, dpi=80)


def series(heddle, file):
    with tempfile.TemporaryDirectory() as place:
        source = str(Path(place, "bfs.json"))
        output_of(heddle, "run", "bfs", "--config", "gk110", "--input",
                  "kronecker:scale=13,degree=16", "--interval", "2000", "--series", source)
        draw(source, file)


def thread_progress(heddle, file):
    with tempfile.TemporaryDirectory() as place:
        source = str(Path(place, "threads.json"))
        output_of(heddle, "run", "lu", "--config", "g80", "--set", "smx.formation=dwf",
                  "--thread-progress", source)
        draw(source, file)
