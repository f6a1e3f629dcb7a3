# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Values that rows need and that are no statistics: shares of histograms and of cycles.

    NAME.below.N       percent of the samples of the histogram NAME that are below N, for each N at
                       which one of its bins begins, and beyond
    cycles.stall       percent of the cycles x schedulers in which a result held the write-back port
    cycles.memory      ... in which no warp was ready and one waited for memory
    cycles.idle        ... of the others without issue
    cycles.A_B         ... in which A to B threads issued: 1 to 3, 4 to 7, ... 28 to 31
    cycles.full        ... in which 32 threads did
"""

SLOTS = "gpu.issue_slots."
LANES = "gpu.lanes_issued"
MOST = 136  # the last N: above the entries of a warp pool
WARP, BIN = 32, 4  # of that histogram, for warps of 32 threads
SIZES = 8  # width of a bin of the warps in a pool
WAITS = ("memory", "fence")


def below(entry, width):
    """{N: percent of the samples below N} of a histogram's entry with bins of `width`."""
    bins = entry["histogram"]["bins"]
    samples = sum(count for _, count in bins)
    if samples == 0:
        return {}
    return {n: 100 * sum(count for low, count in bins if low < n) / samples
            for n in range(width, MOST + 1, width)}


def of_cycles(statistics):
    """{name: percent} of the cycles x schedulers of a machine."""
    slots = {name.removeprefix(SLOTS): entry["value"] for name, entry in statistics.items()
             if name.startswith(SLOTS)}
    total = sum(slots.values())
    if total == 0:
        return {}
    shares = {"stall": slots["writeback"], "memory": sum(slots[name] for name in WAITS)}
    shares["idle"] = total - slots["issued"] - sum(shares.values())
    bins = dict(statistics[LANES]["histogram"]["bins"])
    turns = sum(bins.values()) or 1
    for low in range(0, WARP, BIN):
        shares[f"{max(low, 1)}_{low + BIN - 1}"] = slots["issued"] * bins.get(low, 0) / turns
    shares["full"] = slots["issued"] * bins.get(WARP, 0) / turns
    return {f"cycles.{name}": 100 * share / total for name, share in shares.items()}


def derived(statistics):
    """All of them, of the statistics of a run."""
    values = of_cycles(statistics) if LANES in statistics else {}
    for name, entry in statistics.items():
        width = BIN if name == LANES else SIZES if name.endswith(".thread_pool.sizes") else None
        if width is not None:
            values.update({f"{name}.below.{n}": share for n, share in below(entry, width).items()})
    return values
