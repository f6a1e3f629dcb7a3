#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Every statistic of a small run, derived a second time: exact_statistics.py HEDDLE KERNEL.elf

One warp (kernels/one_warp_kernel.cpp) runs on the configuration tiny. Each statistic that the run
prints is derived from its records (--retire, --timeline, --vcd, --launches) and from the
configuration by the rules of docs/, and must have exactly that value. A statistic without a
derivation fails. With one warp nothing waits for anything else, so that what counts such waits is
0; exact_contention.py has these.
"""
import sys

from exact_run import run_one_warp
from exact_rules import derive


def main():
    run = run_one_warp(sys.argv[1], sys.argv[2])
    derived = derive(run)
    wrong = []
    for name, entry in run.statistics.items():
        if name not in derived:
            wrong.append(f"{name}: no derivation")
        elif not same(entry, derived[name]):
            wrong.append(f"{name} is {shown(entry)}, derived: {derived[name]}")
    wrong += [f"{name}: derived, but not printed" for name in derived if name not in run.statistics]
    print("\n".join(wrong) or f"{len(run.statistics)} statistics are exact")
    sys.exit(1 if wrong else 0)


def same(entry, derived):
    """A list stands for the samples of a distribution."""
    if not isinstance(derived, list):
        return "histogram" not in entry and entry["value"] == derived
    histogram = entry.get("histogram")
    if histogram is None:
        return False
    if not derived:
        return histogram["samples"] == 0
    bins = [0] * len(histogram["bins"])
    for sample in derived:
        place = max(n for n, (low, _) in enumerate(histogram["bins"]) if low <= sample)
        bins[place] += 1
    return (entry["value"] == sum(derived) / len(derived)
            and histogram["samples"] == len(derived)
            and histogram["minimum"] == min(derived) and histogram["maximum"] == max(derived)
            and [count for _, count in histogram["bins"]] == bins)


def shown(entry):
    return entry.get("histogram", entry["value"])


if __name__ == "__main__":
    main()
