# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Carries out the runs of a batch, one after the other: what a job of Snakemake does.

    python3 -m experiments.run_batch BATCH.json MARK

Skips what the store has. A result is stored as soon as it is there; a run that fails leaves a log,
and the others go on. MARK is written at the end. Exit code 3: the store takes no results, or the
program has changed; then the other batches would do no better.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from experiments.keys import state_of
from experiments.programs import PROGRAMS
from experiments.store import Cost, Store

SAID = "heddle batch: "  # begins what the engine tells the user
LEAST_ROOM = 4 << 20  # bytes that a run may need for its files


class Stop(Exception):
    """No further run makes sense."""


def expect_unchanged(states):
    """A result must be of the program that its key names."""
    for file, state in states.items():
        if not pathlib.Path(file).exists() or state_of(file) != state:
            raise Stop(f"{file} has changed since the runs began; start again")


def expect_room(folder):
    """A run that could not write its statistics has not failed by itself."""
    free = shutil.disk_usage(folder).free
    if free < LEAST_ROOM:
        raise Stop(f"{folder}: the disk is full ({free >> 10} KiB free)")


def carry_out(words, folder, errors):
    """Runs a program, which ends with this one: (exit code, output, Cost)."""
    with subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *words], cwd=folder,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
                          text=True) as child:
        output = child.stdout.read()
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, output, Cost(round(used.ru_utime + used.ru_stime, 3),
                                          round(used.ru_maxrss / 1024, 1))


def run_point(point, store, batch):
    """Carries out a run and stores its values or its log."""
    working = batch["working"]
    program = PROGRAMS[point["kind"]]
    with tempfile.TemporaryDirectory(dir=working) as place, \
            tempfile.TemporaryFile("w+", dir=working) as errors:
        code, output, cost = carry_out([*point["words"], *program.output_words(place)],
                                       batch["folder"], errors)
        problem = None
        if code != 0:
            problem = f"exit code {code}\n"
        else:
            try:
                values = program.values(output, place)
            except (OSError, ValueError, LookupError) as error:
                problem = f"exit code 0\nits result can't be read: {error}\n"
        errors.seek(0)
        said = errors.read()
    command = " ".join(point["words"])
    expect_unchanged(batch["states"])
    if problem:
        expect_room(store.folder)
        store.keep_log(point["key"], f"{command}\n{problem}{output}{said}", working)
        return
    store.keep_cost(point["work"], point["machine"], cost, working)
    store.keep(point["key"], {"run": point["name"], "command": command, "statistics": values},
               working)


def main(file, mark):
    batch = json.loads(pathlib.Path(file).read_text("utf-8"))
    store = Store(batch["store"])
    try:
        for point in batch["points"]:
            if not store.finished(point["key"]):
                run_point(point, store, batch)
        pathlib.Path(mark).touch()
    except OSError as error:
        print(f"{SAID}{store.folder}: a result can't be stored: {error.strerror}",
              file=sys.stderr)
        return 3
    except Stop as stop:
        print(f"{SAID}{stop}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
