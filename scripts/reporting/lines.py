# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Which lines of a kernel wait: the file of `heddle run --lines`, added up by line of source."""
import pathlib

from reporting import stack
from reporting.errors import ReportError
from reporting.records import read_table

SLOTS = "issue_slots."
COUNTS = ("warp_instructions", "thread_instructions", "divergent_branches", "memory_instructions",
          "accesses", "bank_conflict_cycles", "waited_for", "lost")
# A page with more lines is slow to open, and nobody reads them.
MOST_LINES = 500
ENTRY = "<entry>"


def values(names, cells):
    """Of a line of the CSV: numbers and texts, None for an empty cell."""
    counts = (name.startswith(SLOTS) or name in (*COUNTS, "line", "pc") for name in names)
    return [(int(cell) if count else cell) if cell else None for cell, count in zip(cells, counts)]


def rows_of(file):
    """A list of {column: value}; an unknown value is None."""
    expected = "not a list of lines; expected what 'heddle run --lines FILE' writes"
    names, rows = read_table(file, expected, values)
    if names[:2] != ["file", "line"] or SLOTS + "issued" not in names:
        raise ReportError(file, expected)
    return [dict(zip(names, row)) for row in rows]


def place(row):
    """The name of a line, which its instructions have in common."""
    if row["pc"] is None:
        return "no instruction"
    if row["file"] == ENTRY:
        return f"entry of {row['function']}"
    if row["line"] is None:
        return f"{row['pc']:#010x} in {row['function']}"
    return f"{pathlib.Path(row['file']).name}:{row['line']}"


def read_lines(file):
    """Lines, the one that lost most cycles first; what belongs to no line comes last."""
    lines = {}
    for row in rows_of(file):
        key = (row["file"], place(row))
        line = lines.setdefault(key, {
            "place": place(row), "file": row["file"], "function": row["function"],
            "source": row["source"] if row["file"] else row["instruction"],
            "nowhere": row["pc"] is None, "slots": {}, **dict.fromkeys(COUNTS, 0)})
        for name in COUNTS:
            line[name] += row[name]
        for name, value in row.items():
            if name.startswith(SLOTS) and value:
                part = name.removeprefix(SLOTS)
                line["slots"][part] = line["slots"].get(part, 0) + value
    return sorted(lines.values(), key=lambda line: (line["nowhere"], -line["lost"], line["place"]))


def ratio(part, whole):
    return part / whole if whole else None


def table(lines):
    """What the page shows of the lines, and how many there are."""
    total = sum(sum(line["slots"].values()) for line in lines)
    longest = max((sum(line["slots"].values()) for line in lines if not line["nowhere"]),
                  default=0)
    shown = []
    for line in lines[:MOST_LINES]:
        issues = line["warp_instructions"]
        width = 0 if line["nowhere"] or not longest else longest
        shown.append({
            **line, "share": ratio(line["lost"], total), "issued": line["slots"].get("issued", 0),
            "lanes": ratio(line["thread_instructions"], issues),
            "diverged": ratio(line["divergent_branches"], issues),
            "per_access": ratio(line["accesses"], line["memory_instructions"]),
            "bar": stack.segments(line["slots"], width)})
    return shown, len(lines)
