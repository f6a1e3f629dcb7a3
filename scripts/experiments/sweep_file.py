# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Reads a sweep: its axes, and the points that they span. docs/sweeps.md explains the file."""
import dataclasses
import difflib
import itertools
import tomllib

from experiments.conditions import Condition, ConditionError
from experiments.definitions import MODES, SIZES, DefinitionError, Run
from experiments.positions import Positions

OF_WORKLOADS = ("configuration", "workloads", "inputs", "modes")
OF_SETS = ("sets", "size")
KEYS = ("statistics", *OF_WORKLOADS, *OF_SETS, "seeds", "unless", "parameters", "options",
        "workload")
RANGE_KEYS = ("from", "to", "step", "log2")
WORKLOAD_KEYS = ("workload", "input", "options")


@dataclasses.dataclass(frozen=True)
class Point:
    """A run of the sweep. `columns` are the values by which conditions and the CSV name it."""
    run: Run
    columns: dict


def closest(name, legal):
    near = difflib.get_close_matches(name, legal, 1)
    return f"; did you mean '{near[0]}'?" if near else f" (there are: {', '.join(legal)})"


class SweepFile:
    """A sweep as its file says it. `definitions` are the sets of runs that it may name."""

    def __init__(self, path, definitions):
        self.path = path
        self._definitions = definitions
        try:
            text = path.read_text("utf-8")
            self._table = tomllib.loads(text)
        except OSError as error:
            raise DefinitionError(f"{path}: {error.strerror}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise DefinitionError(f"{path}: {error}") from None
        self._positions = Positions(text)
        self._check_keys()
        self.statistics = self._axis("statistics")
        for name in self.statistics:
            if not isinstance(name, str):
                self.refuse(("statistics",), f"{name!r} is no name of a statistic")
        self._conditions = self._read_conditions()
        self.excluded = 0
        self.points = [point for point in self._all_points() if not self._left_out(point)]
        if not self.points:
            self.refuse(("unless",), "every point is left out")

    def place(self, *path):
        """FILE:LINE of a key."""
        return f"{self.path}:{self._positions.line(*path)}"

    def refuse(self, path, message):
        raise DefinitionError(f"{self.place(*path)}: {message}")

    def place_of(self, point, message):
        """FILE:LINE of the key that a message about a point speaks of, else of its workload."""
        for table in ("parameters", "options"):
            for key in self._table.get(table, {}):
                if key in message:
                    return self.place(table, key)
        name = point.columns["workload"]
        for path, column in ((("inputs",), "input"), (("workload", name, "input"), "input"),
                             (("modes",), "mode"), (("configuration",), "configuration")):
            if path[0] in self._table and str(point.columns[column]) in message:
                return self.place(*path)
        if name in self._table.get("workload", {}):
            return self.place("workload", name)
        return self.place("sets" if "sets" in self._table else "workloads")

    def _check_keys(self):
        for key in self._table:
            if key not in KEYS:
                self.refuse((key,), f"unknown key '{key}'{closest(key, KEYS)}")
        for key in ("parameters", "options", "workload"):
            if not isinstance(self._table.get(key, {}), dict):
                self.refuse((key,), f"'{key}' is a table: [{key}]")
        if "statistics" not in self._table:
            self.refuse((), "'statistics' is missing: the names that the CSV shall have")
        if ("sets" in self._table) == ("workloads" in self._table):
            self.refuse((), "expected either 'workloads' or 'sets'")
        strangers = OF_WORKLOADS if "sets" in self._table else ("size",)
        for key in (*strangers, *(["workload"] if "sets" in self._table else [])):
            if key in self._table:
                self.refuse((key,), f"'{key}' does not go together with "
                            f"'{'sets' if 'sets' in self._table else 'workloads'}'")
        for name, table in self._table.get("workload", {}).items():
            for key in table:
                if key not in WORKLOAD_KEYS:
                    self.refuse(("workload", name, key),
                                f"unknown key '{key}'{closest(key, WORKLOAD_KEYS)}")
            if "workload" not in table:
                self.refuse(("workload", name), "'workload' is missing: which one it is")
            if name not in self._axis("workloads"):
                self.refuse(("workload", name), f"'{name}' is not in 'workloads'")

    def _axis(self, *path):
        """The values of an axis: one value, a list or a range."""
        value = self._table
        for key in path:
            value = value[key]
        if isinstance(value, dict):
            return self._range(path, value)
        values = value if isinstance(value, list) else [value]
        if not values:
            self.refuse(path, f"'{path[-1]}' has no values")
        for i, one in enumerate(values):
            if isinstance(one, (list, dict)):
                self.refuse(path, f"{one!r} is no value of '{path[-1]}'")
            if any(one == other and type(one) is type(other) for other in values[:i]):
                text = str(one).lower() if isinstance(one, bool) else str(one)
                line = self._positions.of_value(path, text, 2)
                raise DefinitionError(f"{self.path}:{line}: '{path[-1]}' has {one!r} twice")
        return values

    def _range(self, path, table):
        for key in table:
            if key not in RANGE_KEYS:
                self.refuse((*path, key),
                            f"unknown key '{key}' of a range{closest(key, RANGE_KEYS)}")
        if not {"from", "to"} <= table.keys() or ("step" in table) == bool(table.get("log2")):
            self.refuse(path, "a range is { from = 8, to = 32, step = 8 } or "
                              "{ from = 8, to = 32, log2 = true }")
        first, last, step = table["from"], table["to"], table.get("step", 1)
        for one in (first, last, step):
            if isinstance(one, bool) or not isinstance(one, (int, float)):
                self.refuse(path, f"{one!r} in a range: expected a number")
        if step <= 0 or (table.get("log2") and first <= 0):
            self.refuse(path, "a range needs a step above 0, and with log2 a 'from' above 0")
        # Neither i * 0.1 nor a sum of many is the number that people write.
        steps = ((first * 2 ** i for i in itertools.count()) if table.get("log2") else
                 (round(first + i * step, 12) for i in itertools.count()))
        slack = 0 if isinstance(step, int) else step * 1e-9
        values = list(itertools.takewhile(lambda one: one <= last + slack, steps))
        if not values:
            self.refuse(path, f"'{path[-1]}' has no values: {first} is above {last}")
        return values

    def _read_conditions(self):
        conditions = []
        for text in self._axis("unless") if self._table.get("unless") else []:
            try:
                conditions.append(Condition(str(text)))
            except ConditionError as error:
                self.refuse(("unless",), str(error))
        return conditions

    def _left_out(self, point):
        try:
            out = any(condition.holds(point.columns) for condition in self._conditions)
        except ConditionError as error:
            self.refuse(("unless",), str(error))
        self.excluded += out
        return out

    def _table_axes(self, name):
        """[[(key, value) for each value] for each key] of [parameters] or [options]."""
        return [[(key, value) for value in self._axis(name, key)]
                for key in self._table.get(name, {})]

    def _optional(self, key, default):
        return self._axis(key) if key in self._table else [default]

    def _all_points(self):
        seeds = self._optional("seeds", None)
        for base, named in self._bases():
            for parameters in itertools.product(*self._table_axes("parameters")):
                for options in itertools.product(*self._table_axes("options")):
                    for seed in seeds:
                        yield self._point(base, named, parameters, options, seed)

    def _point(self, base, named, parameters, options, seed):
        """`base` with what the axes change."""
        given = [f"{key}={value}" for key, value in (*parameters, *options)]
        variant = " ".join([base.variant, *given]).strip()
        run = dataclasses.replace(
            base, variant=variant, seed=base.seed if seed is None else seed,
            parameters=tuple((dict(base.parameters) | dict(parameters)).items()),
            options=tuple((dict(base.options) | dict(options)).items()))
        columns = {**named, "workload": base.benchmark, "configuration": run.configuration,
                   "input": run.input, "mode": run.mode, "seed": run.seed, **dict(run.parameters),
                   **{f"option.{key}": value for key, value in run.options}}
        return Point(run, columns)

    def _bases(self):
        """(Run, columns of its own) of everything but parameters, options and seeds."""
        if "sets" in self._table:
            yield from self._bases_of_sets()
            return
        modes = self._optional("modes", "timed")
        for mode in modes:
            if mode not in MODES:
                self.refuse(("modes",), f"no mode '{mode}'{closest(str(mode), MODES)}")
        for name in self._axis("workloads"):
            entry = self._table.get("workload", {}).get(name, {"workload": name})
            for configuration, given, mode in itertools.product(
                    self._optional("configuration", None), self._optional("inputs", None), modes):
                yield Run(self.path.stem, "", name, "workload", entry["workload"],
                          entry.get("input", given), tuple(entry.get("options", {}).items()),
                          configuration, (), mode, 1), {}

    def _bases_of_sets(self):
        size = self._table.get("size", "small")
        if size not in SIZES:
            self.refuse(("size",), f"no size '{size}' (there are: {', '.join(SIZES)})")
        for name in self._axis("sets"):
            if name not in self._definitions.sets:
                self.refuse(("sets",), f"no set '{name}'{closest(name, self._definitions.sets)}")
            chosen = self._definitions.sets[name]
            for variant in chosen.variants:
                for benchmark in chosen.benchmarks:
                    yield (self._definitions.run(name, variant, benchmark, size),
                           {"set": name, "variant": variant})
