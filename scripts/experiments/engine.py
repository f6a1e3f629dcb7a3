# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Carries out the runs that the store lacks: Snakemake does, in batches (Snakefile, run_batch.py).

What has finished is in the store at once: after Ctrl-C or kill -9 the same command goes on from
there. A run that fails keeps its log, and the others go on.
"""
import collections
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time

from experiments import batches, expressions
from experiments.keys import RunError, digest
from experiments.programs import PROGRAMS
from experiments.run_batch import SAID
from experiments.store import StoreError, Working

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SNAKEFILE = pathlib.Path(__file__).resolve().parent / "Snakefile"
PROFILES = SNAKEFILE.parent / "profiles"
INTERVAL = 10  # seconds between lines of progress
INTERVAL_OF_TERMINAL = 1
CLUSTER_JOBS = 64  # jobs of a cluster that wait or run at a time
CANCEL_SECONDS = 60  # for a cluster to take its jobs back after Ctrl-C


class MissingPackage(Exception):
    """The text says how to install it."""


def expect_snakemake():
    if shutil.which("snakemake") is None:
        raise MissingPackage("snakemake is missing: apt-get install snakemake")


def add_arguments(parser):
    """Options of all commands that carry out runs."""
    parser.add_argument("--jobs", type=int, metavar="N",
                        help=f"runs at a time: all processors if not given, with a profile "
                             f"{CLUSTER_JOBS}")
    parser.add_argument("--threads", type=int, default=1, metavar="N",
                        help="of each timed run, with the same results (docs/parallel.md); 1 if "
                             "not given, as more runs at a time gain more")
    parser.add_argument("--profile", metavar="NAME|FOLDER",
                        help="where the runs are carried out: slurm, or a profile of Snakemake")
    parser.add_argument("--binary", default=ROOT / "build/release/heddle", metavar="FILE")
    parser.add_argument("--store", default=ROOT / "build/papers", metavar="FOLDER",
                        help="where results are kept (build/papers)")


def check_arguments(parser, chosen):
    """Completes what add_arguments() has read."""
    if chosen.profile is not None:
        beside = PROFILES / chosen.profile
        chosen.profile = (beside if beside.is_dir() else pathlib.Path(chosen.profile)).resolve()
        if not (chosen.profile / "config.yaml").is_file():
            parser.error(f"--profile {chosen.profile}: no such folder with a config.yaml")
    cores = os.cpu_count()
    if chosen.threads < 1:
        parser.error("--threads: expected at least 1")
    if chosen.jobs is None:
        chosen.jobs = CLUSTER_JOBS if chosen.profile else max(1, cores // chosen.threads)
    if chosen.jobs < 1:
        parser.error("--jobs: expected at least 1")
    if not chosen.profile and chosen.threads > 1 and chosen.jobs * chosen.threads > cores:
        parser.error(f"--jobs {chosen.jobs} with --threads {chosen.threads}: that takes "
                     f"{chosen.jobs * chosen.threads} processors, and there are {cores}")
    if not os.access(chosen.binary, os.X_OK):
        parser.error(f"{chosen.binary}: no such program (scripts/setup builds it)")


class Progress:
    """How many runs have ended, and how long the others may take."""

    def __init__(self, seconds, jobs, stream=None):
        """`seconds` is {key: expected processor time}."""
        self._seconds, self._jobs = seconds, jobs
        self._stream = stream or sys.stderr
        self._interval = INTERVAL_OF_TERMINAL if self._stream.isatty() else INTERVAL
        self._begin = self._shown = time.monotonic()
        self._total = sum(seconds.values())

    def show(self, ended):
        """`ended()` gives the keys of runs that have ended, perhaps among others. A store has
        thousands, so it is asked only before a line."""
        now = time.monotonic()
        if now - self._shown < self._interval:
            return
        self._shown = now
        text = self.text(ended(), now - self._begin)
        if self._stream.isatty():
            print(f"\r{text:<60}", end="", file=self._stream, flush=True)
        else:
            print(text, file=self._stream, flush=True)

    def text(self, ended, elapsed):
        """The estimate begins with measured costs of earlier runs, and follows this one's speed."""
        gone = self._seconds.keys() & ended
        done = sum(self._seconds[key] for key in gone)
        left = self._total - done
        speed = done / elapsed if done and elapsed > 0 else self._jobs
        return (f"{len(gone)} of {len(self._seconds)} runs, {batches.duration(elapsed)}, "
                f"about {batches.duration(left / speed)} left")

    def close(self):
        if self._stream.isatty():
            print("\r" + " " * 60 + "\r", end="", file=self._stream, flush=True)


