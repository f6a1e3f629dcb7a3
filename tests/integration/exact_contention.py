#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Statistics of waits, counted a second time: exact_contention.py HEDDLE

Sixteen warps of `histogram` on two SMXs of the configuration tiny get in each other's way. What the
run counts of that is counted here from the waveform and the timeline, and must be the same.
exact_statistics.py has the statistics of a run in which nothing waits.
"""
import collections
import pathlib
import subprocess
import sys
import tempfile

from exact_rules import STATES
from exact_run import Run
from exact_statistics import same, shown

LSU_STATES = ["mshr_full", "mshr_merge_full", "miss_queue_full", "line_reserved", "idle", "working",
              "constant_cache", "read_only_cache"]
STALLS = STATES[STATES.index("integer_busy"):STATES.index("held_back")]
WAITS = STATES[STATES.index("formation"):STATES.index("no_warp")]


def counted_states(run, name, names, edges):
    counts = collections.Counter(int(v, 2) for v in run.values(name, edges))
    return {state: counts[n] for n, state in enumerate(names)}


def smx(run, n, cycles, edges):
    values, per_scheduler = {}, []
    for s in range(2):
        states = counted_states(run, f"gpu.smx_{n}.issue_{s}.state", STATES, edges)
        states["no_warp"] -= edges - cycles
        per_scheduler.append(states)
        issues = [i.args["warp"] for i in run.tracks[f"gpu.smx_{n}.issue_{s}"]]
        values.update({
            f"warp_scheduler_{s}.issues": len(issues),
            f"warp_scheduler_{s}.switches": sum(a != b for a, b in zip(issues, issues[1:])),
            f"warp_scheduler_{s}.stall_cycles": sum(states[name] for name in STALLS),
            f"warp_scheduler_{s}.wait_cycles": sum(states[name] for name in WAITS)})
    for name in STATES:
        values[f"issue_slots.{name}"] = sum(states[name] for states in per_scheduler)
    values["stall_cycles"] = sum(values[f"issue_slots.{name}"] for name in STALLS)
    lsu = counted_states(run, f"gpu.smx_{n}.lsu.state", LSU_STATES, edges)
    for cause in LSU_STATES[:4]:
        values[f"l1d.reservation_fails.{cause}"] = lsu[cause]
    values["l1d.reservation_fails"] = sum(lsu[cause] for cause in LSU_STATES[:4])
    for cache in LSU_STATES[6:]:
        values[f"{cache}.reservation_fails"] = lsu[cache]
    resident = [bin(int(v, 2)).count("1") for v in run.values(f"gpu.smx_{n}.resident", edges)]
    values["active_cycles"] = sum(warps != 0 for warps in resident)
    values["load_latency.total"] = load_times(run, n)
    return {f"smx.{n}.{name}": value for name, value in values.items()}


def load_times(run, n):
    """From issue to completion of each load of global memory; each has one line."""
    issues = sorted((i for s in range(2) for i in run.tracks[f"gpu.smx_{n}.issue_{s}"]),
                    key=lambda i: i.begin)
    of_warp = collections.defaultdict(list)
    for i in issues:
        of_warp[i.args["warp"]].append(i.begin)
    return [int(r["cycle"]) - of_warp[int(r["slot"])][int(r["n"]) - 1] for r in run.retired
            if r["smx"] == str(n) and r["instruction"].startswith("lw")
            and r["address"].startswith("4")]


def waits(run, track, state):
    """Of transactions that are not accepted at the edge behind their begin, where they are seen."""
    return sum(s.end - s.begin - 1 for s in run.tracks[track] if s.name == state)


def crossbar(run, way, inputs, edges):
    """`inputs`: tracks of the links into this network, and the state of a message that waits."""
    buffers, outputs = collections.Counter(), collections.Counter()
    for n in range(2):
        scope = f"gpu.crossbar.{way}"
        buffers.update(counted_states(run, f"{scope}.input_{n}.buffer_0.state",
                                      ["empty", "moves", "not_granted", "output_full"], edges))
        outputs.update(counted_states(run, f"{scope}.output_{n}.state",
                                      ["empty", "holds", "receiver_busy"], edges))
    return {f"crossbar.{way}.{name}": value for name, value in {
        "flits": buffers["moves"],
        "stall_not_granted": buffers["not_granted"], "stall_output_full": buffers["output_full"],
        "stall_receiver": outputs["receiver_busy"],
        "stall_input_full": sum(waits(run, track, inputs[1]) for track in inputs[0])}.items()}


def derive(run):
    launch = run.accesses("gpu.kmu.launches")[0]
    cycles, edges = launch.end - launch.begin + 1, launch.end + 1
    values = {"gpu.cycles": cycles}
    for n in range(2):
        values.update(smx(run, n, cycles, edges))
        values[f"l2.{n}.queue_stall_cycles"] = waits(run, f"gpu.l2_{n}.requests", "request")
    for name in STATES:
        values[f"gpu.issue_slots.{name}"] = sum(
            values[f"smx.{n}.issue_slots.{name}"] for n in range(2))
    values.update(crossbar(run, "request", ([f"gpu.smx_{n}.memory" for n in range(2)], "request"),
                           edges))
    values.update(crossbar(run, "response", ([f"gpu.l2_{n}.requests" for n in range(2)],
                                             "response"), edges))
    return values


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(
            [sys.argv[1], "run", "histogram", "--config", "tiny", "--option", "n=512",
             "--stats", folder / "s.json", "--retire", folder / "r.tsv",
             "--timeline", folder / "t.json", "--trace-scope", "*", "--vcd", folder / "w.vcd",
             "--launches", folder / "l.csv"], check=True, capture_output=True)
        run = Run(folder)
    wrong = [f"{name} is {shown(run.statistics[name])}, counted: {value}"
             for name, value in derive(run).items() if not same(run.statistics[name], value)]
    print("\n".join(wrong) or "the waits are counted alike")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
