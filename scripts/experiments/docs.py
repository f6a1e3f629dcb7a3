# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Tables of docs/*.md that are generated from rows and committed results.

A page holds blocks
    <!-- rows of PAPER: ID ID ... -->
    ...
    <!-- end of rows -->
with ids of rows; `numbers` stands for all rows of one value, without host times. The text between
is generated from docs/results/data/PAPER.csv, which has the values of the `small` size.
PAPER_ci.csv beside it has those of one seed at size `ci`: a test looks whether the model still gives
them. Blocks of host times are not compared, because host times differ from run to run.
"""
import re

from experiments import tables, verdicts
from experiments.store import write_whole

BLOCK = re.compile(r"(<!-- rows of (\w+): ([^>]*?) -->\n)(.*?)(<!-- end of rows -->)", re.DOTALL)
DOCUMENTED_SIZE = "small"
CI_SEEDS = 1


def data_file(root, paper, size):
    suffix = "" if size == DOCUMENTED_SIZE else f"_{size}"
    return root / "docs/results/data" / f"{paper.name}{suffix}.csv"


def image_file(root, paper, row):
    return root / "docs/images" / f"{paper.name}_{row.id}.svg"


def committed(root, paper, criteria):
    """{row id: Result} of the committed values; verdicts are computed anew."""
    values = tables.from_csv(data_file(root, paper, DOCUMENTED_SIZE), paper.rows)
    return {row.id: verdicts.judged(row, *values[row.id], criteria)
            for row in paper.rows if row.id in values}


def pages(root):
    return sorted((root / "docs").rglob("*.md"))


class UnknownRow(Exception):
    """A page asks for a row that there is not."""


def generated(page_text, page, paper, results):
    """Text of a page with its blocks of this paper filled in. Results may lack rows of host times,
    whose blocks then stay."""
    rows = {row.id: row for row in paper.rows}

    def fill(match):
        head, name, ids, old, tail = match.groups()
        if name != paper.name:
            return match[0]
        wanted = []
        for row_id in ids.split():
            if row_id == "numbers":
                wanted += [row.id for row in paper.rows if not row.columns and not row.host]
            elif row_id in rows:
                wanted.append(row_id)
            else:
                raise UnknownRow(f"{page}: no row '{row_id}' in rows/{paper.name}.toml")
        if any(row_id not in results for row_id in wanted):
            return match[0]
        return f"{head}\n{tables.markdown([results[row_id] for row_id in wanted])}\n{tail}"

    return BLOCK.sub(fill, page_text)


def shown(root, paper):
    """Whether a page has tables of the paper. Only then are values committed."""
    return any(match[2] == paper.name for page in pages(root)
               for match in BLOCK.finditer(page.read_text("utf-8")))


def write_pages(root, paper, results):
    """Fills all blocks of a paper; returns the pages that changed."""
    changed = []
    for page in pages(root):
        old = page.read_text("utf-8")
        new = generated(old, page, paper, results)
        if new != old:
            write_whole(page, new)
            changed.append(page)
    return changed


def stale(root, paper, criteria):
    """What is not as the definitions and the committed values say: a list of messages."""
    file = data_file(root, paper, DOCUMENTED_SIZE)
    if not file.exists():
        return [f"{file}: no such file"] if shown(root, paper) else []
    results = committed(root, paper, criteria)
    found = []
    if tables.csv(results.values()) != file.read_text("utf-8"):
        found.append(f"{file}: not what the rows of {paper.name} give")
    found += [f"row '{one.row.id}' of {paper.name} agrees, and is marked as not explained"
              for one in results.values()
              if one.row.not_explained and one.verdict == verdicts.AGREES]
    for page in pages(root):
        text = page.read_text("utf-8")
        if generated(text, page, paper, results) != text:
            found.append(f"{page}: a table of {paper.name} is out of date")
    return found
