# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Runs whose outputs must be those of one thread, however many threads share them."""
import itertools
import json
import pathlib
import random
import re
import signal
import subprocess
import time

from comparing.mechanisms import COOPERATION, FORMATIONS, SCHEDULERS, TABLE, TASK, TRANSACTIONS, fitting, \
    words_of
from comparing.outputs import Deliberate, difference
from comparing.sizes import sizes_of

THREADS = (2, 3, 5, 13)
CONFIGURATIONS = ("g80", "gf100", "gk110", "iris6100", "si", "tiny")
SECONDS = 900  # of one command
# Cycles that are compared with the fewest threads, and with others: threads that wait at random take
# some hundred times as long as one thread, and the more of them, the longer.
MOST_CYCLES = 30_000
FIRST_CYCLES = 10_000
FILES = {"--series": "series.csv", "--blocks": "blocks.csv", "--launches": "launches.csv",
         "--lines": "lines.csv"}
STATISTICS = {"--stats": "stats.json"}
NOTHING_DELIBERATE = {kind: Deliberate({}) for kind in ("statistics", "parameters", "signals", "texts")}
REFUSED = 2  # exit code: this machine can't have the mechanism, or can't run the program
INTERRUPTED = 130

# One of them at a time, on each configuration; formations and schedulers come to it.
OTHER_CHOICES = (
    ["l1d.cache_global=true"], ["l1d.cache_global=true", "l1d.write_policy=back"],
    ["crossbar.allocator=pim"], ["crossbar.allocator=input_first"], ["crossbar.allocator=wavefront"],
    ["crossbar.output_check=after_allocation"], ["l2.hash=true"], ["dram.model=fixed"],
    ["dram.scheduler=fifo"], ["clock.l2=500000"], ["clock.interconnect=911000"],
    # What late edges of controllers live on (hw/base/late_edges.h): little room, other clocks, the
    # shortest way back.
    ["dram.queue=8", "dram.write_high_watermark=6", "dram.write_low_watermark=2",
     "dram.front_latency=0"],
    ["clock.dram=4000000"], ["clock.dram=353000"], ["dram.back_latency=2"],
    ["smx.dual_issue=true"], ["smx.barrel=true"], ["smx.scheduler_pipeline=true"],
    ["smx_scheduler.blocks_per_cycle=4"])
TRANSACTIONAL = ("audit", "gc", "ht", "it", "km", "ledgers", "uts")
# Blocks of a launch talk by plain loads and stores: on the functional simulator time decides
# (docs/parallel.md).
RACES = ("bfs", "bfs_pockets", "sssp")


class Failed(Exception):
    """A command that could not be compared."""


class Outputs:
    """What a command has left: exit code, texts and files."""

    def __init__(self, words, folder, files):
        self.folder, self.files = folder, files
        folder.mkdir()
        done = subprocess.run(words, capture_output=True, text=True, cwd=folder, timeout=SECONDS)
        self.code = done.returncode
        self.printed, self.errors = (
            [" ".join(line.split()) for line in text.splitlines()  # the host's time widens columns
             if not re.match(r"(host time|speed|--threads:) ", line)]
            for text in (done.stdout, done.stderr))

    def difference(self, other):
        """Why the other outputs are not the same; empty if they are."""
        if self.code != other.code:
            return f"exit code {self.code} -> {other.code}: {' '.join(other.errors)[-300:]}"
        for what in ("errors", "printed"):
            for mine, others in itertools.zip_longest(getattr(self, what), getattr(other, what)):
                if mine != others:
                    return f"{what}: {mine} -> {others}"
        for name in self.files:
            here, there = self.folder / name, other.folder / name
            if here.exists() != there.exists():
                return f"{name} is there only once"
            if here.exists() and (found := difference(name, here, there, NOTHING_DELIBERATE)):
                return f"{name}: {found}"
        return ""


