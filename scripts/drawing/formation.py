# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""A block of Black-Scholes under dynamic warp formation over time, as figures 6.4 and 6.5 of Fung
2008: IPC of SMX 0, threads that have not ended, instructions of each thread."""
import itertools
import tempfile
from pathlib import Path

from drawing import series
from drawing.canvas import pyplot, save
from drawing.program import output_of

INTERVAL = 500  # cycles
THREADS = 768


def draw(heddle, file, policy):
    with tempfile.TemporaryDirectory() as place:
        source = str(Path(place, "threads.json"))
        output_of(heddle, "run", "black", "--config", "configs/papers/fung_2008.toml", "--option",
                  "options=12288", "--option", f"block={THREADS}", "--set", "smx.formation=dwf",
                  "--set", f"dwf.policy={policy}", "--interval", str(INTERVAL),
                  "--thread-progress", source)
        columns, _ = series.read(source)
    threads = [columns[f"thread.{n}.instructions"] for n in range(THREADS)]
    ends = columns["interval.end"]
    cycles = [end - start for start, end in zip(columns["interval.start"], ends)]
    last = [max(at for at, count in enumerate(thread) if count) for thread in threads]
    figure, axes = pyplot.subplots(3, 1, sharex=True, figsize=(9, 7))
    axes[0].plot(ends, [sum(counts) / length for counts, length in zip(zip(*threads), cycles)])
    axes[0].set_ylabel("IPC")
    axes[0].set_ylim(0, 8.2)
    axes[1].plot(ends, [sum(at <= end for end in last) for at in range(len(ends))])
    axes[1].set_ylabel("threads not ended")
    axes[1].set_ylim(0, THREADS * 1.05)
    for thread in threads[::4]:
        axes[2].plot(ends, list(itertools.accumulate(thread)), linewidth=0.3, color="0.3",
                     rasterized=True)
    axes[2].set_ylabel("instructions of a thread")
    axes[2].set_xlabel("core cycle")
    for axis in axes:
        axis.grid(alpha=0.3)
    figure.suptitle(f"black, dwf.policy={policy}, SMX 0", fontsize=10)
    figure.tight_layout()
    save(figure, file, dpi=80)


def black_majority(heddle, file):
    draw(heddle, file, "majority")


def black_pdom_priority(heddle, file):
    draw(heddle, file, "pdom_priority")
