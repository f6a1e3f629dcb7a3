# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Results of rows as text for a terminal, as Markdown and as CSV, and back from CSV."""
import csv as csv_format
import io

from experiments.expressions import Failed
from experiments.verdicts import by_lines

COLUMNS = ["row", "place", "text", "line", "column", "unit", "ours", "half_width", "paper",
           "verdict"]


class StaleResults(Exception):
    """A CSV of results lacks a row that is defined now."""


def shown(value, half_width, row, with_unit=True):
    """A value as people read it, with its interval. One that rounds to 0 is left out."""
    if isinstance(value, Failed):
        return "failed"
    if value is None:
        return "-"
    if isinstance(value, list):
        return " ".join(value) or "none"
    width = f"{half_width or 0:.{row.digits}f}"
    interval = f" ± {width}" if float(width) else ""
    if row.unit == "%":
        return f"{value:+.{row.digits}f}{interval} %"
    unit = f" {row.unit}" if with_unit and row.unit else ""
    return f"{value:.{row.digits}f}{interval}{unit}"


def paper_value(row):
    if row.paper is None:
        return ""
    if isinstance(row.paper, list):
        return " ".join(row.paper)
    if isinstance(row.paper, str):
        return row.paper
    return f"{row.paper:{'+' if row.unit == '%' else ''}g} {row.unit}".strip()


def title(row):
    unit = f" ({row.unit})" if row.unit not in ("", "%") else ""
    return f"{row.place}: {row.text}{unit}"


def grid(result):
    """Header and lines of a table row."""
    columns = list(result.row.columns)
    lines = list(dict.fromkeys(line for line, _ in result.cells))
    return ["", *columns], [[line or "", *(shown(result.cells[line, column],
                                                 result.half_widths.get((line, column)),
                                                 result.row, False)
                                           for column in columns)] for line in lines]


def comparison(results, first="quantity"):
    """Header and lines of the rows that have one value each. `first`: "quantity" or "claim"."""
    return ([first, "place", "paper", "here", "verdict", "note"],
            [[one.row.claim if first == "claim" else one.row.text, one.row.place, paper_value(one.row),
              shown(one.value, one.half_width, one.row), verdict(one), one.row.note]
             for one in results])


def verdict(result):
    """The verdict, and whether the page says that it has no explanation."""
    return result.verdict + (", not explained" if result.row.not_explained else "")


def grouped(results):
    """Lists of results that make one table: a table row alone, other rows with their neighbours."""
    groups = []
    for one in results:
        if one.row.columns or not groups or groups[-1][-1].row.columns:
            groups.append([one])
        else:
            groups[-1].append(one)
    return groups


def text(results):
    """All results for a terminal."""
    parts = []
    for group in grouped(results):
        first = group[0].row
        if first.columns:
            parts.append("\n".join([title(first), *aligned(*grid(group[0]), left=1)]
                                   + ([f"  ({first.note})"] if first.note else [])))
        else:
            parts.append("\n".join(["beside the paper",
                                    *aligned(*comparison(group), left=2)]))
    return "\n\n".join(parts)


def aligned(header, lines, left):
    """Lines of a table; the first `left` columns and the last two of a longer one begin at the
    left, numbers end at the right."""
    widths = [max(len(line[i]) for line in [header, *lines]) for i in range(len(header))]
    to_left = [i < left or (left > 1 and i >= len(header) - 2) for i in range(len(header))]
    for line in [header, *lines]:
        cells = [cell.ljust(width) if flush else cell.rjust(width)
                 for cell, width, flush in zip(line, widths, to_left)]
        yield "  " + "  ".join(cells).rstrip()


def markdown(results):
    """All results as Markdown tables, each table row under its title."""
    parts = []
    for group in grouped(results):
        first = group[0].row
        if first.columns:
            header, lines = grid(group[0])
            parts.append(f"{title(first)}\n")
        else:
            header, lines = comparison(group)
        parts.append(markdown_table(header, lines))
        if first.columns and first.note:
            parts.append(f"({first.note})\n")
    return "\n".join(parts)


def markdown_table(header, lines):
    return "\n".join("| " + " | ".join(line) + " |" for line in
                     [header, ["---"] * len(header), *lines]) + "\n"


def written(value):
    """A value in CSV. Twelve digits: further ones depend on the library of the logarithm."""
    if isinstance(value, Failed):
        return f"failed: {value.run}"
    if value is None:
        return ""
    if isinstance(value, list):
        return " ".join(value) or "none"
    return format(value, ".12g") if isinstance(value, float) else str(value)


def csv(results):
    """All values, a line each. Host times are left out: they differ from run to run."""
    lines = [[one.row.id, one.row.place, one.row.text, line or "", column or "", one.row.unit,
              written(value), written(one.half_widths.get((line, column))), paper_value(one.row),
              one.verdict]
             for one in results if not one.row.host for (line, column), value in one.cells.items()]
    stream = io.StringIO()
    csv_format.writer(stream, lineterminator="\n").writerows([COLUMNS, *lines])
    return stream.getvalue()


def read(cell):
    """A value of a CSV."""
    if cell.startswith("failed: "):
        return Failed(cell.removeprefix("failed: "))
    if cell in ("", "none"):
        return [] if cell else None
    for number in (int, float):
        try:
            return number(cell)
        except ValueError:
            pass
    return cell.split(" ")


def from_csv(file, rows):
    """{row id: (cells, half widths)} of a CSV that csv() wrote; rows of host times have none."""
    if not file.exists():
        raise StaleResults(f"{file}: no such file: scripts/paper writes it with --docs")
    cells = {row.id: {} for row in rows if not row.host}
    widths = {name: {} for name in cells}
    for one in csv_format.DictReader(io.StringIO(file.read_text("utf-8"), newline="")):
        if one["row"] in cells:
            cell = (one["line"] or None, one["column"] or None)
            cells[one["row"]][cell] = read(one["ours"])
            if one["half_width"]:
                widths[one["row"]][cell] = read(one["half_width"])
    for name, found in cells.items():
        if not found:
            raise StaleResults(f"{file} has no row '{name}': scripts/paper writes it with --docs")
    return {name: (by_lines(found), widths[name]) for name, found in cells.items()}
