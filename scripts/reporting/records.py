# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Files of records beside the statistics of a run: --series and --launches."""
import csv
import json

from reporting.errors import ReportError

# A chart has no more points than a screen has columns for it.
MOST_POINTS = 300
# The sum of these over several intervals means something; all others are means over time.
COUNTS = ("instructions", "accesses", "misses", "cycles", "bytes", "issue_slots", "branches",
          "blocks", "launches", "fails", "time")
MOST_LAUNCHES = 1000


def number(text):
    """A number of a CSV; None for an empty cell."""
    if text == "":
        return None
    try:
        return int(text)
    except ValueError:
        return float(text)


def read_csv(file):
    """Names of the columns, and the lines."""
    try:
        with open(file, encoding="utf-8", newline="") as opened:
            lines = list(csv.reader(opened))
    except OSError as error:
        raise ReportError(file, error.strerror) from None
    except (UnicodeDecodeError, csv.Error):
        raise ReportError(file, "not a CSV file") from None
    lines = [line for line in lines if line]
    if not lines:
        raise ReportError(file, "the file is empty")
    for at, line in enumerate(lines[1:], 2):
        if len(line) != len(lines[0]):
            raise ReportError(file, f"line {at} has {len(line)} cells, but line 1 names "
                              f"{len(lines[0])} columns")
    return lines[0], lines[1:]


def read_table(file, expected, values):
    """Names of the columns and rows of a record, in CSV or JSON. `values(names, row)` are those of a
    CSV's cells; `expected` says what is wrong with a file that is no such record."""
    try:
        if file.suffix == ".json":
            contents = json.loads(file.read_text("utf-8"))
            return [column["name"] for column in contents["columns"]], contents["rows"]
        names, rows = read_csv(file)
        return names, [values(names, row) for row in rows]
    except OSError as error:
        raise ReportError(file, error.strerror) from None
    except (ValueError, KeyError, TypeError):
        raise ReportError(file, expected) from None


def series_columns(file):
    """{column: values} of a series, in CSV or JSON."""
    expected = "not a series; expected what 'heddle run --series FILE' writes"
    names, rows = read_table(file, expected, lambda _, row: [number(cell) for cell in row])
    if names[:2] != ["interval.start", "interval.end"]:
        raise ReportError(file, expected)
    columns = zip(*rows) if rows else [() for _ in names]
    return dict(zip(names, (list(column) for column in columns)))


def is_count(name):
    last = name.split(".")[1] if name.startswith("gpu.issue_slots") else name.rsplit(".", 1)[-1]
    return last.endswith(COUNTS) and "per" not in last.split("_")


def mean(values, weights):
    pairs = [(value, weight) for value, weight in zip(values, weights) if value is not None]
    weight = sum(weight for _, weight in pairs)
    return sum(value * weight for value, weight in pairs) / weight if weight else None


def read_series(file):
    """{column: values}, with neighbouring intervals put together until a chart has room for them."""
    columns = series_columns(file)
    starts, ends = columns["interval.start"], columns["interval.end"]
    group = -(-len(starts) // MOST_POINTS) or 1
    if group == 1:
        return columns
    lengths = [end - start for start, end in zip(starts, ends)]
    shorter = {name: [] for name in columns}
    for at in range(0, len(starts), group):
        some = slice(at, at + group)
        for name, values in columns.items():
            part = values[some]
            if name == "interval.start":
                shorter[name].append(part[0])
            elif name == "interval.end":
                shorter[name].append(part[-1])
            elif is_count(name):
                shorter[name].append(sum(value or 0 for value in part))
            else:
                shorter[name].append(mean(part, lengths[some]))
    return shorter


def read_launches(file):
    """A list of {column: text} of --launches."""
    names, rows = read_csv(file)
    if names[:3] != ["launch", "kernel", "source"]:
        raise ReportError(file, "not a list of launches; expected what 'heddle run --launches "
                          "FILE.csv' writes")
    return [dict(zip(names, row)) for row in rows]
