# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""The programs that a run can start: how each is called, and how its values are read.

    workload    `heddle run WORKLOAD`: all statistics of the run, and the numbers of its summary as
                summary.NAME; and what shares.py makes of them
    report      `heddle describe REPORT CONFIG`: LINE.COLUMN of its table, as l2.total, where that
                is a number
    testbench   a testbench with --csv: COLUMN of its last line
"""
import csv
import json
import pathlib
import re

from experiments import shares

SUMMARY_LINE = re.compile(r"([a-z][A-Za-z0-9 ]*?) {2,}(-?\d+(?:\.\d+)?(?:e[-+]\d+)?)(?:  |$)")


def text_of(value):
    """A value as `--set` and `--option` take it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def settings(option, pairs):
    return [word for key, value in pairs for word in (option, f"{key}={text_of(value)}")]


class Workload:
    """A workload on the timed machine or the functional simulator."""
    has_machine = True
    has_seed = True

    @staticmethod
    def file(heddle, _):
        return heddle

    @staticmethod
    def words(file, run):
        words = [str(file), "run", run.program, "--config", run.configuration, "--seed",
                 str(run.seed)]
        if run.mode == "functional":
            words.append("--functional")
        elif run.mode != "timed":
            words += ["--mode", run.mode]
        if run.input is not None:
            words += ["--input", run.input]
        return words + settings("--option", run.options) + settings("--set", run.parameters)

    @staticmethod
    def output_words(folder):
        return ["--no-progress", "--stats", str(pathlib.Path(folder, "stats.json"))]

    @staticmethod
    def values(output, folder):
        document = json.loads(pathlib.Path(folder, "stats.json").read_text("utf-8"))
        values = {name: entry["value"] for name, entry in document["statistics"].items()}
        return values | shares.derived(document["statistics"]) | summary_numbers(output)


class Report:
    """What the command computes from a configuration alone."""
    has_machine = True
    has_seed = False

    @staticmethod
    def file(heddle, _):
        return heddle

    @staticmethod
    def words(file, run):
        return [str(file), "describe", run.program, run.configuration,
                *settings("--set", run.parameters)]

    @staticmethod
    def output_words(_):
        return ["--json"]

    @staticmethod
    def values(output, _):
        values = {}
        for line in json.loads(output):
            (_, label), *columns = line.items()
            values.update({f"{label}.{name}": number(value) for name, value in columns})
        return values


class Testbench:
    """A testbench beside the command. It has no configuration: options say everything."""
    has_machine = False
    has_seed = True

    @staticmethod
    def file(heddle, run):
        return heddle.parent / "tb" / run.program

    @staticmethod
    def words(file, run):
        return [str(file), "--seed", str(run.seed),
                *(word for name, value in run.options for word in (f"--{name}", text_of(value)))]

    @staticmethod
    def output_words(_):
        return ["--csv"]

    @staticmethod
    def values(output, _):
        commas = max(line.count(",") for line in output.splitlines())
        *_, last = csv.DictReader(line for line in output.splitlines()
                                  if line.count(",") == commas)  # sentences have fewer
        return {name: number(value) for name, value in last.items()}


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def summary_numbers(text):
    """{summary.NAME: number} of the lines of a run's summary, as summary.clocks."""
    matches = filter(None, map(SUMMARY_LINE.match, text.splitlines()))
    return {"summary." + match[1].replace(" ", "_"): float(match[2]) for match in matches}


PROGRAMS = {"workload": Workload, "report": Report, "testbench": Testbench}
