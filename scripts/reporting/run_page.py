# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""What the page of one run shows."""
from reporting import lines, stack
from reporting.numbers import percent, plain, short, with_prefix
from reporting.records import MOST_LAUNCHES

# Charts over time: column, title, unit, and whether the value is a share of 1.
CHARTS = [
    ("gpu.ipc", "IPC", "thread instructions/cycle", False),
    ("gpu.smx_occupancy", "Occupancy", "% of warp slots", True),
    ("gpu.executing_warps", "Executing warps", "warps of an SMX", False),
    ("gpu.simd_efficiency", "SIMD efficiency", "% of lanes", True),
    ("gpu.l1d_miss_rate", "L1D miss rate", "% of accesses", True),
    ("gpu.l2_miss_rate", "L2 miss rate", "% of accesses", True),
    ("gpu.dram_bandwidth", "DRAM bandwidth", "GB/s", False),
    ("gpu.dram_bandwidth_utilization", "DRAM bandwidth used", "% of peak", True),
]
SUMS = ["accesses", "hits", "mshr_merges", "misses", "evictions"]
CACHES = [("L1D", "smx", "l1d."), ("constants", "smx", "constant_cache."),
          ("read only", "smx", "read_only_cache."), ("L2", "l2", "")]
STAGES = ["total", "l1", "crossbar", "l2", "queue", "dram"]
DRAM = ["reads", "writes", "row_hit_rate", "efficiency", "bandwidth_utilization",
        "queue_occupancy", "queue_latency", "dram_latency", "refreshes"]


def tiles(run):
    """The numbers to see first: (name, value, what it is)."""
    slots = stack.total(run)
    found = [
        ("Cycles", plain(run.value("gpu.cycles")), "core cycles with an open launch"),
        ("IPC", plain(run.value("gpu.ipc")), "thread instructions/cycle"),
        ("Issue slots used", percent(run.value("gpu.issue_slots.issued") / slots)
         if slots else plain(None), "of cycles × schedulers"),
        ("SIMD efficiency", percent(run.value("gpu.simd_efficiency")), "of the lanes that issue"),
        ("Occupancy", percent(run.value("gpu.smx_occupancy")), "of all warp slots"),
        ("L2 miss rate", percent(run.value("gpu.l2_miss_rate")),
         f"of {plain(run.value('gpu.l2_accesses'))} accesses"),
        ("DRAM", with_prefix(run.value("gpu.dram_bandwidth"), "B/s"),
         f"{percent(run.value('gpu.dram_bandwidth_utilization'))} of peak"),
        ("Instructions", plain(run.value("gpu.warp_instructions")), "executed by warps"),
    ]
    return [one for one in found if one[1] != plain(None)]


def caches(run):
    """A line for each cache that was used, all of its kind added up."""
    lines = []
    for name, scope, prefix in CACHES:
        sums = [run.total(scope, prefix + one) for one in SUMS]
        if sums[0]:
            waits = run.total(scope, prefix + ("reservation_fails" if prefix else
                                               "miss_stall_cycles"))
            lines.append([name, *sums, (sums[SUMS.index("misses")] or 0) / sums[0], waits])
    return lines


def dram(run):
    """Names of the columns and a line for each memory controller."""
    scope = "memory_controller"
    columns = [name for name in DRAM if run.total(scope, name) is not None]
    return columns, [[part, *(run.value(f"{scope}.{part}.{name}") for name in columns)]
                     for part in run.parts(scope)]


def warp_sizes(run):
    """[(lanes, instructions, share)] of the instructions that issued."""
    found = run.histogram("gpu.lanes_issued")
    if found is None:
        return []
    starts = [start for start, _ in found["bins"]]
    lines = []
    for at, (start, count) in enumerate(found["bins"]):
        last = starts[at + 1] - 1 if at + 1 < len(starts) else start
        first = max(start, 1)
        label = f"{first}–{last}" if last > first else str(first)
        lines.append((label, count, count / found["samples"]))
    return lines


def latencies(run):
    """[(stage, samples, minimum, mean, maximum, description)]"""
    lines = []
    for stage in STAGES:
        name = f"load_latency.{stage}"
        found = run.histogram(name)
        if found:
            lines.append((stage, found["samples"], found["minimum"], run.value(name),
                          found["maximum"], run.statistics[name].get("description", "")))
    return lines


def smxs(run):
    """A line for each SMX, with its own CPI stack."""
    lines = []
    for part in run.parts("smx"):
        scope = f"smx.{part}"
        cycles = run.value("gpu.cycles")
        active = run.value(f"{scope}.active_cycles")
        lines.append({"number": part, "blocks": run.value(f"{scope}.blocks"),
                      "instructions": run.value(f"{scope}.warp_instructions"),
                      "active": active / cycles if cycles and active is not None else None,
                      "occupancy": run.value(f"{scope}.occupancy"),
                      "efficiency": run.value(f"{scope}.simd_efficiency"),
                      "bar": stack.bar(run, scope)})
    return lines


