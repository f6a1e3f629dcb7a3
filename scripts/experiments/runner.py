# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Carries out the runs that the store lacks, several at a time.

What has finished is stored at once: after Ctrl-C or kill -9 the same command goes on from there. A
run that fails keeps its log, and the others go on.
"""
import concurrent.futures
import contextlib
import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

from experiments import expressions
from experiments.programs import PROGRAMS
from experiments.store import RunError

PROGRESS_INTERVAL = 10  # seconds between lines where standard error is no terminal


class Progress:
    """How many runs have ended, and how long the others may take."""

    def __init__(self, total, jobs, stream=sys.stderr):
        self._total, self._jobs, self._stream = total, jobs, stream
        self._begin = self._shown = time.monotonic()
        self._ended = 0
        self._seconds = 0.0

    def ended(self, seconds):
        self._ended += 1
        self._seconds += seconds
        now = time.monotonic()
        if self._stream.isatty():
            print(f"\r{self._text(now):<60}", end="", file=self._stream, flush=True)
        elif now - self._shown >= PROGRESS_INTERVAL:
            self._shown = now
            print(self._text(now), file=self._stream, flush=True)

    def _text(self, now):
        left = (self._total - self._ended) * self._seconds / self._ended / self._jobs
        return (f"{self._ended} of {self._total} runs, {now - self._begin:.0f} s, "
                f"about {left:.0f} s left")

    def close(self):
        if self._stream.isatty():
            print("\r" + " " * 60 + "\r", end="", file=self._stream, flush=True)


class Runner:
    """Results of runs with one binary, from the store or carried out."""

    def __init__(self, binary, store, jobs):
        self._binary, self._store, self._jobs = binary, store, jobs
        self._results = {}  # Run -> {statistic: value}
        self.failed = {}  # Run -> log file
        self._children = set()
        self._lock = threading.Lock()
        self._ending = False

    def _key(self, run):
        """A run's key; None if it can't have one, which is a failure of the run."""
        try:
            return self._binary.key(run)
        except RunError as error:
            name = "refused_" + hashlib.sha256(repr(run).encode()).hexdigest()[:24]
            self.failed[run] = self._store.keep_log(name, str(error))
            return None

    def carry_out(self, runs):
        """Makes the results of all runs available, except of those that fail. Each differing run
        is carried out once."""
        missing = {}  # key -> runs
        for run in runs:
            key = self._key(run)
            if key is None:
                continue
            values = self._store.statistics(key)
            if values is None:
                missing.setdefault(key, []).append(run)
            else:
                self._results[run] = values
        if missing:
            self._carry_out_missing(missing)

    def _carry_out_missing(self, missing):
        progress = Progress(len(missing), self._jobs)
        pool = concurrent.futures.ThreadPoolExecutor(self._jobs)
        try:
            futures = {pool.submit(self._one, key, runs[0]): key for key, runs in missing.items()}
            for future in concurrent.futures.as_completed(futures):
                seconds, values, log = future.result()
                for run in missing[futures[future]]:
                    if values is None:
                        self.failed[run] = log
                    else:
                        self._results[run] = values
                progress.ended(seconds)
        finally:
            # Also on Ctrl-C: nothing new starts, and what runs is ended.
            pool.shutdown(wait=False, cancel_futures=True)
            with self._lock:
                self._ending = True
                for child in self._children:
                    with contextlib.suppress(ProcessLookupError):  # it has just ended
                        os.killpg(child.pid, signal.SIGTERM)
            pool.shutdown(wait=True)
            self._ending = False
            progress.close()

    def _start(self, words):
        """Starts a program that ends with this one, and that Ctrl-C does not reach."""
        with self._lock:
            if self._ending:
                raise RunError("ended")
            child = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *words],
                                     stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, text=True, start_new_session=True)
            self._children.add(child)
        return child

    def _one(self, key, run):
        """Carries out a run: (seconds, statistics or None, log or None)."""
        begin = time.monotonic()
        program = PROGRAMS[run.kind]
        words = program.words(self._binary.program(run), run)
        with tempfile.TemporaryDirectory(dir=self._store.working) as place:
            child = self._start([*words, *program.output_words(place)])
            output, errors = child.communicate()
            with self._lock:
                self._children.discard(child)
            values = None
            if child.returncode == 0:
                try:
                    values = program.values(output, place)
                except (OSError, ValueError, LookupError) as error:
                    errors += f"its result can't be read: {error}\n"
        seconds = time.monotonic() - begin
        if values is None:
            if self._ending:
                raise RunError("ended")
            text = f"{' '.join(words)}\nexit code {child.returncode}\n{output}{errors}"
            return seconds, None, self._store.keep_log(key, text)
        self._binary.expect_unchanged()
        self._store.keep(key, run, words, values)
        return seconds, values, None

    def value(self, run, statistic):
        """A statistic of a run: a number, None where it is not defined, or Failed."""
        if run in self.failed:
            return expressions.Failed(run.name)
        values = self._results[run]
        if statistic not in values:
            raise expressions.ExpressionError(f"{run.name} has no statistic '{statistic}'")
        return values[statistic]
