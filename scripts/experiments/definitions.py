# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Reads and checks runs/*.toml, criteria.toml and rows/PAPER.toml.

A machine (a configuration and its parameters) belongs to a variant of a set of runs, and a workload
has only an input and options. So no parameter can depend on the workload; the checks below refuse
files that try. A variant may also have options, which then hold for every workload of the set.
"""
import dataclasses
import string
import tomllib

from experiments import expressions, seeds, verdicts
from experiments.programs import PROGRAMS

SIZES = ("ci", "small", "default", "paper")
LAUNCH_MODES = ("flat", "cdp", "cdp_ideal", "dtbl", "dtbl_ideal")
MODES = ("timed", "functional", *LAUNCH_MODES)
SEEDS = 3  # of a paper whose file says nothing else
CLAIMS = 3  # of a paper on the page of all papers
SUMMARIES = ("mean", "geomean", "harmonic", "median")


class DefinitionError(Exception):
    """A file of definitions is wrong; the text names the file and the entry."""


@dataclasses.dataclass(frozen=True)
class Run:
    """One run of one program. `set`, `variant` and `benchmark` are how expressions name it."""
    set: str
    variant: str
    benchmark: str
    kind: str  # of programs.PROGRAMS
    program: str
    input: str | None
    options: tuple  # of (name, value)
    configuration: str | None
    parameters: tuple  # of (key, value)
    mode: str
    seed: int

    @property
    def name(self):
        seed = f", seed {self.seed}" if self.seed != 1 else ""
        return f"{self.set}.{self.variant}[{self.benchmark}{seed}]"


@dataclasses.dataclass(frozen=True)
class RunSet:
    """Runs of some benchmarks on some machines (variants)."""
    benchmarks: list
    variants: dict  # name -> (configuration, {parameter: value})
    options: dict  # name of a variant -> options of every workload in it
    mode: str
    seed: int


@dataclasses.dataclass(frozen=True)
class Criterion:
    """How our value is held against a paper's; criteria.toml explains each."""
    kind: str  # of verdicts.JUDGES
    reason: str
    neutral: float = 0.0
    within: float = 0.0
    margin: float = 0.0


@dataclasses.dataclass(frozen=True)
class Row:
    """A number, a list of names, or (with `columns`) a table of a paper."""
    id: str
    place: str
    text: str
    ours: str
    unit: str = ""
    paper: object = None
    criterion: str | None = None
    note: str = ""
    claim: str = ""  # makes it one of the paper's main claims; the sentence that it says
    not_explained: bool = False  # it falls short, and the page has no explanation
    digits: int = 1
    columns: tuple = ()
    lines: dict = dataclasses.field(default_factory=dict)  # label -> what replaces {line}
    summary: str | None = None
    chart: str | None = None
    host: bool = False

    def cells(self):
        """{(line, column): expression}; the line is None where the benchmarks are the lines."""
        columns = self.columns or [None]
        lines = self.lines or {None: ""}
        return {(line, column): self.ours.replace("{line}", put).replace("{column}", column or "")
                for line, put in lines.items() for column in columns}


@dataclasses.dataclass(frozen=True)
class Paper:
    name: str
    title: str
    rows: list
    sets: list  # names of its own sets of runs
    seeds: int

    @property
    def claims(self):
        return [row for row in self.rows if row.claim]


def load(file):
    try:
        with open(file, "rb") as stream:
            return tomllib.load(stream)
    except FileNotFoundError:
        raise DefinitionError(f"{file}: no such file") from None
    except tomllib.TOMLDecodeError as error:
        raise DefinitionError(f"{file}: {error}") from None


def expect(condition, file, where, message):
    if not condition:
        raise DefinitionError(f"{file}: {where}: {message}")


def merged(files, keys):
    """The tables `keys` of all files as if they stood in one; an entry may stand in one file only."""
    whole = {key: {} for key in keys}
    for file in files:
        tables = load(file)
        expect_keys(tables, keys, file, "top level")
        for key, entries in tables.items():
            for name in entries:
                expect(name not in whole[key], file, f"{key}.{name}", "given twice")
            whole[key].update(entries)
    return whole


def expect_keys(table, legal, file, where):
    for key in table:
        expect(key in legal, file, where, f"unknown key '{key}' (there are: {', '.join(legal)})")


