# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""What the page of a few runs shows: side by side, with what differs first."""
import math
import string

from reporting import stack
from reporting.numbers import ratio, short

MOST_RUNS = 8
# Statistic, name, and whether it is a share of 1.
SUMMARY = [
    ("gpu.cycles", "Cycles", False), ("gpu.ipc", "IPC", False),
    ("gpu.warp_instructions", "Warp instructions", False),
    ("gpu.thread_instructions", "Thread instructions", False),
    ("gpu.simd_efficiency", "SIMD efficiency", True), ("gpu.smx_occupancy", "Occupancy", True),
    ("gpu.executing_warps", "Executing warps", False),
    ("gpu.l1d_miss_rate", "L1D miss rate", True), ("gpu.l2_miss_rate", "L2 miss rate", True),
    ("gpu.dram_bytes", "DRAM bytes", False),
    ("gpu.dram_bandwidth_utilization", "DRAM bandwidth used", True),
    ("gpu.dram_efficiency", "DRAM efficiency", True),
    ("load_latency.total", "Latency of a load", False),
]


def differences(runs, machine):
    """Lines of facts and parameters that are not the same everywhere."""
    known = machine.parameters()
    lines = []
    for of in (lambda run: run.facts, lambda run: run.configuration):
        for key in dict.fromkeys(key for run in runs for key in of(run)):
            values = [of(run).get(key) for run in runs]
            if any(value != values[0] for value in values):
                one = known.get(key, {})
                lines.append({"key": key, "values": values, "default": one.get("default"),
                              "unit": one.get("unit", ""),
                              "description": one.get("description", "")})
    return lines


def summary(runs):
    lines = []
    for name, title, share in SUMMARY:
        values = [run.value(name) for run in runs]
        if any(value is not None for value in values):
            unit = next(run.statistics[name].get("unit", "") for run in runs
                        if name in run.statistics)
            lines.append({"name": title, "values": values, "share": share, "unit": unit,
                          "ratios": [ratio(value, values[0]) for value in values]})
    return lines


def stack_lines(runs):
    """Cycles for each instruction, part by part; the largest difference first."""
    lines = []
    for part in dict.fromkeys(part for run in runs for part in stack.names(run)):
        values = []
        for run in runs:
            value = run.value(stack.PREFIX + part)
            values.append(ratio(value, run.value("gpu.warp_instructions")))
        some = [value for value in values if value is not None]
        if any(some):
            lines.append({"part": part, "values": values, "spread": max(some) - min(some)})
    return sorted(lines, key=lambda line: -line["spread"])


def size_of(quotient):
    """How far from 1; what has no quotient comes first."""
    return math.inf if quotient is None or quotient <= 0 else abs(math.log(quotient))


def statistics(runs):
    """[[name, values, last / first, unit, description]] of those that differ, and how many there
    are."""
    names = [name for name in dict.fromkeys(name for run in runs for name in run.statistics)
             if not name.startswith("host.")]
    lines = []
    for name in names:
        values = [run.value(name) for run in runs]
        if any(value != values[0] for value in values):
            one = next(run.statistics[name] for run in runs if name in run.statistics)
            quotient = ratio(values[-1], values[0])
            lines.append([name, [short(value) for value in values],
                          None if quotient is None else short(float(quotient)),
                          one.get("unit", ""), one.get("description", "")])
    return sorted(lines, key=lambda line: -size_of(line[2])), len(names)


def content(runs, machine):
    """Everything that compare.html needs."""
    labels = string.ascii_uppercase
    shown = []
    for label, run in zip(labels, runs):
        command, lacks = machine.command(run)
        shown.append({"label": label, "file": str(run.file), "completed": run.completed,
                      "name": f"{run.facts.get('what')} on {run.facts.get('config')}",
                      "command": command, "lacks": lacks})
    found = differences(runs, machine)
    differing = {line["key"] for line in found}
    most = max(stack.total(run) for run in runs)
    lines, count = statistics(runs)
    what = {run.facts.get("what") for run in runs}
    title = f"{len(runs)} runs" + (f" of {what.pop()}" if len(what) == 1 else "")
    return {
        "title": title, "runs": shown, "differences": found,
        "same": [(name, value) for name, value in runs[0].facts.items() if name not in differing],
        "same_parameters": len([key for key in runs[0].configuration if key not in differing]),
        "summary": summary(runs), "stack_lines": stack_lines(runs),
        "stacks": [stack.bar(run, of=most) for run in runs] if most else [],
        "statistic_count": count, "data": {"statistics": lines},
    }
