# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""latency.png, from runs of the workload `latency`: pointer chase over its footprint, strides in
shared memory, strides in global memory. Dotted: what the configuration says
(`heddle describe latency`, and the closed forms beside the code below)."""
import json
import math
import re
import tempfile
from pathlib import Path

from drawing.canvas import pyplot, save
from drawing.program import output_of

CONFIGURATIONS = ["gf100", "gk110", "si"]
WORDS = [1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 32, 33, 40, 48, 56, 64]


def measure(heddle, config, **options):
    """Cycles of a load, and accesses to memory of a load of the timed part."""
    arguments = ["run", "latency", "--config", config]
    for key, value in options.items():
        arguments += ["--option", f"{key}={value}"]
    with tempfile.TemporaryDirectory() as directory:
        stats = Path(directory) / "stats.json"
        text = output_of(heddle, *arguments, "--stats", stats)
        values = json.loads(stats.read_text())["statistics"]
    cycles = float(re.search(r"^latency +([0-9.]+) ", text, re.MULTILINE).group(1))
    accesses = sum(entry["value"] for name, entry in values.items()
                   if re.fullmatch(r"smx\.\d+\.lsu\.uncached_loads", name))
    return cycles, accesses


def parameters(heddle, config):
    entries = json.loads(output_of(heddle, "describe", "config", config, "--json"))
    return {key: entry["value"] for key, entry in entries.items()}


def draw_chase(heddle, axes):
    for color, config in zip(("tab:blue", "tab:orange", "tab:green"), CONFIGURATIONS):
        line = parameters(heddle, config)["l2.line"]
        footprints = [2 ** (step / 2) for step in range(20, 47)]
        footprints = sorted({int(size) // line * line for size in footprints})
        cycles = [measure(heddle, config, footprint=size, stride=line, rounds=64)[0]
                  for size in footprints]
        axes.plot([size / 1024 for size in footprints], cycles, marker=".", color=color,
                  label=config)
        for row in json.loads(output_of(heddle, "describe", "latency", config, "--json")):
            if row["level"] in ("l1", "l2", "open_row"):
                axes.axhline(float(row["total"]), color=color, linestyle=":",
                             linewidth=1)
    axes.set_xscale("log", base=2)
    axes.set_xlabel("footprint (KiB), a hop a line")
    axes.set_title("pointer chase")
    axes.set_ylabel("cycles / load")


def draw_shared(heddle, axes):
    for config in ("gk110",):
        p = parameters(heddle, config)
        banks, lanes = p["shared.banks"], p["gpu.warp_size"]
        points = axes.plot(WORDS, [measure(heddle, config, variant="shared", stride=4 * w)[0]
                                   for w in WORDS], marker=".", linestyle="none",
                           label=f"{config}, {banks} banks")
        reached = [banks // math.gcd(w, banks) for w in WORDS]
        latency = p["shared.latency"]
        axes.plot(WORDS, [latency + math.ceil(lanes / r) - 1 for r in reached], linestyle=":",
                  color=points[0].get_color())
    axes.set_xlabel("stride (words)")
    axes.set_title("shared memory")


def draw_coalescing(heddle, axes):
    config = "gk110"
    line = parameters(heddle, config)["l1d.line"]
    more, few = 32, 16
    accesses, cycles = [], []
    for w in WORDS:
        first = measure(heddle, config, variant="coalescing", stride=4 * w, rounds=few)
        second = measure(heddle, config, variant="coalescing", stride=4 * w, rounds=more)
        accesses.append((second[1] - first[1]) / (more - few))
        cycles.append(second[0])
    axes.plot(WORDS, accesses, marker=".", linestyle="none", label="accesses / load")
    axes.plot(WORDS, [min(32, math.ceil((31 * 4 * w + 4) / line)) for w in WORDS], linestyle=":",
              color="tab:blue")
    axes.plot(WORDS, cycles, marker=".", color="tab:red", label="cycles / load")
    axes.set_xlabel("stride (words)")
    axes.set_title(f"coalescing, {config}, L2")
    axes.set_yscale("log", base=2)


def latency(heddle, file):
    figure, axes = pyplot.subplots(1, 3, figsize=(12, 3.8))
    for draw, plot in zip((draw_chase, draw_shared, draw_coalescing), axes):
        draw(heddle, plot)
        plot.grid(alpha=0.3)
        plot.legend(fontsize=8)
    figure.tight_layout()
    save(figure, file)
