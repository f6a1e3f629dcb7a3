# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""All papers on one page: their main claims, and how many rows agree.

A page of docs/ holds blocks
    <!-- overview of papers: claims -->
    ...
    <!-- end of overview -->
with `claims` or `counts`, generated from the committed values of all papers. A paper here is a file
of rows with claims; the rows of the other files, as of boards, are counted for themselves.
"""
import dataclasses
import re

from experiments import docs, tables, verdicts
from experiments.store import write_whole

BLOCK = re.compile(r"(<!-- overview of papers: ([a-z]+) -->\n)(.*?)(<!-- end of overview -->)",
                   re.DOTALL)
TOTAL = "all papers"
COUNTED = ["rows with a paper's value", "agrees", "direction", "differs", "failed",
           "not explained", "share that agrees", "share with the direction"]


def counted(papers, results):
    """[(name, Counts)] of the papers with claims, their total, and the other files of rows that
    have a value to count. `results`: {paper name: its Results}."""
    counts = {paper.name: verdicts.Counts.of(results[paper.name]) for paper in papers}
    claiming = [paper.name for paper in papers if paper.claims]
    total = verdicts.Counts.of([one for name in claiming for one in results[name]])
    return ([(name, counts[name]) for name in claiming]
            + ([(TOTAL, total)] if claiming else [])
            + [(name, one) for name, one in counts.items() if name not in claiming and one.rows])


def line(counts):
    """The cells of a line of counts, as COUNTED."""
    return [*map(str, (counts.rows, counts.agrees, counts.direction, counts.differs,
                       counts.failed, counts.not_explained)),
            f"{100 * counts.agrees / counts.rows:.0f} %",
            f"{100 * (counts.agrees + counts.direction) / counts.rows:.0f} %"]


def text(papers, results):
    """The counts for a terminal."""
    lines = [[name, *line(counts)] for name, counts in counted(papers, results)]
    return "\n".join(["verdicts", *tables.aligned(["", *COUNTED], lines, left=1)])


def link(name):
    return name if name == TOTAL else f"[{name}]({name}.md)"


def claims(papers, results):
    """A table of three claims for each paper."""
    parts = []
    for paper in papers:
        rows = [one for one in results[paper.name] if one.row.claim]
        if rows:
            header, lines = tables.comparison(rows, "claim")
            parts += [f"{paper.title}: [{paper.name}.md]({paper.name}.md)\n",
                      tables.markdown_table(header, lines)]
    return "\n".join(parts)


def generated(page_text, page, papers, results):
    """Text of a page with its blocks filled in."""
    def fill(match):
        head, what, _, tail = match.groups()
        if what == "claims":
            content = claims(papers, results)
        elif what == "counts":
            content = tables.markdown_table(
                ["", *COUNTED],
                [[link(name), *line(counts)] for name, counts in counted(papers, results)])
        else:
            raise docs.UnknownRow(f"{page}: no overview '{what}' (there are: claims, counts)")
        return f"{head}\n{content}\n{tail}"

    return BLOCK.sub(fill, page_text)


def filled(root, definitions):
    """[(page, its text, its text as it should be)] of the pages with a block."""
    found = [(page, page.read_text("utf-8")) for page in docs.pages(root)]
    found = [(page, old) for page, old in found if BLOCK.search(old)]
    if not found:
        return []
    papers = [definitions.paper(name) for name in definitions.papers()]
    papers = [dataclasses.replace(paper, rows=[row for row in paper.rows if row.criterion])
              for paper in papers if docs.shown(root, paper)]
    results = {paper.name: list(docs.committed(root, paper, definitions.criteria).values())
               for paper in papers}
    return [(page, old, generated(old, page, papers, results)) for page, old in found]


def write_pages(root, definitions):
    """Fills all blocks; returns the pages that changed."""
    changed = []
    for page, old, new in filled(root, definitions):
        if new != old:
            write_whole(page, new)
            changed.append(page)
    return changed


def stale(root, definitions):
    """What is not as the definitions and the committed values say: a list of messages."""
    return [f"{page}: the overview of papers is out of date"
            for page, old, new in filled(root, definitions) if new != old]
