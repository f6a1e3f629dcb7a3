# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Carries out runs beside each other and keeps what they cost the program: nothing runs twice."""
import concurrent.futures
import dataclasses
import json
import pathlib
import sys
import tempfile
import time

from experiments.run_batch import carry_out
from experiments.store import Working

PARTIAL = 4  # exit code of a run that --max-cycles ended
STACK = "gpu.issue_slots."
KEPT = ("gpu.cycles", "gpu.thread_instructions")


@dataclasses.dataclass(frozen=True)
class Result:
    """Of a run that ended. `stack` is {reason: (issue slots, meaning)} of the CPI stack."""
    cycles: int
    instructions: int
    stack: dict

    def cost(self, in_window):
        """What a change should make smaller: cycles, in a window those of a thread instruction."""
        return self.cycles / max(self.instructions, 1) if in_window else self.cycles


@dataclasses.dataclass(frozen=True)
class Failure:
    """Of a run that did not; `text` is what it said on standard error."""
    text: str
    log: pathlib.Path

    @property
    def said(self):
        """The first line."""
        return self.text.partition("\n")[0]


class Progress:
    """A line on standard error: rewritten on a terminal, else one for each lot of runs."""

    def __init__(self, stream=None):
        self._stream = stream or sys.stderr

    def start(self, count, what):
        if not self._stream.isatty() and count > 1:
            print(f"{what}: {count} runs", file=self._stream, flush=True)

    def show(self, done, count, what):
        if self._stream.isatty():
            text = f"{what}: {done} of {count} runs"
            print(f"\r{text:<60}", end="" if done < count else "\r" + " " * 60 + "\r",
                  file=self._stream, flush=True)


class Measurements:
    """Results of a program with changes, from the store or carried out."""

    def __init__(self, program, store, jobs, progress):
        self._program, self._store, self._jobs = program, store, jobs
        self._progress = progress
        self._working = Working(store)
        self._results = {}
        self.carried_out = 0
        self.seconds = 0.0

    def close(self):
        self._working.close()

    def base(self):
        """The run without a change."""
        self.measure([None], "the program")
        return self._results[()]

    def configuration(self):
        """The effective one of the base run: {key: value}."""
        return self._store.record(self._program.key())["configuration"]

    def of(self, change):
        """The Result or Failure of a change that was measured."""
        return self._results[change.words if change else ()]

    def measure(self, changes, what):
        """Makes the results of these changes known."""
        waiting = {}
        for change in changes:
            words = change.words if change else ()
            if words in self._results or words in waiting:
                continue
            record = self._store.record(self._program.key(change))
            if record is None:
                waiting[words] = change
            else:
                self._results[words] = result_of(record)
        if waiting:
            self._carry_out(waiting, what)

    def _carry_out(self, waiting, what):
        begin = time.monotonic()
        self._progress.start(len(waiting), what)
        with concurrent.futures.ThreadPoolExecutor(self._jobs) as pool:
            runs = {pool.submit(self._run, change): words for words, change in waiting.items()}
            try:
                for run in concurrent.futures.as_completed(runs):
                    self._results[runs[run]] = run.result()
                    self.carried_out += 1
                    self._progress.show(sum(one.done() for one in runs), len(runs), what)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        self.seconds += time.monotonic() - begin

    def _run(self, change):
        key, words = self._program.key(change), self._program.run_words(change)
        working = self._working.path
        with tempfile.TemporaryDirectory(dir=working) as place, \
                tempfile.TemporaryFile("w+", dir=working) as errors:
            statistics = pathlib.Path(place, "stats.json")
            code, output, _ = carry_out([*words, "--stats", str(statistics)], None, errors)
            errors.seek(0)
            said = errors.read()
            if code == 0 or (code == PARTIAL and self._program.in_window):
                record = record_of(words, json.loads(statistics.read_text("utf-8")))
                self._store.keep(key, record, working)
                return result_of(record)
        log = self._store.keep_log(key, f"{' '.join(words)}\nexit code {code}\n{output}{said}",
                                   working)
        return Failure(said.strip().removeprefix("heddle: ") or f"exit code {code}", log)


def record_of(words, document):
    """What the store keeps of a run's statistics."""
    all_statistics = document["statistics"]
    return {"command": " ".join(words), "configuration": document["run"]["configuration"],
            "statistics": {name: all_statistics[name]["value"] for name in KEPT},
            "stack": {name.removeprefix(STACK): [one["value"], one["description"]]
                      for name, one in all_statistics.items() if name.startswith(STACK)}}


def result_of(record):
    return Result(*(record["statistics"][name] for name in KEPT), record["stack"])