class Engine:
    """Results of runs with one binary, from the store or carried out."""

    def __init__(self, binary, store, jobs, profile=None, threads=1):
        self._binary, self._store, self._jobs, self._profile = binary, store, jobs, profile
        self._threads = threads
        self._results = {}  # Run -> {statistic: value}
        self.failed = {}  # Run -> log file
        self._working = Working(store)
        self._count = 0  # plans so far

    def close(self):
        self._working.close()

    def missing(self, runs):
        """(points of all differing runs that the store lacks, {key: runs} of them, number of
        differing runs). Results that it has are taken in; a run that can't start has failed."""
        points, waiting, keys = [], collections.defaultdict(list), set()
        for run, key in self._binary.keys(runs).items():
            if isinstance(key, RunError):
                name = "refused_" + digest(repr(run), 24)
                self.failed[run] = self._store.keep_log(name, str(key), self._working.path)
                continue
            keys.add(key.result)
            values = self._store.statistics(key.result)
            if values is not None:
                self._results[run] = values
                continue
            if key.result not in waiting:
                points.append(batches.Point(key, run, self._store.cost(key.work, key.machine)))
            waiting[key.result].append(run)
        return points, waiting, len(keys)

    def announcement(self, count, points):
        """What is to be done, and how long it may take."""
        timed, unmeasured = batches.expected(points)
        seconds = sum(one for one, _ in timed)
        text = f"{count} runs, {count - len(points)} of them stored"
        if not points:
            return text
        text += (f"; the others take about {batches.duration(seconds)} of processor time, "
                 f"{batches.duration(seconds / self._jobs)} with {self._jobs} at a time")
        if unmeasured == len(points):
            text += "; none of them was ever measured, 1 s each is a guess"
        elif unmeasured:
            text += f"; {unmeasured} of them were never measured"
        return text

    def carry_out(self, runs):
        """Makes the results of all runs available, except of those that fail. Each differing run
        is carried out once."""
        points, waiting, count = self.missing(runs)
        if not points:
            return
        expect_snakemake()
        print(self.announcement(count, points), file=sys.stderr, flush=True)
        for key in waiting:
            self._store.log(key).unlink(missing_ok=True)
        said = self._snakemake(points)
        for key, same in waiting.items():
            values = self._store.statistics(key)
            for run in same:
                if values is not None:
                    self._results[run] = values
                    continue
                if not self._store.log(key).exists():
                    self._store.keep_log(key, f"{run.name}: the job that it was part of ended "
                                         f"before it\n{said}", self._working.path)
                self.failed[run] = self._store.log(key)

    def _snakemake(self, points):
        """Carries out these points; returns what Snakemake said last."""
        self._count += 1
        folder = self._working.path / str(self._count)
        folder.mkdir()
        shortest = batches.SHORTEST_OF_CLUSTER if self._profile else 0
        self._write_plan(folder, batches.planned(points, self._jobs, shortest))
        words = ["snakemake", "--snakefile", str(SNAKEFILE), "--directory", str(folder),
                 "--scheduler", "greedy", "--keep-going", "--nolock", "--nocolor",
                 "--rerun-triggers", "mtime", "--quiet", "all"]
        if self._profile is None:
            words += ["--cores", str(self._jobs)]
        else:
            words += ["--profile", str(self._profile), "--jobs", str(self._jobs)]
        seconds = {point.key.result: one for one, point in batches.expected(points)[0]}
        said = Snakemake(words, folder).watch(Progress(seconds, self._jobs), self._store,
                                              gently=self._profile is not None)
        for log in folder.glob("slurm-*.out"):
            expect_no_problem(log.read_text("utf-8", "replace").splitlines())
        return said

    def _write_plan(self, folder, planned):
        plan = {"python": sys.executable, "scripts": str(SNAKEFILE.parent.parent), "batches": {}}
        for i, batch in enumerate(planned):
            name = f"{i:04}"
            plan["batches"][name] = self._needs(batch)
            content = {"store": str(self._store.folder), "working": str(self._working.path),
                       "states": self._binary.states(), "folder": os.getcwd(),
                       "points": [self._point(point) for point in batch.points]}
            (folder / f"{name}.json").write_text(json.dumps(content), "utf-8")
        (folder / "plan.json").write_text(json.dumps(plan), "utf-8")

    @staticmethod
    def _needs(batch):
        """What a cluster is asked for. Measured costs get room for a slower machine."""
        if not batch.measured:
            return {"mem_mb": 4000, "minutes": 60}
        return {"mem_mb": int(batch.memory * 1.5) + 200, "minutes": int(batch.seconds / 60 * 3) + 2}

    def _point(self, point):
        run, key = point.run, point.key
        words = PROGRAMS[run.kind].words(self._binary.program(run), run)
        if self._threads > 1 and run.kind == "workload" and run.mode != "functional":
            words += ["--threads", str(self._threads)]
        return {"key": key.result, "work": key.work, "machine": key.machine, "kind": run.kind,
                "name": run.name, "words": words}

    def statistics(self, run):
        """{statistic: value} of a run that was carried out; None if it has failed."""
        return self._results.get(run)

    def value(self, run, statistic):
        """A statistic of a run: a number, None where it is not defined, or Failed."""
        if run in self.failed:
            return expressions.Failed(run.name)
        values = self._results[run]
        if statistic not in values:
            raise expressions.ExpressionError(f"{run.name} has no statistic '{statistic}'")
        return values[statistic]


