# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""The command scripts/paper: what is given, what is run, what is printed and written."""
import argparse
import pathlib
import signal
import sys

from experiments import definitions, docs, engine, expressions, tables, verdicts
from experiments.keys import Binary, RunError
from experiments.store import Store, StoreError, write_whole

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DESCRIPTION = """Runs what a paper's rows need and is not stored yet, and prints our values beside
the paper's. Runs are stored in build/papers; CSV and figures go to build/papers/NAME/SIZE."""


def arguments(words):
    parser = argparse.ArgumentParser(prog="scripts/paper", description=DESCRIPTION)
    parser.add_argument("name", help="a paper: a file of scripts/experiments/rows")
    parser.add_argument("--size", choices=definitions.SIZES, default=docs.DOCUMENTED_SIZE)
    parser.add_argument("--only", action="append", metavar="ROW", help="may be repeated")
    parser.add_argument("--all-runs", action="store_true",
                        help="also those of the paper's sets that no row needs")
    engine.add_arguments(parser)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="sets",
                        help="another machine for all runs; may be repeated")
    parser.add_argument("--definitions", default=ROOT / "scripts/experiments", metavar="FOLDER",
                        type=pathlib.Path, help="where rows/, runs/ and criteria.toml are")
    parser.add_argument("--docs", metavar="FOLDER", type=pathlib.Path, nargs="?", const=ROOT,
                        help="also write the tables, values and figures of docs/ "
                             "(runs the sizes small and ci)")
    chosen = parser.parse_args(words)
    for one in chosen.sets:
        if "=" not in one:
            parser.error(f"--set {one}: expected KEY=VALUE")
    if chosen.docs is not None and (chosen.sets or chosen.only):
        parser.error("--docs writes all rows as they are defined: not with --set or --only")
    engine.check_arguments(parser, chosen)
    return chosen


def chosen_rows(paper, only):
    if not only:
        return paper.rows
    names = [row.id for row in paper.rows]
    for name in only:
        if name not in names:
            raise definitions.DefinitionError(
                f"{paper.name}: no row '{name}' (there are: {', '.join(names)})")
    return [row for row in paper.rows if row.id in only]


class Experiment:
    """The results of rows at one size, with one binary."""

    def __init__(self, all_definitions, runner, size, extra=()):
        self._definitions, self._runner = all_definitions, runner
        self._size, self._extra = size, extra

    def _runs(self, set_name, variant, benchmark=None):
        names = [benchmark] if benchmark else self._definitions.sets[set_name].benchmarks
        return [self._definitions.run(set_name, variant, name, self._size, self._extra)
                for name in names]

    def _look_up(self, set_name, variant, statistic, benchmark=None):
        values = expressions.Values(
            (run.benchmark, self._runner.value(run, statistic))
            for run in self._runs(set_name, variant, benchmark))
        return values[benchmark] if benchmark else values

    def carry_out(self, sets):
        """All runs of these sets, whether or not a row needs them."""
        self._runner.carry_out([run for name in sets
                                for variant in self._definitions.sets[name].variants
                                for run in self._runs(name, variant)])

    def results(self, rows):
        """The Result of each row, after the runs that it needs."""
        needed = {}
        for row in rows:
            for expression in row.cells().values():
                for reference in sorted(expressions.runs_in(expression), key=str):
                    needed.update(dict.fromkeys(self._runs(*reference)))
        self._runner.carry_out(list(needed))
        return [verdicts.judged(row, verdicts.computed(row, self._look_up),
                                self._definitions.criteria) for row in rows]


def draw_charts(results, file_of):
    """Draws the rows that ask for a chart. matplotlib takes a second to load, so only then."""
    drawn = [one for one in results if one.row.chart is not None]
    if drawn:
        from experiments import charts
        for one in drawn:
            charts.draw(one, file_of(one.row))


def write_files(folder, results):
    """CSV and charts."""
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "values.csv", tables.csv(results))
    draw_charts(results, lambda row: folder / f"{row.id}.svg")


def write_docs(root, paper, criteria, experiment, runner, results):
    """Values, figures and tables of docs/. They come only from runs that are all good. The tables show
    the values as the CSV has them: later checks know no others."""
    ci_results = experiment("ci").results(paper.rows)
    if runner.failed:
        return
    for size, some in ((docs.DOCUMENTED_SIZE, results), ("ci", ci_results)):
        file = docs.data_file(root, paper, size)
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, tables.csv(some))
    draw_charts(results, lambda row: docs.image_file(root, paper, row))
    shown = {one.row.id: one for one in results} | docs.committed(root, paper, criteria)
    for page in docs.write_pages(root, paper, shown):
        print(f"written: {page}")


def print_failures(runner):
    """Lists the failed runs with their logs."""
    for run, log in runner.failed.items():
        print(f"failed: {run.name}, log {log}")


def print_verdicts(results):
    given = [one.verdict for one in results if one.verdict]
    counts = [f"{name} {given.count(name)}" for name in
              (verdicts.AGREES, verdicts.DIRECTION, verdicts.DIFFERS, verdicts.FAILED)
              if name in given]
    if counts:
        print("\nverdicts: " + ", ".join(counts))


def carry_out(chosen):
    """Everything after the command line; returns the exit code."""
    all_definitions = definitions.Definitions(chosen.definitions)
    paper = all_definitions.paper(chosen.name)
    rows = chosen_rows(paper, chosen.only)
    extra = tuple(tuple(one.split("=", 1)) for one in chosen.sets)
    binary, store = Binary(chosen.binary), Store(chosen.store)
    runner = engine.Engine(binary, store, chosen.jobs, chosen.profile)

    def experiment(size):
        return Experiment(all_definitions, runner, size, extra)

    try:
        size = docs.DOCUMENTED_SIZE if chosen.docs else chosen.size
        if chosen.all_runs:
            experiment(size).carry_out(paper.sets)
        results = experiment(size).results(rows)
        changes = "".join(f", {one}" for one in chosen.sets)
        print(f"{paper.title}\nsize {size}{changes}, binary {binary.hash[:12]}\n")
        print(tables.text(results))
        print_verdicts(results)
        folder = store.folder / paper.name / "_".join([size, *chosen.sets])
        write_files(folder, results)
        print(f"CSV and figures: {folder}")
        if chosen.docs:
            write_docs(chosen.docs, paper, all_definitions.criteria, experiment, runner, results)
        print_failures(runner)
        return 1 if runner.failed else 0
    finally:
        runner.close()


def main(words=None):
    """Exit codes: 0 good, 1 a run failed, 2 wrong use or definitions, 130 Ctrl-C."""
    signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGINT))
    try:
        return carry_out(arguments(words))
    except (definitions.DefinitionError, expressions.ExpressionError, RunError, docs.UnknownRow,
            tables.StaleResults, StoreError, engine.MissingPackage) as error:
        print(f"scripts/paper: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nscripts/paper: interrupted; finished runs are stored, and the same command goes "
              "on from there", file=sys.stderr)
        return 130
