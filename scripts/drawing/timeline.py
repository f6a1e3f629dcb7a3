# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""timeline.png, the timeline of a real run, drawn as ui.perfetto.dev would.

Tracks stand in the order in which a launch goes through the machine. The arrows of one block are
drawn: from its launch to it, to its warps, and to its first accesses on their way to memory.
"""
import json
import tempfile
from pathlib import Path

from drawing import stamp
from drawing.canvas import pyplot, save
from drawing.program import output_of

TRACKED_BLOCK = 2
ARROWS_TO_MEMORY = 5
BLOCK_COLORS = pyplot.get_cmap("tab10").colors
# Process, track and how its heading reads.
TRACKS = [
    ("gpu.kmu", "launches", "launch (gpu.kmu)"),
    ("gpu.kernel_distributor", "kernels", "kernel (gpu.kernel_distributor)"),
    ("gpu.smx_0", "blocks", "blocks (gpu.smx_0)"),
    ("gpu.smx_0", "warps", "warps (gpu.smx_0)"),
    ("gpu.smx_1", "blocks", "blocks (gpu.smx_1)"),
    ("gpu.smx_0", "memory", "accesses (gpu.smx_0)"),
    ("gpu.l2_0", "requests", "accesses (gpu.l2_0)"),
    ("gpu.l2_1", "requests", "accesses (gpu.l2_1)"),
    ("gpu.l2_0", "memory", "memory (gpu.l2_0)"),
    ("gpu.l2_1", "memory", "memory (gpu.l2_1)"),
]


class Timeline:
    def __init__(self, events):
        names = {"process_name": {}, "thread_name": {}}
        for event in events:
            if event["name"] in names:
                names[event["name"]][event["pid"], event.get("tid")] = event["args"]["name"]
        self.processes = {pid: name for (pid, _), name in names["process_name"].items()}
        self.lanes = names["thread_name"]
        self.slices = [event for event in events if event["ph"] == "X" and "args" in event]
        self.starts = {event["bind_id"]: event for event in events if event.get("flow_out")}

    def rows(self):
        """Lanes from top to bottom: (key, heading or None)."""
        for process, track, heading in TRACKS:
            lanes = sorted(
                (key, name) for key, name in self.lanes.items()
                if self.processes[key[0]] == process and name.rsplit(" ", 1)[0] == track
            )
            for key, _ in lanes:
                yield key, heading
                heading = None


def end(event):
    return event["ts"] + event["dur"]


def draw(timeline, file, mark):
    rows, y = {}, 0.0
    figure, axes = pyplot.subplots(figsize=(14, 9.5), dpi=100)
    for key, heading in timeline.rows():
        if heading:
            y += 0.9
            axes.text(-0.01, y + 0.35, heading, transform=axes.get_yaxis_transform(), ha="right",
                      va="center", fontsize=9, family="monospace")
            axes.axhline(y - 0.3, color="0.85", linewidth=0.6)
        rows[key] = y
        y += 1
    last = max(end(event) for event in timeline.slices)
    for event in timeline.slices:
        key = event["pid"], event["tid"]
        if key not in rows:
            continue
        of_launch = event["cat"] in ("launch", "kernel_dispatch")
        small = event["cat"] in ("memory_access", "base_protocol")
        block = event["args"].get("block", 0)
        nobody = event["name"] == "write_back" and event["cat"] == "base_protocol"
        color = "0.6" if of_launch else "0.8" if nobody else BLOCK_COLORS[block % 10]
        axes.barh(rows[key] + 0.4, event["dur"], 0.8, event["ts"], align="center", color=color,
                  edgecolor="white" if not small else color, linewidth=0.6,
                  alpha=0.85 if not small else 0.6)
        if event["dur"] > last * 0.03 and not small:
            axes.text(event["ts"] + last * 0.004, rows[key] + 0.42, event["name"],
                      va="center_baseline", fontsize=6, color="white", clip_on=True)
    draw_arrows(timeline, rows, axes)
    axes.set_xlim(0, last)
    axes.set_ylim(y + 0.2, 0)
    axes.set_yticks([])
    axes.set_xlabel("simulated time in µs")
    for side in ("left", "right", "top"):
        axes.spines[side].set_visible(False)
    figure.tight_layout()
    save(figure, file, mark=mark)


def draw_arrows(timeline, rows, axes):
    """From the launch to the tracked block, on to its warps and to its first accesses."""
    def arrow(start, target, bend):
        axes.annotate(
            "", xy=(target["ts"], rows[target["pid"], target["tid"]] + 0.4),
            xytext=(max(start["ts"], min(target["ts"], end(start))),
                    rows[start["pid"], start["tid"]] + 0.6),
            arrowprops={"arrowstyle": "-|>", "color": "black", "linewidth": 0.9,
                        "mutation_scale": 9, "connectionstyle": f"arc3,rad={bend}"})

    shown = [event for event in timeline.slices if (event["pid"], event["tid"]) in rows]
    of_block = [e for e in shown if e["args"].get("block") == TRACKED_BLOCK and "bind_id" in e]
    for category, most in (("block_dispatch", 1), ("warp", 8), ("memory_access", ARROWS_TO_MEMORY),
                           ("base_protocol", ARROWS_TO_MEMORY)):
        targets = sorted((e for e in of_block
                          if e["cat"] == category and e["name"] != "write_back"),
                         key=lambda e: e["ts"])
        for target in targets[:most]:
            arrow(timeline.starts[target["bind_id"]], target, 0.15)
    for target in shown:
        if target["cat"] == "kernel_dispatch":
            arrow(timeline.starts[target["bind_id"]], target, 0.15)


def run(heddle):
    """The timeline of a run, as text."""
    with tempfile.TemporaryDirectory() as place:
        events = Path(place, "saxpy.json")
        output_of(heddle, "run", "saxpy", "--config", "tiny", "--option", "n=2048",
                  "--option", "block=256", "--timeline", events)
        return events.read_text("utf-8")


def timeline(heddle, file):
    text = run(heddle)
    draw(Timeline(json.loads(text)["traceEvents"]), file, stamp.of(text))


timeline.source = lambda heddle: stamp.of(run(heddle))