class Definitions:
    """All sets of runs and all criteria; `paper(name)` reads the rows of a paper."""

    def __init__(self, folder):
        self.folder = folder
        self.runs_file = folder / "runs"
        runs = merged(sorted(self.runs_file.glob("*.toml")), ("workloads", "sets"))
        self.workloads = {name: self._workload(name, table)
                          for name, table in runs["workloads"].items()}
        self.sets = {}
        for name, table in runs["sets"].items():
            self.sets[name] = self._set(name, table)
        self.criteria_file = folder / "criteria.toml"
        self.criteria = {name: self._criterion(name, table)
                         for name, table in load(self.criteria_file).items()}

    def papers(self):
        return sorted(file.stem for file in (self.folder / "rows").glob("*.toml"))

    def _workload(self, name, table):
        where = f"workloads.{name}"
        sizes = ("every_size",) if "every_size" in table else SIZES
        expect_keys(table, (*PROGRAMS, "seedless", *sizes), self.runs_file, where)
        expect(len(PROGRAMS.keys() & table.keys()) == 1, self.runs_file, where,
               f"expected one of {', '.join(PROGRAMS)}")
        expect(isinstance(table.get("seedless", False), bool), self.runs_file, where,
               "'seedless' is true or false")
        for size in sizes:
            expect(size in table, self.runs_file, where, f"size '{size}' is missing")
            for key in table[size]:
                expect("." not in key and key != "configuration", self.runs_file, where,
                       f"'{key}' is a parameter of the machine; a parameter must not depend on "
                       "the workload (variants of sets have parameters)")
        return table

    def _kind(self, benchmark):
        return next(kind for kind in PROGRAMS if kind in self.workloads[benchmark])

    def _has_machine(self, benchmark):
        return PROGRAMS[self._kind(benchmark)].has_machine

    def _set(self, name, table):
        where = f"sets.{name}"
        file = self.runs_file
        expect_keys(table, ("like", "configuration", "parameters", "workloads", "variants", "mode",
                            "seed"), file, where)
        parent = None
        if "like" in table:
            expect(table["like"] in self.sets, file, where,
                   f"no set '{table['like']}' above this one")
            parent = self.sets[table["like"]]
        expect(parent or {"workloads", "variants"} <= table.keys(), file, where,
               "'workloads' and 'variants', or 'like', are missing")
        benchmarks = table.get("workloads", parent and parent.benchmarks)
        for benchmark in benchmarks:
            expect(benchmark in self.workloads, file, where, f"no workload '{benchmark}'")
        mode = table.get("mode", parent.mode if parent else "timed")
        expect(mode in MODES, file, where, f"no mode '{mode}' (there are: {', '.join(MODES)})")
        if "variants" in table:
            options = {variant: own.pop("options", {})
                       for variant, own in table["variants"].items()}
            variants = {variant: (None, own) for variant, own in table["variants"].items()}
        else:
            options = parent.options
            variants = parent.variants
        machines = {}
        for variant, (base, own) in variants.items():
            changes = {**own, **table.get("parameters", {})}
            configuration = changes.pop("configuration", base) or table.get("configuration")
            expect(configuration or not any(self._has_machine(name) for name in benchmarks), file,
                   f"{where}.{variant}", "'configuration' is missing")
            for key in changes:
                expect("." in key, file, f"{where}.{variant}", f"'{key}' is no parameter's name")
            machines[variant] = (configuration, changes)
        return RunSet(benchmarks, machines, options, mode,
                      table.get("seed", parent.seed if parent else 1))

    def _criterion(self, name, table):
        legal = [field.name for field in dataclasses.fields(Criterion)]
        expect_keys(table, legal, self.criteria_file, name)
        for key in ("kind", "reason"):
            expect(key in table, self.criteria_file, name, f"'{key}' is missing")
        expect(table["kind"] in verdicts.JUDGES, self.criteria_file, name,
               f"no kind '{table['kind']}' (there are: {', '.join(verdicts.JUDGES)})")
        return Criterion(**table)

    def run(self, set_name, variant, benchmark, size, extra=(), seed=0):
        """The run of a benchmark; `extra` are further (parameter, value) pairs. `seed` counts from
        the seed of the set. One run stands for all seeds if none can change its result."""
        chosen = self.sets[set_name]
        workload = self.workloads[benchmark]
        kind = self._kind(benchmark)
        options = dict(workload["every_size"] if "every_size" in workload else workload[size])
        options.update(chosen.options[variant])
        configuration, parameters = chosen.variants[variant]
        if workload.get("seedless", False) or not PROGRAMS[kind].has_seed:
            seed = 0
        return Run(set_name, variant, benchmark, kind, workload[kind], options.pop("input", None),
                   tuple(options.items()), configuration, (*parameters.items(), *extra),
                   chosen.mode, chosen.seed + seed)

    def paper(self, name):
        file = self.folder / "rows" / f"{name}.toml"
        expect(file.exists(), self.folder, name,
               f"no such paper (there are: {', '.join(self.papers())})")
        tables = load(file)
        expect_keys(tables, ("paper", "row"), file, "top level")
        expect_keys(tables["paper"], ("title", "runs", "seeds"), file, "paper")
        own_sets = tables["paper"].get("runs", [])
        count = tables["paper"].get("seeds", SEEDS)
        expect(type(count) is int and 1 <= count <= seeds.MOST, file, "paper",
               f"'seeds' is a number from 1 to {seeds.MOST}")
        self._check_machines(file, own_sets)
        rows = []
        more = sorted((self.folder / "rows" / name).glob("*.toml"))
        for part in [file, *more]:
            for table in tables["row"] if part == file else load(part)["row"]:
                rows.append(self._row(part, table, own_sets))
                where = f"row '{rows[-1].id}'"
                expect([row.id for row in rows].count(rows[-1].id) == 1, part, where,
                       "given twice")
        paper = Paper(name, tables["paper"]["title"], rows, own_sets, count)
        expect(len(paper.claims) in (0, CLAIMS), file, "rows",
               f"{len(paper.claims)} of them have a 'claim': {CLAIMS} or none are expected")
        return paper

    def _check_machines(self, file, sets):
        """A variant's name stands for one machine, whatever the set and its workloads."""
        machines = {}
        for set_name in sets:
            expect(set_name in self.sets, file, "paper.runs", f"no set '{set_name}'")
            for variant, machine in self.sets[set_name].variants.items():
                expect(machines.setdefault(variant, machine) == machine, file, "paper.runs",
                       f"'{variant}' of set '{set_name}' has other parameters than in another set: "
                       "a parameter must not depend on the workload")

    def _row(self, file, table, own_sets):
        where = f"row '{table.get('id', '?')}'"
        legal = [field.name for field in dataclasses.fields(Row)]
        expect_keys(table, legal, file, where)
        for key in ("id", "place", "text", "ours"):
            expect(key in table, file, where, f"'{key}' is missing")
        row = Row(**{**table, "columns": tuple(table.get("columns", ()))})
        expect(set(row.id) <= set(string.ascii_lowercase + string.digits + "_"), file, where,
               "an id has small letters, digits and _")
        expect((row.paper is None) == (row.criterion is None), file, where,
               "'paper' and 'criterion' go together")
        expect(row.criterion is not None or not (row.claim or row.not_explained), file, where,
               "'claim' and 'not_explained' are for rows with a paper's value")
        if row.criterion is not None:
            expect(row.criterion in self.criteria, file, where, f"no criterion '{row.criterion}'")
            expect(not row.columns, file, where, "a table has no paper's value: give it a row")
            kind = self.criteria[row.criterion].kind
            expect(verdicts.fits(kind, row.paper), file, where,
                   f"{row.paper!r} is no value for a criterion of kind '{kind}'")
        expect(row.columns or not (row.lines or row.summary or row.chart), file, where,
               "'lines', 'summary' and 'chart' are for tables, which have 'columns'")
        expect(row.summary in (None, *SUMMARIES), file, where,
               f"'summary' is one of {', '.join(SUMMARIES)}")
        expect(row.chart in (None, "bars", "lines", "stack"), file, where,
               "'chart' is bars, lines or stack")
        for expression in row.cells().values():
            try:
                needed = expressions.runs_in(expression)
            except expressions.ExpressionError as error:
                raise DefinitionError(f"{file}: {where}: {error}") from None
            for set_name, variant, benchmark in needed:
                self._check_reference(file, where, set_name, variant, benchmark)
                expect(row.paper is None or set_name in own_sets, file, where,
                       f"set '{set_name}' is not one of paper.runs, whose machines do not depend "
                       "on the workload; only a row without a paper's value may use it")
        return row

    def _check_reference(self, file, where, set_name, variant, benchmark):
        expect(set_name in self.sets, file, where, f"no set '{set_name}' in {self.runs_file}")
        chosen = self.sets[set_name]
        expect(variant in chosen.variants, file, where,
               f"set '{set_name}' has no variant '{variant}' "
               f"(there are: {', '.join(chosen.variants)})")
        expect(benchmark is None or benchmark in chosen.benchmarks, file, where,
               f"set '{set_name}' has no workload '{benchmark}'")