class Run:
    """A command, and the words behind its options."""

    def __init__(self, title, words, behind=(), records=True, sleepless=True):
        self.title, self.words, self.behind = title, list(words), list(behind)
        self.files = STATISTICS | FILES if records else STATISTICS
        self.sleepless = sleepless

    def command(self, heddle, *more):
        files = [word for option in self.files.items() for word in option]
        return [str(heddle), *self.words, "--no-progress", *files, *more, *self.behind]

    def ways(self, threads, number, both):
        """Numbers of threads, and options that must not change anything. Every second run without sleep,
        unless `both`."""
        for at, each in enumerate(threads, number):
            for awake in (True, False) if both and self.sleepless else (at % 2 == 0,):
                yield each, ["--threads", str(each), *(["--no-sleep"] if awake and self.sleepless else [])]

    def differences(self, heddle, threads, seed, folder, both=False, whole=False):
        """Of each way that differs from one thread: its options, and what differs. None: not run, as the
        machine refuses it."""
        alone = Outputs(self.command(heddle), folder / "alone", self.files.values())
        if alone.code == REFUSED:
            return None
        statistics = folder / "alone/stats.json"
        cycles = counts_in(statistics).get("gpu.cycles", 0) if statistics.exists() and not whole else 0
        with_one = {(): alone}  # by the limit
        found = []
        for number, (each, way) in enumerate(self.ways(threads, seed, both), 1):
            limit = limit_of(cycles, each == min(threads))
            if limit not in with_one:
                with_one[limit] = Outputs(self.command(heddle, *limit), folder / f"limited_{number}",
                                          self.files.values())
            way += ["--thread-delays", str(seed + number), *limit]
            several = Outputs(self.command(heddle, *way), folder / str(number), self.files.values())
            if differs := with_one[limit].difference(several):
                found.append(f"{' '.join(way)}: {differs}")
        return found


class InterruptedRun(Run):
    """Ctrl-C at a moment of chance. One thread can't be interrupted in the same cycle: each count must be between
    those of two runs that a limit ends there, one cycle apart."""

    def differences(self, heddle, threads, seed, folder, both=False, whole=False):
        found = []
        for each in threads:
            place = folder / str(each)
            place.mkdir()
            words = self.command(heddle, "--threads", str(each), "--thread-delays", str(seed))
            with subprocess.Popen(words, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True) as run:
                wait_for_handler(run)
                time.sleep((seed + each) % 7 / 10)
                run.send_signal(signal.SIGINT)
                text, _ = run.communicate(timeout=SECONDS)
            if run.returncode != INTERRUPTED:
                found.append(f"--threads {each}: exit code {run.returncode}: {text[-300:]}")
            elif differs := self.outside(heddle, place):
                found.append(f"--threads {each}: {differs}")
        return found

    def outside(self, heddle, place):
        mine = counts_in(place / "stats.json")
        ends = []
        for cycles in (mine["gpu.cycles"], mine["gpu.cycles"] + 1):
            if cycles == 0:
                return ""  # before the first
            limited = Outputs(self.command(heddle, "--max-cycles", str(cycles)), place / str(cycles),
                              self.files.values())
            ends.append(counts_in(limited.folder / "stats.json"))
        for name, value in mine.items():
            first, last = sorted(end.get(name, 0) for end in ends)
            if not first <= value <= last:
                return f"{name}: {first} to {last} -> {value}"
        return ""


def wait_for_handler(run):
    """Until the process catches SIGINT, or has ended."""
    status = pathlib.Path(f"/proc/{run.pid}/status")
    while run.poll() is None:
        caught = re.search(r"SigCgt:\s*(\w+)", status.read_text())
        if caught and int(caught[1], 16) >> (signal.SIGINT - 1) & 1:
            return
        time.sleep(0.005)


def limit_of(cycles, fewest_threads):
    """Option that ends a long run early."""
    most = MOST_CYCLES if fewest_threads else FIRST_CYCLES
    return ("--max-cycles", str(most)) if cycles > most else ()


def counts_in(path):
    entries = json.loads(path.read_text())["statistics"]
    return {name: entry["value"] for name, entry in entries.items()
            if isinstance(entry["value"], int) and not name.startswith("host.")}


# ---- which runs there are


def settings_of(choice):
    return [word for setting in choice for word in ("--set", setting)]


