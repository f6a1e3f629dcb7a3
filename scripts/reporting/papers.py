# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""The rows of a paper: values.csv and figures of scripts/paper."""
import base64
import math
import re

from reporting.errors import ReportError
from reporting.numbers import NOTHING, plain
from reporting.records import read_csv

COLUMNS = ["row", "place", "text", "line", "column", "unit", "ours", "half_width", "paper",
           "verdict"]
VERDICTS = ["agrees", "direction", "differs", "failed"]


def is_paper(file):
    try:
        with open(file, encoding="utf-8") as opened:
            return opened.readline().strip() == ",".join(COLUMNS)
    except (OSError, UnicodeDecodeError):
        return False


def number(text):
    """The number that a text begins with; None without one."""
    found = re.match(r"[+-]?\d+(\.\d+)?(e[+-]?\d+)?", text)
    return float(found[0]) if found else None


def offset(ours, paper, unit):
    """How far ours is from the paper's: log2 of the quotient, from -1 to 1. Changes in percent
    are factors: +50 % is 1.5."""
    a, b = number(ours), number(paper)
    if a is None or b is None:
        return None
    if unit == "%":
        a, b = 1 + a / 100, 1 + b / 100
    if a <= 0 or b <= 0:
        return None
    return max(-1.0, min(1.0, math.log2(a / b)))


def in_figure(file):
    """A picture as text that a page can hold."""
    try:
        return "data:image/svg+xml;base64," + base64.b64encode(file.read_bytes()).decode()
    except OSError:
        return None


def rows(file):
    names, lines = read_csv(file)
    found = [dict(zip(names, line)) for line in lines]
    for at, one in enumerate(found, 2):
        if one["verdict"] and one["verdict"] not in VERDICTS:
            raise ReportError(file, f"line {at}: unknown verdict '{one['verdict']}'; legal: "
                              + ", ".join(VERDICTS))
    if not found:
        raise ReportError(file, "there are no rows in it")
    return found


def content(file):
    """Everything that paper.html needs."""
    single, tables = [], {}
    for one in rows(file):
        if one["column"]:
            table = tables.setdefault(one["row"], {**one, "lines": {}, "columns": []})
            if one["column"] not in table["columns"]:
                table["columns"].append(one["column"])
            table["lines"].setdefault(one["line"], {})[one["column"]] = number(one["ours"]) \
                if number(one["ours"]) is not None else one["ours"]
        else:
            value = number(one["ours"])
            shown = one["ours"] if value is None else value
            percent = one["unit"] == "%" and value is not None
            text = f"{value:+.2f}" if percent else plain(shown)
            width = number(one["half_width"])
            interval = "" if width is None else f" ± {width:.2f}" if percent else f" ± {plain(width)}"
            single.append({**one, "value": shown, "shown": (text or NOTHING) + interval,
                           "offset": offset(one["ours"], one["paper"], one["unit"])})
    for name, table in tables.items():
        table["figure"] = in_figure(file.parent / f"{name}.svg")
    counts = [(verdict, sum(one["verdict"] == verdict for one in single)) for verdict in VERDICTS]
    name = "/".join(file.parent.parts[-2:]) if file.name == "values.csv" else file.stem
    return {"title": f"{name}: ours beside the paper's", "single": single,
            "tables": list(tables.values()),
            "counts": [(verdict, count) for verdict, count in counts if count]}