def kernels(run):
    """A line for each kernel."""
    names = ["launches", "blocks", "warp_instructions", "simd_efficiency", "branches",
             "divergent_branches", "memory_instructions", "barriers"]
    return names, [[kernel, *(run.value(f"kernel.{kernel}.{name}") for name in names)]
                   for kernel in run.kernels()]


def number(text):
    return int(text) if text not in ("", None) else None


def launches(run, records):
    """Lines of launches, and how many there are. Only --launches knows kernels and shapes."""
    if records is None:
        lines = [{"number": part, "kernel": "", "shape": "", "source": "",
                  **{name: run.value(f"launch.{part}.{name}") for name in
                     ("launched", "first_start", "last_end", "cycles", "blocks",
                      "warp_instructions")}} for part in run.parts("launch")]
    else:
        lines = [{"number": one["launch"], "kernel": one["kernel"],
                  "source": one["source"],
                  "shape": " × ".join("(" + ", ".join(one[f"{what}_{axis}"] for axis in "xyz") + ")"
                                      for what in ("grid", "block")),
                  **{name: number(one[name]) for name in
                     ("launched", "first_start", "last_end", "cycles", "blocks",
                      "warp_instructions")}} for one in records]
    last = max((line["last_end"] or 0 for line in lines), default=0)
    for line in lines:
        start, end = line["first_start"], line["last_end"]
        line["left"], line["width"] = 0, 0
        if last and start is not None and end is not None:
            line["left"], line["width"] = 99 * start / last, 99 * (end - start) / last
    return lines[:MOST_LAUNCHES], len(lines)


def over_time(run, series):
    """Charts for the page's script: IPC and others, and the CPI stack as shares."""
    if series is None:
        return None
    middle = [(start + end) / 2 for start, end in
              zip(series["interval.start"], series["interval.end"])]
    charts = []
    for name, title, unit, share in CHARTS:
        values = series.get(name, [])
        if any(values):
            factor = 100 if share else 1e-9 if name == "gpu.dram_bandwidth" else 1
            charts.append({"title": title, "unit": unit, "values": [
                None if value is None else short(value * factor) for value in values]})
    columns = [(name, series.get(stack.PREFIX + name)) for name in stack.names(run)]
    columns = [(name, [value or 0 for value in values]) for name, values in columns
               if values and any(values)]
    totals = [sum(values) or 1 for values in zip(*(values for _, values in columns))]
    shares = [{"part": name, "values": [short(100 * value / all_of_it) for value, all_of_it in
                                        zip(values, totals)]} for name, values in columns]
    return {"x": middle, "charts": charts, "stack": shares}


def all_statistics(run):
    """[[name, value, unit, description]] for the page's script."""
    return [[name, short(one["value"]), one.get("unit", ""), one.get("description", "")]
            for name, one in run.statistics.items()]


def facts(run):
    return [(name, value) for name, value in run.facts.items()]


def content(run, machine, series=None, launch_records=None, typed=None, line_records=()):
    """Everything that run.html needs."""
    command, lacks = (typed, []) if typed else machine.command(run)
    shown, count = launches(run, launch_records)
    columns, controllers = dram(run)
    line_rows, line_count = lines.table(list(line_records))
    kernel_columns, kernel_lines = kernels(run)
    known = machine.parameters()
    configuration = [{"key": key, "value": value, "default": known.get(key, {}).get("default"),
                      "unit": known.get(key, {}).get("unit", ""),
                      "description": known.get(key, {}).get("description", "")}
                     for key, value in run.configuration.items()]
    return {
        "title": f"{run.facts.get('what')} on {run.facts.get('config')}", "run": run,
        "facts": facts(run), "command": command, "lacks": lacks, "tiles": tiles(run),
        "stack": stack.explained(run), "stack_bar": stack.bar(run),
        "time": over_time(run, series), "smxs": smxs(run), "kernels": kernel_lines,
        "kernel_columns": kernel_columns, "launches": shown, "launch_count": count,
        "lines": line_rows, "line_count": line_count,
        "launch_kernels": launch_records is not None, "warp_sizes": warp_sizes(run),
        "caches": caches(run), "cache_columns": SUMS, "dram": controllers,
        "dram_columns": columns, "latencies": latencies(run), "changed": machine.changed(run),
        "settings": machine.settings(run) or [], "configuration": configuration,
        "defaults_known": bool(known), "known": known,
        "data": {"statistics": all_statistics(run)},
    }
