# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""The command scripts/paper: what is given, what is run, what is printed and written."""
import argparse
import dataclasses
import pathlib
import signal
import sys

from experiments import definitions, docs, engine, expressions, overview, seeds, tables, verdicts
from experiments.keys import Binary, RunError
from experiments.store import Store, StoreError, write_whole

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DESCRIPTION = """Runs what a paper's rows need and is not stored yet, and prints our values beside
the paper's. Runs are stored in build/papers; CSV and figures go to build/papers/NAME/SIZE."""


def arguments(words):
    parser = argparse.ArgumentParser(prog="scripts/paper", description=DESCRIPTION)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("name", nargs="?", help="a paper: a file of scripts/experiments/rows")
    which.add_argument("--all", action="store_true", help="all papers, one after the other")
    parser.add_argument("--size", choices=definitions.SIZES, default=docs.DOCUMENTED_SIZE)
    parser.add_argument("--seeds", type=int, metavar="N",
                        help="seeds over which values are means; 1 for a quick look")
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
    if chosen.docs is not None and (chosen.sets or chosen.only or chosen.seeds):
        parser.error("--docs writes all rows as they are defined: not with --set, --only or "
                     "--seeds")
    if chosen.all and chosen.only:
        parser.error("--only names rows of one paper: not with --all")
    if chosen.seeds is not None and chosen.seeds not in range(1, seeds.MOST + 1):
        parser.error(f"--seeds: expected a number from 1 to {seeds.MOST}")
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


def chosen_papers(all_definitions, chosen):
    """The papers to regenerate, with the rows that are asked for."""
    names = all_definitions.papers() if chosen.all else [chosen.name]
    papers = [all_definitions.paper(name) for name in names]
    return [dataclasses.replace(paper, rows=chosen_rows(paper, chosen.only),
                                seeds=chosen.seeds or paper.seeds) for paper in papers]


class Experiment:
    """The results of rows at one size, with one binary."""

    def __init__(self, all_definitions, runner, size, extra=()):
        self._definitions, self._runner = all_definitions, runner
        self._size, self._extra = size, extra

    def _runs(self, seed, set_name, variant, benchmark=None):
        names = [benchmark] if benchmark else self._definitions.sets[set_name].benchmarks
        return [self._definitions.run(set_name, variant, name, self._size, self._extra, seed)
                for name in names]

    def _look_up(self, seed):
        """What gives the values of runs with a seed to an expression."""
        def look_up(set_name, variant, statistic, benchmark=None):
            values = expressions.Values(
                (run.benchmark, self._runner.value(run, statistic))
                for run in self._runs(seed, set_name, variant, benchmark))
            return values[benchmark] if benchmark else values
        return look_up

    def runs_of_sets(self, paper):
        """All runs of a paper's sets, whether or not a row needs them."""
        return [run for name in paper.sets for variant in self._definitions.sets[name].variants
                for seed in range(paper.seeds) for run in self._runs(seed, name, variant)]

    def runs(self, paper):
        """The runs that the rows of a paper need."""
        return [run for row in paper.rows for expression in row.cells().values()
                for reference in sorted(expressions.runs_in(expression), key=str)
                for seed in range(paper.seeds) for run in self._runs(seed, *reference)]

    def results(self, paper):
        """The Result of each row, whose runs have been carried out."""
        look_ups = [self._look_up(seed) for seed in range(paper.seeds)]
        try:
            return [verdicts.judged(row, *verdicts.computed(row, look_ups),
                                    self._definitions.criteria) for row in paper.rows]
        except expressions.ExpressionError as error:
            raise expressions.ExpressionError(f"{paper.name}: {error}") from None


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


def with_ci_seeds(papers):
    """The same papers, with the seeds of the values that later checks of the model use."""
    return [dataclasses.replace(paper, seeds=docs.CI_SEEDS) for paper in papers]


def write_docs(root, all_definitions, papers, results, ci_experiment):
    """Values, figures and tables of docs/. The tables show the values as the CSV has them: later
    checks know no others."""
    criteria = all_definitions.criteria
    for paper in with_ci_seeds(papers):
        for size, some in ((docs.DOCUMENTED_SIZE, results[paper.name]),
                           ("ci", ci_experiment.results(paper))):
            file = docs.data_file(root, paper, size)
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, tables.csv(some))
        draw_charts(results[paper.name], lambda row: docs.image_file(root, paper, row))
        shown = ({one.row.id: one for one in results[paper.name]}
                 | docs.committed(root, paper, criteria))
        for page in docs.write_pages(root, paper, shown):
            print(f"written: {page}")
    try:
        for page in overview.write_pages(root, all_definitions):
            print(f"written: {page}")
    except tables.StaleResults as lacking:
        print(f"not written: the overview of papers, because {lacking}")


def print_results(chosen, paper, binary, size, results, folder):
    """A paper's rows, their verdicts, and where its files are."""
    changes = "".join(f", {one}" for one in chosen.sets)
    means = f", means over {paper.seeds} seeds" if paper.seeds > 1 else ""
    print(f"{paper.title}\nsize {size}{changes}{means}, binary {binary.hash[:12]}\n")
    print(tables.text(results))
    counts = verdicts.Counts.of(results)
    if counts.rows:
        print(f"\nverdicts: {counts.text()}")
    print(f"CSV and figures: {folder}" + ("\n" if chosen.all else ""))


def carry_out(chosen):
    """Everything after the command line; returns the exit code."""
    all_definitions = definitions.Definitions(chosen.definitions)
    papers = chosen_papers(all_definitions, chosen)
    extra = tuple(tuple(one.split("=", 1)) for one in chosen.sets)
    binary, store = Binary(chosen.binary), Store(chosen.store)
    runner = engine.Engine(binary, store, chosen.jobs, chosen.profile, chosen.threads)
    size = docs.DOCUMENTED_SIZE if chosen.docs else chosen.size
    experiment = Experiment(all_definitions, runner, size, extra)
    ci_experiment = Experiment(all_definitions, runner, "ci")
    try:
        runs = [run for paper in papers for run in experiment.runs(paper)]
        if chosen.all_runs:
            runs += [run for paper in papers for run in experiment.runs_of_sets(paper)]
        if chosen.docs:
            runs += [run for paper in with_ci_seeds(papers) for run in ci_experiment.runs(paper)]
        runner.carry_out(runs)
        results = {}
        for paper in papers:
            results[paper.name] = experiment.results(paper)
            folder = store.folder / paper.name / "_".join(
                [size, *([f"seeds={chosen.seeds}"] if chosen.seeds else []), *chosen.sets])
            write_files(folder, results[paper.name])
            print_results(chosen, paper, binary, size, results[paper.name], folder)
        if chosen.all:
            print(overview.text(papers, results))
        if chosen.docs and not runner.failed:
            write_docs(chosen.docs, all_definitions, papers, results, ci_experiment)
        for run, log in runner.failed.items():
            print(f"failed: {run.name}, log {log}")
        return 1 if runner.failed else 0
    finally:
        runner.close()


def main(words=None):
    """Exit codes: 0 good, 1 a run failed, 2 wrong use or definitions, 130 Ctrl-C."""
    # Not SIGINT's own handler: a shell starts `command &` with SIGINT ignored.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
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
