# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Derivations of statistics from the records of a run of one warp; see exact_statistics.py."""
import fractions

from exact_units import (bank_turns, branches, count_fetches, in_flight_cycles, is_load, is_store,
                         is_atomic, l2_outcomes, lanes_of, lines_of, window)

STATES = ["issued", "integer_busy", "multiply_busy", "divide_busy", "floating_busy",
          "floating_divide_busy", "special_busy", "memory_busy", "memory_stall",
          "reservation_fail", "constants_busy", "writeback", "held_back", "formation", "memory", "fence",
          "constants", "dependency", "fetch", "barrier", "no_warp"]


def derive(run):
    """Name -> value, or the samples of a distribution."""
    facts = Facts(run)
    all_of = {}
    for part in (execution, launch_path, memory_path, crossbar, smx_0, smx_1, machine, host):
        all_of.update(part(facts, all_of))
    return all_of


class Facts:
    """What several derivations need."""

    def __init__(self, run):
        self.run = run
        self.c = run.configuration
        self.rows = sorted(run.retired, key=lambda r: int(r["n"]))
        issues = run.tracks["gpu.smx_0.issue_0"]
        assert len(issues) == len(self.rows), "one warp issues all"
        for row, issue in zip(self.rows, issues):
            row["issue"], row["done"] = issue.begin, int(row["cycle"])
            row["op"] = row["instruction"].split()[0]
        self.launch = run.accesses("gpu.kmu.launches")[0]
        self.kernel = run.accesses("gpu.kernel_distributor.kernels")[0]
        self.block = run.accesses("gpu.smx_0.blocks")[0]
        self.warp = next(s for s in run.tracks["gpu.smx_0.warps"] if "warp" in s.name)
        # A launch is open from the host's call, which the KMU's clock sees at the next edge.
        self.cycles = self.launch.end - self.launch.begin + 1
        self.edges = self.launch.end + 1
        self.resident = self.warp.end - self.warp.begin
        self.held = self.block.end - self.warp.begin  # until its accesses have ended, too
        self.requests = run.accesses("gpu.smx_0.memory")
        self.banks = [run.accesses(f"gpu.l2_{n}.requests") for n in range(2)]
        self.fetches = [run.accesses(f"gpu.l2_{n}.memory") for n in range(2)]
        self.memory = [r for r in self.rows if r["address"] != "-"]

    def of_window(self, name):
        return [r for r in self.memory if window(r) == name]


def ratio(a, b):
    return None if b == 0 else float(fractions.Fraction(a, b))


def execution(f, _):
    """Counts of instructions, which the machine, the kernel and the SMX have alike."""
    threads = sum(bin(int(r["mask"], 16)).count("1") for r in f.rows)
    jumps = branches(f.rows)
    counts = {
        "warp_instructions": len(f.rows),
        "thread_instructions": threads,
        "simd_efficiency": ratio(threads, len(f.rows) * f.c["gpu.warp_size"]),
        "branches": len(jumps),
        "divergent_branches": sum(jumps),
        "memory_instructions": len(f.memory),
        "barriers": sum(r["op"] == "barrier" for r in f.rows),
        "blocks": sum(s.name.startswith("block ") for s in f.run.accesses("gpu.smx_0.blocks")),
    }
    values = {f"{scope}.{name}": value for scope in ("gpu", "kernel.one_warp", "smx.0")
              for name, value in counts.items()}
    values["kernel.one_warp.launches"] = values["gpu.launches"] = 1
    return values


