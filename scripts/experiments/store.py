# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Finished runs, a file each, named by the hash of everything that decides the result (keys.py).

A file is written under another name and renamed, so that it is whole or not there. That needs no
locks and holds on NFS, too. What a run cost is kept beside the results, for estimates.
"""
import contextlib
import dataclasses
import json
import os
import pathlib
import pwd
import shutil
import socket
import tempfile


class StoreError(Exception):
    """The store can't be used, or can't take a result."""


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


@dataclasses.dataclass(frozen=True)
class Cost:
    """What a run took: seconds of a processor, and MiB of memory."""
    seconds: float
    memory: float


class Store:
    """A folder of finished runs."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()

    def record(self, key):
        """What keep() stored of a finished run; None if it has not finished."""
        try:
            return json.loads((self.folder / f"{key}.json").read_text("utf-8"))
        except FileNotFoundError:
            return None

    def statistics(self, key):
        """{statistic: value} of a finished run; None if it has not finished."""
        record = self.record(key)
        return None if record is None else record["statistics"]

    def finished(self, key):
        return (self.folder / f"{key}.json").exists()

    def ended(self):
        """Keys of all runs that have finished or failed."""
        with os.scandir(self.folder) as entries:
            return {name.rpartition(".")[0] for name in (entry.name for entry in entries)
                    if name.endswith((".json", ".log"))}

    def log(self, key):
        """The file that has, or would have, what a failed run said."""
        return self.folder / f"{key}.log"

    def keep(self, key, record, working):
        """Stores what finished: a dict with the run's name, its command and its statistics."""
        write_whole(self.folder / f"{key}.json", json.dumps(record), working)
        self.log(key).unlink(missing_ok=True)

    def keep_log(self, key, text, working=None):
        """Writes what a failed run said; returns the file."""
        write_whole(self.log(key), text, working)
        return self.log(key)

    def _costs(self, work):
        return self.folder / "costs" / work

    def keep_cost(self, work, machine, cost, working):
        self._costs(work).mkdir(parents=True, exist_ok=True)
        write_whole(self._costs(work) / machine, json.dumps(dataclasses.asdict(cost)), working)

    def cost(self, work, machine):
        """What a run took, perhaps with another binary, or else the mean of the same work on other
        machines; None if it was never run."""
        with contextlib.suppress(OSError, ValueError, TypeError):
            return self._read_cost(self._costs(work) / machine)
        found = []
        for file in sorted(self._costs(work).glob("[!.]*")):
            with contextlib.suppress(OSError, ValueError, TypeError):
                found.append(self._read_cost(file))
        if not found:
            return None
        return Cost(sum(one.seconds for one in found) / len(found),
                    max(one.memory for one in found))

    @staticmethod
    def _read_cost(file):
        return Cost(**json.loads(file.read_text("utf-8")))


class Working:
    """A folder in the store for what this process has not finished. `path` is the folder; what
    killed processes of this host left is removed."""

    def __init__(self, store):
        self._folder = store.folder
        host = socket.gethostname()
        self.path = self._folder / f"running_{host}_{os.getpid()}"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._expect_own()
            for left in self._folder.glob(f"running_{host}_*"):
                if not pathlib.Path("/proc", left.name.rpartition("_")[2]).exists():
                    shutil.rmtree(left, ignore_errors=True)
            self.path.mkdir(exist_ok=True)
            write_whole(self.path / "can_be_written", "yes\n")
        except OSError as error:
            raise StoreError(f"{self._folder}: the store can't be written: "
                             f"{error.strerror}") from None

    def _expect_own(self):
        """Results of another user are not ours to trust or to replace."""
        owner = self._folder.stat().st_uid
        if owner != os.geteuid():
            try:
                name = pwd.getpwuid(owner).pw_name
            except KeyError:
                name = str(owner)
            raise StoreError(f"{self._folder}: the store belongs to user {name}; "
                             "choose another with --store")

    def close(self):
        shutil.rmtree(self.path, ignore_errors=True)