def choices_of(workload):
    """Mechanisms that matter to the workload: a name, settings, more words."""
    yield "as it is", [], []
    for name, choice in FORMATIONS.items():
        if choice:
            yield name, choice, []
    for name in SCHEDULERS:
        yield name, [f"smx.scheduler={name}"], []
    for choice in OTHER_CHOICES:
        yield choice[-1], choice, []
    if workload["has_modes"]:
        for mode in TABLE["mode"][1:]:
            yield mode, [], ["--mode", mode]
    options = {option["key"] for option in workload["options"]}
    if workload["name"] in TRANSACTIONAL:
        version = ["--option", "version=tx"] if "version" in options else []
        for name in TRANSACTIONS:
            detection, serialization = name.split()
            yield name, ["tm.enabled=true", f"tm.detection={detection}",
                         f"tm.serialization={serialization}"], version
    if "kernel" in options:
        task = [word for option in TASK.split() for word in ("--option", option)]
        for name, choice in COOPERATION.items():
            kernel = ["--option", "kernel=original"] if name == "off" else []
            more = [] if name == "off" else ["coop.enabled=true"]
            yield f"cooperation {name}", more + choice, task + kernel


def matrix(workloads):
    for workload in workloads:
        name = workload["name"]
        for configuration in CONFIGURATIONS:
            for what, choice, more in choices_of(workload):
                yield Run(f"{name} on {configuration}, {what}",
                          ["run", name, "--config", configuration, *sizes_of(name),
                           *settings_of(choice), *more])
            if name not in RACES:
                yield Run(f"{name} on {configuration}, functional",
                          ["run", name, "--config", configuration, *sizes_of(name), "--functional"],
                          records=False, sleepless=False)


def pairs(cells=300):
    """Cells of the table of pairs (docs/combinations.md), as scripts/cells draws them."""
    drawn = random.Random(1)
    for number in range(cells):
        cell = {name: drawn.choice(values) for name, values in TABLE.items()}
        for program in fitting(drawn):
            what, words = words_of(drawn, cell, program)
            yield Run(f"cell {number}: {', '.join(what.values())}", words)


def kernel_of(heddle, root, source, folder):
    file = folder / (pathlib.Path(source).stem + ".elf")
    done = subprocess.run([str(heddle), "compile", str(root / source), "-o", str(file)],
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"{source} does not compile: {done.stderr.strip()}")
    return str(file)


def ends(heddle, root, folder):
    """Runs that end early."""
    faults = kernel_of(heddle, root, "tests/iss/kernels/fault_kernel.cpp", folder)
    spin = kernel_of(heddle, root, "docs/examples/spin.cpp", folder)
    past = ["--kernel", "read_past_the_end", "--grid", "40", "--block", "64", "--arg", "in:u32[1000]",
            "--arg", "out:u32[2560]"]
    for configuration in CONFIGURATIONS:
        on = ["--config", configuration]
        yield Run(f"end: fault on {configuration}", ["run", faults, *past, *on])
        yield Run(f"end: no progress on {configuration}",
                  ["run", spin, "--kernel", "spin_lock", "--arg", "lock:u32[1]", "--grid", "3", *on,
                   "--set", "gpu.watchdog=5000"])
        for cycles in (1, 700, 1501):
            yield Run(f"end: limit of {cycles} on {configuration}",
                      ["run", "stencil", *sizes_of("stencil"), *on, "--max-cycles", str(cycles)])
        yield InterruptedRun(f"end: interrupted on {configuration}",
                             ["run", "matrix", "--option", "rows=512", "--option", "columns=512", *on],
                             records=False)
    yield Run("end: fault on the functional simulator", ["run", faults, *past, "--functional"],
              records=False, sleepless=False)


def guests(build):
    """Several programs on the device: host programs of OpenCL and CUDA, if the build has them."""
    for command, programs in (("opencl", "tests/runtime/programs"), ("cuda", "tests/runtime/cuda/programs")):
        for file in sorted((build / programs).rglob("*")):
            if file.is_file() and file.stat().st_mode & 0o100 and not file.suffix:
                if "CMakeFiles" not in file.parts:
                    yield Run(f"{command} {file.name}", [command, "--config", "tiny"],
                              ["--", str(file)], records=False)


def all_runs(heddle, root, build, folder):
    listed = subprocess.check_output([str(heddle), "list", "workloads", "--json"])
    return [*matrix(json.loads(listed)), *pairs(), *ends(heddle, root, folder), *guests(build)]
