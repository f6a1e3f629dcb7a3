# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Many runs: the CSV of a sweep with its units, or the statistics files of the runs."""
from reporting.errors import ReportError
from reporting.numbers import short
from reporting.records import read_csv

UNITS = ["name", "unit", "kind"]
KINDS = ("axis", "statistic")
# What to look at first, if the sweep has it.
FIRST = ["gpu.cycles", "gpu.ipc", "gpu.simd_efficiency", "gpu.smx_occupancy", "gpu.l1d_miss_rate",
         "gpu.l2_miss_rate", "gpu.dram_bandwidth_utilization"]


class Column:
    """An axis or a statistic: its name, its unit and a value for each run; None is no value."""

    def __init__(self, name, unit, values, description=""):
        self.name, self.unit, self.values = name, unit, values
        self.description = description

    def different(self):
        """Different values: numbers in their order, texts in that of the runs."""
        found = list(dict.fromkeys(self.values))
        if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in found):
            found.sort()
        return found


def units_file(file):
    return file.with_name(f"{file.stem}.units.csv")


def is_sweep(file):
    return file.suffix == ".csv" and units_file(file).is_file()


def parsed(text):
    """A cell: a number, a text, or None for nothing."""
    if text == "":
        return None
    for kind in (int, float):
        try:
            value = kind(text)
        except ValueError:
            continue
        if value != value or value in (float("inf"), float("-inf")):
            return None
        return value
    return text


def axis_values(cells):
    """Numbers if all are numbers, so that one axis has one kind of value."""
    values = [parsed(cell) for cell in cells]
    if all(isinstance(value, (int, float)) for value in values):
        return values
    return ["" if cell == "" else cell for cell in cells]


def read_units(file):
    """{name: (unit, kind)}"""
    names, lines = read_csv(file)
    if names[:3] != UNITS:
        raise ReportError(file, f"line 1 is not '{','.join(UNITS)}'")
    found = {}
    for at, line in enumerate(lines, 2):
        name, unit, kind = line[:3]
        if kind not in KINDS:
            raise ReportError(file, f"line {at}: unknown kind '{kind}' of '{name}'; legal: "
                              + ", ".join(KINDS))
        found[name] = unit, kind
    return found


def read(file):
    """(axes, statistics) of a sweep's CSV."""
    units = read_units(units_file(file))
    names, lines = read_csv(file)
    for name in names:
        if name not in units:
            raise ReportError(file, f"there is no column '{name}' in '{units_file(file).name}'")
    if not lines:
        raise ReportError(file, "there are no runs in it")
    axes, statistics = [], []
    for at, name in enumerate(names):
        cells = [line[at] for line in lines]
        unit, kind = units[name]
        if kind == "axis":
            axes.append(Column(name, unit, axis_values(cells)))
            continue
        values = [parsed(cell) for cell in cells]
        for line, value in enumerate(values, 2):
            if isinstance(value, str):
                raise ReportError(file, f"line {line}: statistic '{name}' is '{value}', expected "
                                  "a number")
        statistics.append(Column(name, unit, values))
    if all(value is None for one in statistics for value in one.values):
        raise ReportError(file, "no statistic in it has a value")
    return axes, statistics


def of_runs(runs, machine):
    """(axes, statistics): facts and parameters that differ, statistics of the whole machine."""
    known = machine.parameters()
    axes = []
    for of in (lambda run: run.facts, lambda run: run.configuration):
        for key in dict.fromkeys(key for run in runs for key in of(run)):
            values = [of(run).get(key) for run in runs]
            if any(value != values[0] for value in values):
                values = [text_of(value) for value in values]
                one = known.get(key, {})
                axes.append(Column(key, one.get("unit", ""), values, one.get("description", "")))
    if not axes:
        axes.append(Column("file", "", [run.file.name for run in runs]))
    names = dict.fromkeys(name for run in runs for name in run.statistics)
    statistics = []
    for name in names:
        one = next(run.statistics[name] for run in runs if name in run.statistics)
        statistics.append(Column(name, one.get("unit", ""), [run.value(name) for run in runs],
                                 one.get("description", "")))
    return axes, statistics


def text_of(value):
    """Whole numbers and fractions stay numbers."""
    if value is None:
        return ""
    return ("true" if value else "false") if isinstance(value, bool) else value


def content(title, axes, statistics):
    """Everything that sweep.html needs."""
    count = len(statistics[0].values)
    varied = [axis for axis in axes if len(axis.different()) > 1]
    if not varied:
        varied = [Column("run", "", list(range(1, count + 1)))]
    constant = [(axis.name, axis.values[0]) for axis in axes if axis not in varied]
    order = {name: at for at, name in enumerate(FIRST)}
    statistics = sorted((one for one in statistics if any(v is not None for v in one.values)),
                        key=lambda one: order.get(one.name, len(order)))
    data = {"axes": [], "statistics": []}
    for axis in varied:
        different = axis.different()
        at = {value: index for index, value in enumerate(different)}
        data["axes"].append({"name": axis.name, "unit": axis.unit,
                             "values": ["none" if value == "" else value for value in different],
                             "of": [at[value] for value in axis.values]})
    for one in statistics:
        data["statistics"].append({"name": one.name, "unit": one.unit,
                                   "description": one.description,
                                   "values": [short(value) for value in one.values]})
    return {"title": title, "run_count": count, "varied": varied, "constant": constant,
            "data": data, "statistic_count": len(statistics)}
