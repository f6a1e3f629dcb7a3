# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Keys of runs: the hash of everything that decides a result.

The hash covers the program, the kernels of the workload, the effective configuration, options,
input (its bytes if it is a file), mode and seed.
"""
import dataclasses
import hashlib
import json
import os
import pathlib
import subprocess

from experiments.programs import PROGRAMS, text_of


class RunError(Exception):
    """A run that can't start; the text says why."""


def digest(value, length=32):
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:length]


def state_of(file):
    """What changes when a file is written; the same on each host that has the file."""
    state = pathlib.Path(file).stat()
    return [state.st_mtime_ns, state.st_size, state.st_ino]


@dataclasses.dataclass(frozen=True)
class Key:
    """`result` names the result of a run. `work` and `machine` name its cost, whatever the
    binary."""
    result: str
    work: str
    machine: str
    configuration: dict | None = dataclasses.field(compare=False)  # the effective one


class Binary:
    """A heddle command with what is beside it: kernels and testbenches."""

    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()
        self._hashes = {}  # file -> (state, hash)
        self._keys = {}  # Run -> Key or RunError
        self.hash = self._hash_of(self.path)

    def _hash_of(self, file):
        """Hash of a file; empty without it."""
        if not file.exists():
            return ""
        if file not in self._hashes:
            state = state_of(file)
            self._hashes[file] = (state, hashlib.sha256(file.read_bytes()).hexdigest())
        return self._hashes[file][1]

    def states(self):
        """{file: state} of all files that have become part of a key."""
        return {str(file): state for file, (state, _) in self._hashes.items()}

    def program(self, run):
        """The file that a run starts."""
        return PROGRAMS[run.kind].file(self.path, run)

    def _validated(self, runs):
        """The effective configuration {parameter: value} of each run that has a machine, or the
        RunError of what `heddle validate` says against it. One process looks at all."""
        lines = [json.dumps(validation(run)) for run in runs]
        words = [str(self.path), "validate", "-"]
        done = subprocess.run(words, input="".join(f"{line}\n" for line in lines),
                              capture_output=True, text=True, check=False)
        answers = done.stdout.splitlines()
        if done.returncode != 0 or len(answers) != len(runs):
            raise RunError(f"{' '.join(words)}: exit code {done.returncode}\n"
                           f"{done.stdout[:1000]}{done.stderr}")
        for run, answer in zip(runs, map(json.loads, answers)):
            yield run, answer.get("configuration") or RunError(answer["error"])

    def keys(self, runs):
        """{run: its Key, or the RunError that says why it can't have one}."""
        new = [run for run in dict.fromkeys(runs) if run not in self._keys]
        with_machine = [run for run in new if PROGRAMS[run.kind].has_machine]
        configurations = dict(self._validated(with_machine)) if with_machine else {}
        for run in new:
            self._keys[run] = self._key(run, configurations.get(run))
        return {run: self._keys[run] for run in runs}

    def _key(self, run, configuration):
        if isinstance(configuration, RunError):
            return configuration
        file = self.program(run)
        if not os.access(file, os.X_OK):
            return RunError(f"{file}: no such program (scripts/setup release all builds it)")
        work = {"kind": run.kind, "program": run.program, "options": sorted(map(repr, run.options)),
                "input": run.input, "mode": run.mode}
        if run.input is not None:
            work["input_bytes"] = self._hash_of(pathlib.Path(run.input))
        machine = {"seed": run.seed, "configuration": configuration}
        kernel = self.path.parent / "kernels" / f"{run.program}.elf"
        program = {"binary": self._hash_of(file), "kernel": self._hash_of(kernel)}
        return Key(digest([work, machine, program]), digest(work, 16), digest(machine, 16),
                   configuration)


def validation(run):
    """What `heddle validate` is asked about a run."""
    asked = {"set": [f"{key}={text_of(value)}" for key, value in run.parameters]}
    if run.configuration is not None:
        asked["config"] = run.configuration
    if run.kind == "workload":
        asked["what"] = run.program
        asked["option"] = [f"{key}={text_of(value)}" for key, value in run.options]
        if run.input is not None:
            asked["input"] = run.input
        if run.mode not in ("timed", "functional"):
            asked["mode"] = run.mode
    return asked