def launch_path(f, _):
    events = f.run.accesses("gpu.smx_scheduler.block_update")
    started = [s.begin for s in events if s.args["event"] == "block_started"]
    finished = [s.begin for s in events if s.args["event"] == "block_finished"]
    occupied = [v == "1" for v in f.run.values("gpu.kernel_distributor.kde_0.valid", f.edges)]
    running = [s for s in f.run.tracks["gpu.smx_0.blocks"] if s.name == "running"][0]
    values = {
        "kmu.launches": 1, "kmu.dispatches": 1, "kmu.completions": 1,
        # From the edge at which the KMU has it to the beginning of its dispatch.
        "kmu.queue_wait": [f.kernel.begin - f.c["kmu.dispatch_latency"] - f.launch.begin],
        "kmu.distributor_wait": 0,
        "kernel_distributor.kernels": 1, "kernel_distributor.completed": 1,
        "kernel_distributor.occupancy": 1.0, "kernel_distributor.occupancy_maximum": 1,
        "kernel_distributor.busy_cycles": sum(occupied),
        "smx_scheduler.blocks": len(started), "smx_scheduler.blocks_finished": len(finished),
        "smx_scheduler.first_dispatch": started[0], "smx_scheduler.last_dispatch": started[-1],
        "launch.count": 1,
        "launch.waiting_time": [running.begin - (f.launch.begin - 1)],
        "launch.1.launched": f.launch.begin - 1,
        "launch.1.first_dispatch": f.block.begin, "launch.1.first_start": running.begin,
        "launch.1.last_end": f.block.end, "launch.1.cycles": f.block.end - f.block.begin,
        "launch.1.blocks": 1, "launch.1.warp_instructions": len(f.rows),
        "run.completed": 1, "run.skipped_launches": 0, "run.skipped_warp_instructions": 0,
        "gpu.blocks_running": ratio(finished[0] - started[0], f.cycles),
    }
    # One block, and room for it: nothing stalls.
    for what in ("blocks", "threads", "registers", "shared", "private", "handshake"):
        values[f"smx_scheduler.stall_{what}"] = 0
    return values


