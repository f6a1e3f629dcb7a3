# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""The command `heddle sweep`: all points of a file, one tidy CSV."""
import argparse
import csv
import io
import pathlib
import signal
import sys

from experiments import definitions, engine
from experiments.catalog import Catalog
from experiments.keys import Binary, RunError
from experiments.store import Store, StoreError, write_whole
from experiments.sweep_file import SweepFile, closest

DESCRIPTION = """Runs all points of a sweep that are not stored yet, and writes a CSV with a row for
each point and, beside it, one with the units of its columns. docs/sweeps.md explains the file."""
SHOWN_PROBLEMS = 20
FACTS = {"set": "named set of runs", "variant": "variant of the set", "workload": "workload",
         "configuration": "configuration", "input": "input of the workload",
         "mode": "timed, functional, or how kernels launch", "seed": "seed of all random inputs",
         "binary": "first digits of the program's SHA-256",
         "status": "ok, or failed: then the statistics are empty"}


def arguments(words):
    parser = argparse.ArgumentParser(prog="heddle sweep", description=DESCRIPTION)
    parser.add_argument("file", type=pathlib.Path, metavar="FILE.toml")
    parser.add_argument("--dry-run", action="store_true",
                        help="check all points, say what is to be done, run nothing")
    parser.add_argument("--output", type=pathlib.Path, metavar="FILE.csv",
                        help="the CSV; without it, the name of the sweep's file in this folder")
    engine.add_arguments(parser)
    parser.add_argument("--definitions", default=engine.ROOT / "scripts/experiments",
                        type=pathlib.Path, metavar="FOLDER",
                        help="where the sets of runs are, in runs/")
    chosen = parser.parse_args(words)
    chosen.output = chosen.output or pathlib.Path(f"{chosen.file.stem}.csv")
    if not chosen.output.absolute().parent.is_dir():
        parser.error(f"--output {chosen.output}: no such folder")
    engine.check_arguments(parser, chosen)
    return chosen


def check_statistics(sweep, catalog):
    for name in sweep.statistics:
        if name.startswith("host."):
            sweep.refuse(("statistics",), f"'{name}' differs from run to run; a sweep has only "
                         "what two runs agree on")
        if catalog.statistic(name) is None:
            near = closest(name, catalog.names())
            near = near if near.startswith(";") else " (heddle list statistics)"
            sweep.refuse(("statistics",), f"no statistic '{name}'{near}")


def check_points(sweep, keys):
    """Refuses the sweep if a point is not legal, or if two are the same."""
    problems, names = {}, {}
    for point in sweep.points:
        key = keys[point.run]
        if isinstance(key, RunError):
            text = f"{sweep.place_of(point, str(key))}: {key}"
            problems.setdefault(text, []).append(point)
        elif key.result in names:
            where = sweep.place("sets" if "set" in point.columns else "workloads")
            problems.setdefault(f"{where}: the same point twice: {names[key.result]} and "
                                f"{point.run.name}", []).append(point)
        else:
            names[key.result] = point.run.name
    if problems:
        lines = [f"{text} ({len(points)} of {len(sweep.points)} points)"
                 for text, points in problems.items()]
        if len(lines) > SHOWN_PROBLEMS:
            lines[SHOWN_PROBLEMS:] = [f"... and {len(lines) - SHOWN_PROBLEMS} more"]
        raise definitions.DefinitionError("\n".join(lines))


