# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Finished runs, a file each, named by the hash of everything that decides the result.

The hash covers the program, the kernels of the workload, the effective configuration, options,
input (its bytes if it is a file), mode and seed. A file is written under another name and renamed,
so that it is whole or not there.
"""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from experiments.programs import PROGRAMS, settings


class RunError(Exception):
    """A run that ended badly, or that can't start; the text is what it said."""


def write_whole(path, text, place=None):
    """Writes a file so that it has the whole text or does not change, also after a crash. The text
    is first written to a file in `place`, by default beside the other one."""
    with tempfile.NamedTemporaryFile("w", dir=place or path.parent, prefix=".unfinished_",
                                     delete=False, encoding="utf-8") as stream:
        try:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
            os.chmod(stream.name, 0o644)
            os.rename(stream.name, path)
        except BaseException:
            os.unlink(stream.name)
            raise


class Binary:
    """A heddle command with what is beside it: kernels and testbenches."""

    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()
        self._hashes = {}  # file -> (state, hash)
        self._configurations = {}
        self.hash = self._hash_of(self.path)

    @staticmethod
    def _state_of(file):
        state = file.stat()
        return state.st_mtime_ns, state.st_size, state.st_ino

    def _hash_of(self, file):
        """Hash of a file; empty without it."""
        if not file.exists():
            return ""
        if file not in self._hashes:
            state = self._state_of(file)
            self._hashes[file] = (state, hashlib.sha256(file.read_bytes()).hexdigest())
        return self._hashes[file][1]

    def expect_unchanged(self):
        """Raises RunError if a file has changed since it became part of a key."""
        for file, (state, _) in self._hashes.items():
            if not file.exists() or self._state_of(file) != state:
                raise RunError(f"{file} has changed since the runs began; start again")

    def configuration(self, name, parameters):
        """{parameter: value} of a configuration with changes."""
        if (name, parameters) not in self._configurations:
            words = [str(self.path), "describe", "config", name, "--json",
                     *settings("--set", parameters)]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise RunError(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
            self._configurations[name, parameters] = {
                key: entry["value"] for key, entry in json.loads(done.stdout).items()}
        return self._configurations[name, parameters]

    def program(self, run):
        """The file that a run starts."""
        return PROGRAMS[run.kind].file(self.path, run)

    def key(self, run):
        """Name under which the result of a run is stored."""
        file = self.program(run)
        if not os.access(file, os.X_OK):
            raise RunError(f"{file}: no such program (scripts/setup release all builds it)")
        parts = {"binary": self._hash_of(file),
                 "kernel": self._hash_of(self.path.parent / "kernels" / f"{run.program}.elf"),
                 "kind": run.kind, "program": run.program,
                 "options": sorted(map(repr, run.options)),
                 "input": run.input, "mode": run.mode, "seed": run.seed}
        if PROGRAMS[run.kind].has_machine:
            parts["configuration"] = self.configuration(run.configuration, run.parameters)
        if run.input is not None:
            parts["input_bytes"] = self._hash_of(pathlib.Path(run.input))
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


class Store:
    """A folder of finished runs. `working` is a folder in it for what this process has not
    finished; what a killed process left is removed."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        for left in self.folder.glob("running_*"):
            if not pathlib.Path("/proc", left.name.removeprefix("running_")).exists():
                shutil.rmtree(left, ignore_errors=True)
        self.working = self.folder / f"running_{os.getpid()}"
        self.working.mkdir(exist_ok=True)

    def close(self):
        shutil.rmtree(self.working, ignore_errors=True)

    def statistics(self, key):
        """{statistic: value} of a finished run; None if it has not finished."""
        try:
            return json.loads((self.folder / f"{key}.json").read_text("utf-8"))["statistics"]
        except FileNotFoundError:
            return None

    def keep(self, key, run, words, statistics):
        record = {"run": run.name, "command": " ".join(words), "statistics": statistics}
        write_whole(self.folder / f"{key}.json", json.dumps(record, indent=0),
                    self.working)
        (self.folder / f"{key}.log").unlink(missing_ok=True)

    def keep_log(self, key, text):
        """Writes what a failed run said; returns the file."""
        file = self.folder / f"{key}.log"
        write_whole(file, text, self.working)
        return file