def memory_path(f, _):
    values = {}
    for n in range(2):
        hits, loads, stores, atomics = l2_outcomes(f.banks[n], f.c)
        accesses = len(f.banks[n])
        values.update({
            f"l2.{n}.accesses": accesses, f"l2.{n}.hits": hits,
            f"l2.{n}.misses": accesses - hits, f"l2.{n}.mshr_merges": 0,
            f"l2.{n}.miss_rate": ratio(accesses - hits, accesses),
            f"l2.{n}.loads": loads, f"l2.{n}.stores": stores, f"l2.{n}.atomics": atomics,
            f"l2.{n}.fetches": len(f.fetches[n]),
            # All lines fit, and nobody asks for what has been written.
            f"l2.{n}.evictions": 0, f"l2.{n}.write_backs": 0, f"l2.{n}.errors": 0})
        for what in ("queue", "miss", "target", "way", "write_buffer", "response", "busy"):
            values[f"l2.{n}.{what}_stall_cycles"] = 0  # one access at a time
    sizes = [s.args["bytes"] for n in range(2) for s in f.fetches[n]]
    transfers = [-(-size // f.c["dram.fixed.bytes_per_cycle"]) for size in sizes]
    busy = sum(transfers)
    pending = sum(f.c["dram.fixed.latency"] + t for t in transfers)
    total = {name: sum(values[f"l2.{n}.{name}"] for n in range(2))
             for name in ("accesses", "misses")}
    seconds = f.cycles / (f.c["clock.core"] * 1000)
    values.update({
        "dram.reads": len(sizes), "dram.writes": 0, "dram.bytes_read": sum(sizes),
        "dram.bytes_written": 0, "dram.errors": 0, "dram.busy_cycles": busy,
        "dram.pending_cycles": pending,
        "gpu.l2_accesses": total["accesses"], "gpu.l2_misses": total["misses"],
        "gpu.l2_miss_rate": ratio(total["misses"], total["accesses"]),
        "gpu.dram_bytes": sum(sizes), "gpu.dram_bandwidth": sum(sizes) / seconds,
        "gpu.dram_busy_cycles": busy, "gpu.dram_efficiency": ratio(busy, pending),
        # Of both ports, in cycles of the memory's clock.
        "gpu.dram_bandwidth_utilization": busy / (seconds * f.c["clock.dram"] * 1000 * 2)})
    return values


def crossbar(f, _):
    """A message is seen at the edge after its begin, and leaves at the begin of the next link."""
    header, flit = f.c["crossbar.header_bytes"], f.c["crossbar.flit_bytes"]
    banks = sorted((s for bank in f.banks for s in bank), key=lambda s: s.begin)
    # The host ends the run at the second edge behind the end of the launch.
    edges = f.edges + 2
    values = {}
    for way in ("request", "response"):
        sizes, latency = [], []
        for near, far in zip(sorted(f.requests, key=lambda s: s.begin), banks):
            kind, size = near.args["kind"], near.args["bytes"]
            assert (kind, near.args["address"]) == (far.args["kind"], far.args["address"])
            if kind == "atomic":
                row = next(r for r in f.memory if is_atomic(r) and window(r) == "global")
                moves = 4 * len(lanes_of(row))
            else:
                moves = size if (kind == "store") == (way == "request") else 0
            sizes.append(header + moves)
            latency.append(far.begin - near.begin - 1 if way == "request"
                           else near.end - far.end - 1)
        flits = sum(-(-size // flit) for size in sizes)
        values.update({
            f"crossbar.{way}.messages": len(sizes), f"crossbar.{way}.bytes": sum(sizes),
            f"crossbar.{way}.flits": flits,
            f"crossbar.{way}.utilization": ratio(flits, 2 * edges),
            f"crossbar.{way}.latency": latency})
        for what in ("input_full", "not_granted", "output_full", "receiver"):
            values[f"crossbar.{way}.stall_{what}"] = 0  # one message at a time
        values[f"crossbar.{way}.lost_grants"] = 0
    return values


def load_latency(f):
    """Of the loads of global memory: each has one line, and a request of its own."""
    stages = {name: [] for name in ("total", "l1", "crossbar", "l2", "queue", "dram")}
    for row in f.of_window("global"):
        if not is_load(row):
            continue
        near = next(s for s in f.requests if s.args["kind"] == "load" and s.begin >= row["issue"])
        far = next(s for s in f.banks[0] if s.begin > near.begin)
        arrived, answered, seen = far.begin + 1, far.end, near.end + 1
        fetch = [s for s in f.fetches[0] if far.begin <= s.begin <= far.end]
        dram_clock = f.c["clock.dram"]
        outside = 0
        if fetch:
            # Memory takes the request at its first edge behind; the core edge nearest to it counts.
            taken = f.run.time(f.run.edge(fetch[0].begin_ps + 1, dram_clock), dram_clock)
            nearest = round(taken * f.c["clock.core"] / 10**9)
            stages["queue"].append(nearest - fetch[0].begin)
            stages["dram"].append(fetch[0].end - nearest)
            outside = fetch[0].end - fetch[0].begin
        stages["total"].append(row["done"] - row["issue"])
        stages["l1"].append(near.begin - row["issue"] + row["done"] - seen)
        stages["crossbar"].append(arrived - near.begin + seen - answered)
        stages["l2"].append(answered - arrived - outside)
    return stages


def causes(f, smx):
    """The waveform shows them; before the launch is open they count for nobody."""
    counts = []
    for s in range(2):
        values = f.run.values(f"gpu.smx_{smx}.issue_{s}.state", f.edges)
        counts.append({name: sum(int(v, 2) == n for v in values) for n, name in enumerate(STATES)})
        counts[-1]["no_warp"] -= f.edges - f.cycles
    return counts


def caches(f):
    """L1D, constant cache and read-only cache."""
    constants = f.of_window("reserve")
    miss = next(s for s in f.requests if s.args["kind"] == "load")
    joined = sum(r["issue"] <= miss.end for r in constants) - 1
    private, loads = f.of_window("private"), [r for r in f.of_window("global") if is_load(r)]
    hits = sum(is_load(r) for r in private)
    stored = {r["address"] for r in private if is_store(r)}
    fence = next(r["issue"] for r in f.rows if r["op"] == "fence")
    values = {
        "l1d.accesses": hits + len(loads), "l1d.misses": len(loads), "l1d.hits": hits,
        "l1d.miss_rate": ratio(len(loads), hits + len(loads)),
        "l1d.private_stores": sum(is_store(r) for r in private),
        "l1d.stores_around": sum(s.args["kind"] == "store" for s in f.requests),
        "l1d.thread_accesses": sum(len(lanes_of(r)) for r in private + f.of_window("global")),
        # The fence drops the global line that a load has brought.
        "l1d.lines_dropped": sum(r["issue"] < fence for r in loads),
        "l1d.lines_discarded": len(stored),
        "constant_cache.accesses": len(constants), "constant_cache.misses": 1,
        "constant_cache.mshr_merges": joined,
        "constant_cache.hits": len(constants) - joined - 1,
        "constant_cache.miss_rate": ratio(1, len(constants)),
        "read_only_cache.miss_rate": None}
    zeros = {"l1d": ["mshr_merges", "evictions", "lost_localities", "write_backs",
                     "global_stores", "lines_cleaned",
                     "fills_not_installed", "bank_conflicts", "reservation_fails",
                     "reservation_fails.mshr_full", "reservation_fails.mshr_merge_full",
                     "reservation_fails.miss_queue_full", "reservation_fails.line_reserved"],
             "constant_cache": ["evictions", "fills_not_installed", "lines_dropped",
                                "reservation_fails"],
             # tiny has none
             "read_only_cache": ["accesses", "hits", "mshr_merges", "misses", "evictions",
                                 "fills_not_installed", "lines_dropped", "reservation_fails"]}
    values.update({f"{cache}.{name}": 0 for cache, names in zeros.items() for name in names})
    return values


def smx_0(f, _):
    per_scheduler = causes(f, 0)
    shared, off_chip = f.of_window("shared"), f.of_window("global")
    turns = [bank_turns(r, f.c["shared.banks"]) for r in shared]
    values = caches(f)
    values.update({
        "occupancy": ratio(f.resident, 16 * f.cycles), "active_cycles": f.resident,
        "slot_occupancy": ratio(f.held, 16 * f.cycles),
        "executing_warps": ratio(in_flight_cycles(f.rows, f.c), f.resident),
        "fetches": count_fetches(f.rows, f.requests, f.c),
        "fetch_misses": sum(s.args["kind"] == "instruction_fetch" for s in f.requests),
        "writeback_conflicts": 0, "second_issues": 0, "stall_cycles": 0,
        "lsu.loads": sum(is_load(r) for r in f.memory),
        "lsu.stores": sum(is_store(r) for r in f.memory),
        "lsu.atomics": sum(is_atomic(r) for r in f.memory),
        # A private access is one row of words, which is one line.
        "lsu.line_accesses": len(f.of_window("private"))
        + sum(len(lines_of(r, f.c["l1d.line"])) for r in off_chip),
        "lsu.shared_accesses": len(shared), "lsu.uncached_loads": 0,
        "lsu.write_requests": sum(s.args["kind"] == "store" for s in f.requests),
        "lsu.atomic_requests": sum(s.args["kind"] == "atomic" for s in f.requests),
        "shared_memory.accesses": len(shared),
        "shared_memory.atomics": sum(is_atomic(r) for r in shared),
        "shared_memory.bank_conflicts": sum(t > 1 for t in turns),
        "shared_memory.bank_conflict_cycles": sum(t - 1 for t in turns)})
    values["lanes_issued"] = [len(lanes_of(r)) for r in f.rows]
    values["lines_per_memory_instruction"] = ratio(
        values["lsu.line_accesses"], len(f.of_window("private")) + len(off_chip))
    for stage, samples in load_latency(f).items():
        values[f"load_latency.{stage}"] = samples
    values["constant_latency.total"] = [r["done"] - r["issue"] for r in f.of_window("reserve")]
    for name in STATES:
        values[f"issue_slots.{name}"] = sum(c[name] for c in per_scheduler)
    for s, of in enumerate(per_scheduler):
        waits = STATES[STATES.index("formation"):STATES.index("no_warp")]
        values.update({f"warp_scheduler_{s}.issues": of["issued"],
                       f"warp_scheduler_{s}.switches": 0, f"warp_scheduler_{s}.held_back": 0,
                       f"warp_scheduler_{s}.stall_cycles": 0,
                       f"warp_scheduler_{s}.wait_cycles": sum(of[name] for name in waits)})
    assert values["warp_scheduler_0.issues"] == len(f.rows)
    return {f"smx.0.{name}": value for name, value in values.items()}


def smx_1(f, derived):
    """No block, no instruction, no access. Its schedulers have no warp all the time."""
    values = {}
    for name, value in derived.items():
        if not name.startswith("smx.0."):
            continue
        other = "smx.1." + name[len("smx.0."):]
        ratio_of_nothing = name.endswith(("miss_rate", "simd_efficiency", "executing_warps",
                                          "lines_per_memory_instruction"))
        values[other] = [] if isinstance(value, list) else None if ratio_of_nothing else 0
    values["smx.1.occupancy"] = values["smx.1.slot_occupancy"] = 0.0
    values["smx.1.issue_slots.no_warp"] = 2 * f.cycles
    return values


def machine(f, derived):
    """Sums over the SMXs, and ratios of them."""
    cycles, one = f.cycles, {k[len("smx.0."):]: v for k, v in derived.items()
                             if k.startswith("smx.0.")}
    values = {
        "gpu.cycles": cycles, "gpu.host_gap_cycles": f.edges - cycles,
        "gpu.time": cycles / (f.c["clock.core"] * 1000),
        "gpu.ipc": ratio(one["thread_instructions"], cycles),
        "gpu.warp_ipc": ratio(one["warp_instructions"], cycles),
        "gpu.warps_resident": ratio(f.resident, 2 * cycles),
        "gpu.smx_occupancy": ratio(f.resident, 2 * 16 * cycles),
        "gpu.slot_occupancy": ratio(f.held, 2 * 16 * cycles),
        "gpu.executing_warps": one["executing_warps"],
        "gpu.lanes_issued": one["lanes_issued"],
        "gpu.lines_per_memory_instruction": one["lines_per_memory_instruction"],
        "gpu.stall_cycles": 0, "gpu.second_issues": 0, "gpu.reservation_fails": 0}
    for cache in ("l1d", "constant_cache", "read_only_cache"):
        for name in ("accesses", "misses", "miss_rate"):
            values[f"gpu.{cache}_{name}"] = one[f"{cache}.{name}"]
        if cache != "l1d":
            values[f"gpu.{cache}_reservation_fails"] = 0
    for name in ("stores_around", "thread_accesses"):
        values[f"gpu.l1d_{name}"] = one[f"l1d.{name}"]
    for name in STATES:
        values[f"gpu.issue_slots.{name}"] = sum(
            derived[f"smx.{n}.issue_slots.{name}"] for n in range(2))
    for stage in ("total", "l1", "crossbar", "l2", "queue", "dram"):
        values[f"load_latency.{stage}"] = one[f"load_latency.{stage}"]
    values["constant_latency.total"] = one["constant_latency.total"]
    return values


def host(f, _):
    """What the host measures has no second source: the rates follow from the time."""
    seconds = f.run.statistics["host.seconds"]["value"]
    return {"host.seconds": seconds,
            "host.warp_instructions_per_second": len(f.rows) / seconds,
            "host.cycles_per_second": f.cycles / seconds,
            "host.peak_memory": f.run.statistics["host.peak_memory"]["value"]}