def written(value):
    """A value in CSV. Twelve digits: further ones depend on the library of the logarithm."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return format(value, ".12g") if isinstance(value, float) else str(value)


class Table:
    """The CSV of a sweep and its units."""

    def __init__(self, sweep, catalog, keys, binary):
        self._sweep, self._catalog, self._keys, self._binary = sweep, catalog, keys, binary
        columns = list(dict.fromkeys(key for point in sweep.points for key in point.columns))
        self._columns = [key for key in FACTS if key in columns]  # facts, parameters, options
        self._columns += [key for key in columns if key not in FACTS and "option." not in key]
        self._columns += [key for key in columns if key.startswith("option.")]

    def _cell(self, point, column):
        """A column of a point. A parameter that only other points set has its value, too."""
        if column in point.columns:
            return point.columns[column]
        return (self._keys[point.run].configuration or {}).get(column)

    def csv(self, statistics_of):
        """`statistics_of(run)` gives {statistic: value}, None if the run failed."""
        lines = [[*self._columns, "binary", "status", *self._sweep.statistics]]
        for point in self._sweep.points:
            values = statistics_of(point.run)
            lines.append([*(written(self._cell(point, column)) for column in self._columns),
                          self._binary.hash[:12], "failed" if values is None else "ok",
                          *(written((values or {}).get(name)) for name in self._sweep.statistics)])
        return text_of(lines)

    def units(self):
        lines = [["column", "kind", "unit", "description"]]
        for column in (*self._columns, "binary", "status"):
            if column in FACTS:
                lines.append([column, "fact", "", FACTS[column]])
            elif column.startswith("option."):
                lines.append([column, "option", *self._option(column.removeprefix("option."))])
            else:
                entry = self._catalog.parameters[column]
                lines.append([column, "parameter", entry.unit, entry.description])
        for name in self._sweep.statistics:
            entry = self._catalog.statistic(name)
            lines.append([name, "statistic", entry.unit, entry.description])
        return text_of(lines)

    def _option(self, key):
        """Unit and description, where all workloads agree on them."""
        found = {self._catalog.option(point.run.program, key) for point in self._sweep.points
                 if f"option.{key}" in point.columns} - {None}
        units = {one.unit for one in found}
        texts = {one.description for one in found}
        return [units.pop() if len(units) == 1 else "", texts.pop() if len(texts) == 1 else ""]


def text_of(lines):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(lines)
    return out.getvalue()


def check_results(sweep, runner):
    """Names of a summary are known only from runs."""
    for name in sweep.statistics:
        results = [values for point in sweep.points if (values := runner.statistics(point.run))]
        if name.startswith("summary.") and results and not any(name in one for one in results):
            sweep.refuse(("statistics",), f"no run has '{name}'{closest(name, results[0])}")


def carry_out(chosen):
    sweep = SweepFile(chosen.file, definitions.Definitions(chosen.definitions))
    binary = Binary(chosen.binary)
    catalog = Catalog(binary)
    check_statistics(sweep, catalog)
    runs = [point.run for point in sweep.points]
    keys = binary.keys(runs)
    check_points(sweep, keys)
    left_out = f", {sweep.excluded} left out" if sweep.excluded else ""
    print(f"{chosen.file}: {len(runs)} points{left_out}", flush=True)
    runner = engine.Engine(binary, Store(chosen.store), chosen.jobs, chosen.profile,
                           chosen.threads)
    try:
        if chosen.dry_run:
            points, _, count = runner.missing(runs)
            print(runner.announcement(count, points))
            return 0
        runner.carry_out(runs)
        check_results(sweep, runner)
        table = Table(sweep, catalog, keys, binary)
        units = chosen.output.with_name(f"{chosen.output.stem}_units.csv")
        write_whole(chosen.output, table.csv(runner.statistics))
        write_whole(units, table.units())
        print(f"written: {chosen.output} and {units}")
        for run, log in runner.failed.items():
            print(f"failed: {run.name}, log {log}")
        return 1 if runner.failed else 0
    finally:
        runner.close()


def main(words=None):
    """Exit codes: 0 good, 1 a run failed, 2 wrong use or file, 130 Ctrl-C."""
    # Not SIGINT's own handler: a shell starts `command &` with SIGINT ignored.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return carry_out(arguments(words))
    except (definitions.DefinitionError, RunError, StoreError, engine.MissingPackage) as error:
        for line in str(error).splitlines():
            print(f"heddle sweep: {line}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"heddle sweep: {error.filename}: {error.strerror}; finished runs are stored",
              file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nheddle sweep: interrupted; finished runs are stored, and the same command goes "
              "on from there", file=sys.stderr)
        return 130
