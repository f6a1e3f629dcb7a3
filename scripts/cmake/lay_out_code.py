#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Lays out the code of the linked heddle command by what short runs execute.

usage: lay_out_code.py LLVM-BOLT HEDDLE RUNS

A copy of HEDDLE that counts its branches carries out each line of RUNS (words for `heddle run`).
Then llvm-bolt puts the blocks that follow each other in those runs behind each other, and those
that rarely or never run apart. Functions that often call each other become neighbours. The program
does the same as before; HEDDLE is replaced at the end or not at all. A few counts depend on the
clock and on addresses, so that another build may be laid out slightly otherwise.
"""

import os
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TIMEOUT = 600  # seconds; the longest takes some two


def carry_out(words: list) -> None:
    command = [str(word) for word in words]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT)
        if done.returncode == 0:
            return
        why = "\n".join([*done.stdout.splitlines()[-5:], f"It ended with {done.returncode}."])
    except subprocess.TimeoutExpired:
        why = f"It has not ended after {TIMEOUT} s."
    raise SystemExit(f"lay_out_code.py: {shlex.join(command)}\n{why}\n"
                     "Without this step: cmake -DHEDDLE_LAYOUT=OFF")


def lines_of(runs: Path) -> list[list[str]]:
    lines = (line.split("#")[0] for line in runs.read_text().splitlines())
    return [words for line in lines if (words := line.split())]


def lay_out(bolt: Path, heddle: Path, runs: Path) -> None:
    # beside the command, where it looks for its kernels
    with tempfile.TemporaryDirectory(prefix="layout.", dir=heddle.parent) as folder:
        work = Path(folder)
        counting = heddle.with_name(heddle.name + ".counting")
        try:
            carry_out([bolt, heddle, "-instrument", "-o", counting,
                       f"--instrumentation-file={work}/run", "--instrumentation-file-append-pid",
                       f"--instrumentation-binpath={counting}",
                       "--runtime-instrumentation-lib=libbolt_rt_instr.a"])
            with ThreadPoolExecutor(os.cpu_count()) as at_once:
                list(at_once.map(lambda words: carry_out([counting, "run", *words, "--no-progress"]),
                                 lines_of(runs)))
        finally:
            counting.unlink(missing_ok=True)
        profile = work / "profile"
        carry_out([bolt.with_name("merge-fdata"), *work.glob("run.*"), "-o", profile])
        carry_out([bolt, heddle, "-o", work / "heddle", f"-data={profile}",
                   "-reorder-blocks=ext-tsp", "-reorder-functions=cdsort",
                   "-split-functions", "-split-strategy=cdsplit", "-split-all-cold", "-split-eh"])
        os.replace(work / "heddle", heddle)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    lay_out(*(Path(word).absolute() for word in sys.argv[1:]))