def expect_no_problem(lines):
    """Raises StoreError for what a batch said against going on."""
    for line in lines:
        if line.startswith(SAID):
            raise StoreError(line.removeprefix(SAID).strip())


class Snakemake:
    """The process, in a group of its own with all that it starts. It ends with this process, also
    when that is killed."""

    def __init__(self, words, folder):
        environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"),
                       "PYTHONDONTWRITEBYTECODE": "1"}
        # SIGINT takes its jobs back; in a command of the background it would be ignored.
        itself = ["env", "--default-signal=INT", "setpriv", "--pdeathsig", "KILL", *words]
        self._child = subprocess.Popen(itself,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, text=True, errors="replace",
                                       start_new_session=True, env=environment)
        self._last = collections.deque(maxlen=40)
        self._problem = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._child.stderr:
            self._last.append(line)
            if line.startswith(SAID):
                self._problem.set()

    def watch(self, progress, store, gently):
        """Waits for the end; returns what it said last. `gently`: its jobs run elsewhere, and it
        must have time to take them back."""
        try:
            while not self._problem.is_set():
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._child.wait(0.2)
                    break
                progress.show(store.ended)
        finally:
            progress.close()
            self._end(gently)
        self._reader.join()
        expect_no_problem(self._last)
        return "".join(self._last)

    def _end(self, gently):
        if gently and self._child.poll() is None:
            self._child.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(CANCEL_SECONDS)
        if self._child.poll() is None:
            os.killpg(self._child.pid, signal.SIGKILL)
            self._child.wait()
