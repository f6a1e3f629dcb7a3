# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""The command `heddle why`."""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys

from experiments.store import Store, StoreError
from limits import page
from limits.answer import Answer
from limits.changes import Machine, declared
from limits.measure import Failure, Measurements, Progress
from limits.program import Program, WrongUse
from limits.search import Search

DESCRIPTION = """Says what limits a program on a machine. Carries out `heddle run` with these words
again and again, each time with one part of the machine ideal, or half as good. docs/why.md
explains the answer."""
BUILT = pathlib.Path(__file__).resolve().parents[2] / "build/release/heddle"


class Parser(argparse.ArgumentParser):
    """Says what is wrong as the heddle command does."""

    def error(self, message):
        print(f"heddle: why: {message}; `heddle why --help` shows the usage", file=sys.stderr)
        sys.exit(2)


def cache_folder():
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache",
                        "heddle", "why")


def arguments(words):
    """(own options, words of `heddle run`)."""
    parser = Parser(prog="heddle why", description=DESCRIPTION, allow_abbrev=False,
                    usage="heddle why [--quick] [--jobs N] [--json] [--report FILE.html] "
                    "[--store FOLDER] WORDS OF heddle run ...",
                    epilog="With --max-cycles, which ends every run early, gains are in cycles of "
                    "a thread instruction.")
    parser.add_argument("--quick", action="store_true",
                        help="only what is ideal: a third of the runs, no halves and no pairs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N",
                        help="runs at a time: all processors if not given")
    parser.add_argument("--json", action="store_true", help="machine-readable, with all parts")
    parser.add_argument("--report", type=pathlib.Path, metavar="FILE.html",
                        help="write a page, too")
    parser.add_argument("--store", type=pathlib.Path, default=cache_folder(), metavar="FOLDER",
                        help="where results and logs are kept (~/.cache/heddle/why)")
    parser.add_argument("--binary", type=pathlib.Path, default=BUILT, help=argparse.SUPPRESS)
    chosen, rest = parser.parse_known_args(words)
    if chosen.jobs < 1:
        parser.error("--jobs: expected at least 1")
    if not rest:
        parser.error("the words of `heddle run` are missing")
    return chosen, rest


def parameters_of(binary):
    done = subprocess.run([str(binary), "list", "parameters", "--json"], capture_output=True,
                          text=True, check=True)
    return declared(json.loads(done.stdout))


def found(program, measurements, chosen):
    """The Answer for a program."""
    base = measurements.base()
    if isinstance(base, Failure):
        raise WrongUse(base.text)
    machine = Machine(parameters_of(chosen.binary), measurements.configuration())
    search = Search(program, machine, measurements)
    search.carry_out(chosen.quick)
    return Answer(program, base, search, measurements)


def carry_out(chosen, words):
    program = Program(chosen.binary, words)
    if chosen.report:
        page.check(chosen.report)
    measurements = Measurements(program, Store(chosen.store), chosen.jobs, Progress())
    try:
        answer = found(program, measurements, chosen)
    finally:
        measurements.close()
    print(answer.json() if chosen.json else answer.text(), end="", flush=True)
    if chosen.report:
        page.write(chosen.report, answer.document())
    print(f"{measurements.carried_out} runs carried out, host time {measurements.seconds:.1f} s",
          file=sys.stderr)
    return 1 if answer.failures() else 0


def main(words=None):
    """Exit codes: 0 good, 1 a run with a change failed, 2 wrong use, or the program itself fails,
    130 Ctrl-C."""
    # Not SIGINT's own handler: a shell starts `command &` with SIGINT ignored.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return carry_out(*arguments(words))
    except (WrongUse, StoreError) as error:
        print(f"heddle: why: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"heddle: why: {error.filename}: {error.strerror}; finished runs are stored",
              file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nheddle: why: interrupted; finished runs are stored, and the same command goes on "
              "from there", file=sys.stderr)
        return 130
