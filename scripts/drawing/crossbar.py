# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""crossbar.png, from runs of crossbar_tb: throughput and latency against load."""
import csv

from drawing.canvas import pyplot, save
from drawing.program import output_of

LOADS = ",".join(f"{step / 20:.2f}" for step in range(1, 21))
CURVES = [
    ("input_first", ["--allocator", "input_first"]),
    ("input_first, speedup 2", ["--allocator", "input_first", "--speedup", "2"]),
    ("pim, 1 pass", ["--allocator", "pim"]),
    ("pim, 4 passes", ["--allocator", "pim", "--iterations", "4"]),
    ("islip", ["--allocator", "islip"]),
    ("wavefront", ["--allocator", "wavefront"]),
]


def measure(testbench, options):
    output = output_of(testbench, "--traffic", "uniform", "--load", LOADS, "--csv", *options)
    return list(csv.DictReader(line for line in output.splitlines() if line.count(",") == 5))


def crossbar(heddle, file):
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9.6, 3.8))
    for name, options in CURVES:
        rows = measure(heddle.parent / "tb/crossbar_tb", options)
        offered = [float(row["offered"]) for row in rows]
        left.plot(offered, [float(row["throughput"]) for row in rows], marker=".", label=name)
        below = [row for row in rows if float(row["latency"]) < 60]
        right.plot([float(row["offered"]) for row in below],
                   [float(row["latency"]) for row in below], marker=".", label=name)
    bound = [step / 100 for step in range(0, 99)]
    right.plot(bound, [2 + 15 / 16 * load / (2 * (1 - load)) for load in bound],
               color="grey", linestyle=":", label="output queues (closed form)")
    for level in (1 - (15 / 16) ** 16, 1 - (7 / 8) ** 16):
        left.axhline(level, color="grey", linestyle=":", linewidth=1)
        left.annotate(f"{level:.3f}", (0.02, level + 0.012), color="grey", fontsize=8)
    left.set_ylabel("throughput (flits per output and cycle)")
    right.set_ylabel("latency (cycles, creation to delivery)")
    right.set_yscale("log")
    for axes in (left, right):
        axes.set_xlabel("offered load (flits per input and cycle)")
        axes.grid(alpha=0.3)
    left.legend(fontsize=8, loc="lower right")
    figure.suptitle("16 x 16, uniform, single flits, input buffers of 64 flits")
    figure.tight_layout()
    save(figure, file)
