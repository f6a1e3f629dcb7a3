# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""The command `heddle report`: what is given, which page it makes, and the file."""
import argparse
import os
import pathlib
import sys
import tempfile

import jinja2

from reporting import (compare_page, lines, machine, numbers, papers, records, run_page, runs,
                       sweeps)
from reporting.errors import ReportError

HERE = pathlib.Path(__file__).resolve().parent
BUILT = HERE.parents[1] / "build/release/heddle"
DESCRIPTION = """Writes one HTML file, which loads nothing: about a run, runs side by side, a sweep,
or a paper."""
LEGAL = ("expected statistics files (heddle run --stats FILE.json), a CSV of a sweep with its "
         "NAME.units.csv, or values.csv of scripts/paper")


class Parser(argparse.ArgumentParser):
    """Says what is wrong as the heddle command does."""

    def error(self, message):
        print(f"heddle: report: {message}; `heddle report --help` shows the usage", file=sys.stderr)
        sys.exit(2)


def arguments(words):
    parser = Parser(prog="heddle report", description=DESCRIPTION, allow_abbrev=False,
                    epilog="Two to eight statistics files are shown side by side, more as a "
                    "sweep. docs/reports.md has examples.")
    parser.add_argument("what", nargs="*", type=pathlib.Path, metavar="DIR|CSV|STATS.json",
                        help="a folder stands for the files in it")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("report.html"),
                        metavar="FILE.html", help="report.html if not given")
    parser.add_argument("--series", type=pathlib.Path, metavar="FILE",
                        help="of the run (heddle run --series)")
    parser.add_argument("--launches", type=pathlib.Path, metavar="FILE.csv",
                        help="of the run (heddle run --launches)")
    parser.add_argument("--lines", type=pathlib.Path, metavar="FILE",
                        help="of the run (heddle run --lines)")
    parser.add_argument("--title", help="the heading of the page")
    parser.add_argument("--binary", type=pathlib.Path, default=BUILT if BUILT.exists() else None,
                        metavar="FILE", help="the heddle command, which knows the default values")
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--typed", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    chosen = parser.parse_args(words)
    if not chosen.what and not chosen.check:
        parser.error("DIR|CSV|STATS.json is missing")
    return chosen


def files_of(folder):
    """The files of a folder that can be shown: a sweep, else a paper, else runs."""
    tables = sorted(folder.glob("*.csv"))
    for wanted in (sweeps.is_sweep, papers.is_paper):
        found = [file for file in tables if wanted(file)]
        if len(found) > 1:
            raise ReportError(folder, "there are several tables in it: "
                              + ", ".join(file.name for file in found) + "; name one")
        if found:
            return found
    found = sorted(folder.glob("*.json"))
    if not found:
        raise ReportError(folder, "nothing in it can be shown; " + LEGAL)
    return found


def inputs(what):
    """All files, with folders opened."""
    files = []
    for one in what:
        try:
            one.stat()
        except OSError as error:
            raise ReportError(one, error.strerror) from None
        files += files_of(one) if one.is_dir() else [one]
    return files


def page_of(chosen):
    """(template, content) for what was given."""
    files = inputs(chosen.what)
    for file in (*files, chosen.series, chosen.launches, chosen.lines):
        if file and chosen.output.exists() and file.exists() and file.samefile(chosen.output):
            raise ReportError(chosen.output, "the page would replace what it is made of")
    asked = machine.Machine(chosen.binary)
    of_one_run = [name for name in ("series", "launches", "lines") if getattr(chosen, name)]
    if len(files) > 1 or files[0].suffix == ".csv":
        for name in of_one_run:
            raise ReportError(getattr(chosen, name), f"--{name} belongs to one run, but "
                              f"{'several files are' if len(files) > 1 else 'a table is'} shown")
    tables = [file for file in files if file.suffix == ".csv"]
    if tables and len(files) > 1:
        raise ReportError(tables[0], "a table has a page of its own; name it alone")
    if tables:
        file = tables[0]
        if sweeps.is_sweep(file):
            return "sweep.html", sweeps.content(file.stem, *sweeps.read(file))
        if papers.is_paper(file):
            content = papers.content(file)
            content["tables_sections"] = [(f"row-{one['row']}", one["place"])
                                          for one in content["tables"]]
            return "paper.html", content
        records.read_csv(file)
        raise ReportError(file, "neither a sweep nor a paper: there is no "
                          f"'{sweeps.units_file(file).name}' beside it, and its columns are not "
                          "those of scripts/paper")
    all_runs = []
    for file in files:
        all_runs.append(runs.read(file))
        runs.same_version(all_runs)
        if len(files) > compare_page.MOST_RUNS:
            all_runs[-1].keep_whole_machine()
    version = all_runs[0].facts.get("version")
    if len(all_runs) == 1:
        series = records.read_series(chosen.series) if chosen.series else None
        launches = records.read_launches(chosen.launches) if chosen.launches else None
        found = lines.read_lines(chosen.lines) if chosen.lines else []
        typed = machine.typed_command(chosen.typed) if chosen.typed else None
        content = run_page.content(all_runs[0], asked, series, launches, typed, found)
        return "run.html", {**content, "version": version}
    if len(all_runs) <= compare_page.MOST_RUNS:
        return "compare.html", {**compare_page.content(all_runs, asked), "version": version}
    what = {run.facts.get("what") for run in all_runs}
    title = f"{len(all_runs)} runs" + (f" of {what.pop()}" if len(what) == 1 else "")
    content = sweeps.content(title, *sweeps.of_runs(all_runs, asked))
    return "sweep.html", {**content, "version": version}


def rendered(template, content):
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"), trim_blocks=True, lstrip_blocks=True,
        autoescape=jinja2.select_autoescape(["html"]), undefined=jinja2.StrictUndefined)
    environment.filters.update(plain=numbers.plain, percent=numbers.percent, times=numbers.times,
                               words=lambda name: name.replace("_", " ").replace("simd", "SIMD")
                               .replace("mshr", "MSHR"))
    return environment.get_template(template).render({"version": None, **content})


def write(file, text):
    """The file appears whole or stays as it was; pipes and devices are written directly. Whether
    it is a file."""
    try:
        if file.exists() and not file.is_file():
            file.write_text(text, "utf-8")
            return False
        target = file.resolve()
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=".heddle_report_")
        try:
            with open(descriptor, "w", encoding="utf-8") as opened:
                opened.write(text)
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(name, 0o666 & ~mask)
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise
        return True
    except OSError as error:
        raise ReportError(file, f"cannot be written: {error.strerror}") from None


def main(words=None):
    """Exit codes: 0 good, 2 what was given makes no page."""
    chosen = arguments(words)
    if chosen.check:
        return 0
    try:
        template, content = page_of(chosen)
        if chosen.title:
            content["title"] = chosen.title
        if write(chosen.output, rendered(template, content)):
            print(chosen.output)
    except ReportError as error:
        print(f"heddle: report: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0
