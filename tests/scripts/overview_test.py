# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""The page of all papers, what is not explained, and scripts/paper --all."""
import unittest

from paper_fixture import ROOT, ROWS, PaperTest

from experiments import docs, overview
from experiments.definitions import CLAIMS, DefinitionError, Definitions
from experiments.expressions import Failed
from experiments.verdicts import Counts, Result

OTHER = """
[paper]
title = "Boards"
seeds = 1
runs = ["base"]
[[row]]
id = "board"
place = "text"
text = "a board"
paper = "higher"
criterion = "claim"
ours = "base.old['gpu.ipc']['A']"
"""
THIRD = """
[[row]]
id = "third"
place = "text"
text = "a third"
claim = "The third holds"
paper = "lower"
criterion = "claim"
note = "by far"
ours = "base.old['gpu.ipc']['A']"
"""
CLAIMING = (ROWS.replace('id = "gain"\n', 'id = "gain"\nclaim = "New gains"\n')
            .replace('id = "gain_a"\n', 'id = "gain_a"\nclaim = "A gains"\n') + THIRD)
PAGE = """# Page
<!-- rows of test: numbers -->
<!-- end of rows -->
<!-- rows of other: numbers -->
<!-- end of rows -->
"""
OVERVIEW = """# Overview
<!-- overview of papers: claims -->
<!-- end of overview -->
Between.
<!-- overview of papers: counts -->
<!-- end of overview -->
"""


class OverviewTest(PaperTest):
    def two(self, rows=CLAIMING, other=OTHER):
        self.define(rows=rows)
        (self.place / "rows/other.toml").write_text(other)

    def all(self, *words, code=0):
        return self.paper("--all", *words, code=code, name=None)

    def tree(self):
        """A tree whose docs/ were written by the command."""
        self.take_finished_runs()
        root = self.place / "tree"
        (root / "docs/images").mkdir(parents=True)
        self.page, self.overview = root / "docs/page.md", root / "docs/overview.md"
        self.page.write_text(PAGE)
        self.overview.write_text(OVERVIEW)
        self.output = self.all("--docs", str(root))
        return root

    def stale(self, root):
        return overview.stale(root, Definitions(self.place))

    def test_all_papers_are_one_list_of_runs(self):
        self.two()
        output = self.all()
        self.assertEqual(output.count(" runs, 0 of them stored"), 1)
        self.assertIn("6 runs, 0 of them stored", output)
        self.assertEqual(len(self.runs()), 6)
        boards, paper, counts = (output.index(text) for text in
                                 ("Boards\nsize small", "A paper\nsize small", "\nverdicts\n"))
        self.assertTrue(boards < paper < counts, output)
        self.assertRegex(output[counts:], r"\n  test +3 .*\n  all papers +3 .*\n  other +1 +1 ")
        for name in ("test", "other"):
            self.assertTrue((self.place / "store" / name / "small/values.csv").exists())

    def test_all_goes_without_names(self):
        self.two()
        self.assertIn("not allowed with argument", self.paper("--all", code=2))
        self.assertIn("is required", self.paper(code=2, name=None))
        self.assertIn("--only names rows of one paper", self.all("--only", "board", code=2))

    def test_a_mistake_names_the_paper(self):
        self.two(other=OTHER.replace("gpu.ipc", "gpu.ipcs"))
        self.assertIn("other: row 'board': base.old[A] has no statistic", self.all(code=2))

    def test_the_page_has_claims_and_counts(self):
        self.two()
        root = self.tree()
        self.assertIn(f"written: {self.overview}", self.output)
        text = self.overview.read_text()
        self.assertRegex(text, r"\nA paper: \[test.md\]\(test.md\)\n\n\| claim \| place \| paper \| "
                         r"here \| verdict \| note \|\n(\| --- )+\|\n\| New gains \| text \| "
                         r"\+10 % \| [^|]* \| \w+ \|  \|\n\| A gains \| .*\n"
                         r"\| The third holds \| text \| lower \| [0-9.]+ \| differs \| by far \|\n\n"
                         "<!-- end of overview -->")
        self.assertNotIn("Boards", text)
        self.assertRegex(text, r"\| \[test\]\(test.md\) \| 3 \| .*\n\| all papers \| 3 \| .*\n"
                         r"\| \[other\]\(other.md\) \| 1 \| 1 \| 0 \| 0 \| 0 \| 0 \| 100 % \| "
                         r"100 % \|\n")
        self.assertEqual(self.stale(root), [])

    def test_a_stale_page_is_found(self):
        self.two()
        root = self.tree()
        text = self.overview.read_text()
        self.overview.write_text(text.replace("| all papers | 3", "| all papers | 4"))
        self.assertEqual(len(self.stale(root)), 1)
        self.overview.write_text(text.replace("| New gains", "| Old gains"))
        self.assertEqual(len(self.stale(root)), 1)
        self.overview.write_text(text)
        self.two(rows=CLAIMING.replace("paper = 10", "paper = 11"))
        self.assertEqual(len(self.stale(root)), 1)
        self.two()
        data = root / "docs/results/data/test.csv"
        lines = [line.replace("third,text,a third,,,,", "third,text,a third,,,,-")
                 for line in data.read_text().splitlines(True)]
        data.write_text("".join(lines))
        self.assertEqual(len(self.stale(root)), 1)
        self.overview.write_text("No block.")
        self.assertEqual(self.stale(root), [])
        self.overview.write_text("<!-- overview of papers: all -->\n<!-- end of overview -->\n")
        with self.assertRaisesRegex(docs.UnknownRow, "no overview 'all'"):
            self.stale(root)

    def test_values_of_another_paper_that_lack_are_named(self):
        self.two()
        root = self.tree()
        text = self.overview.read_text()
        self.overview.write_text(text.replace("New gains", "Old gains"))
        data = root / "docs/results/data/other.csv"
        data.rename(self.place / "other.csv")
        self.assertIn(f"not written: the overview of papers, because {data}: no such file",
                      self.paper("--docs", str(root)))
        (self.place / "other.csv").rename(data)
        data.write_text(data.read_text().replace("board,", "bored,"))
        self.assertIn(f"because {data} has no row 'board'", self.paper("--docs", str(root)))
        self.assertNotEqual(self.overview.read_text(), text)
        self.all("--docs", str(root))
        self.assertEqual(self.overview.read_text(), text)

    def test_what_is_not_explained_is_shown_and_counted(self):
        mark = CLAIMING.replace('id = "third"\n', 'id = "third"\nnot_explained = true\n')
        self.two(rows=mark)
        root = self.tree()
        self.assertIn("| a third | text | lower | ", self.page.read_text())
        self.assertIn(" | differs, not explained | by far |", self.page.read_text())
        self.assertIn(" | differs, not explained | by far |", self.overview.read_text())
        self.assertRegex(self.overview.read_text(), r"\| all papers \| 3 \|( \d \|){4} 1 \|")
        self.assertIn("not explained 1", self.output)
        # In the CSV it is no verdict.
        self.assertRegex((root / "docs/results/data/test.csv").read_text(), "third,.*,differs\n")
        self.two(rows=mark.replace('paper = "lower"', 'paper = "higher"'))
        self.paper("--docs", str(root))
        definitions = Definitions(self.place)
        self.assertEqual(docs.stale(root, definitions.paper("test"), definitions.criteria),
                         ["row 'third' of test agrees, and is marked as not explained"])

    def test_counts(self):
        def counts(*verdicts):
            row = type("Row", (), {"not_explained": True})
            return Counts.of([Result(row, {}, {}, verdict) for verdict in verdicts])

        one = counts("agrees", "differs", "", "direction", "failed", "differs")
        self.assertEqual((one.rows, one.differs), (5, 2))
        self.assertEqual(one.text(), "agrees 1, direction 1, differs 2, failed 1, not explained 5")
        self.assertEqual(overview.line(one), ["5", "1", "1", "2", "1", "5", "20 %", "40 %"])
        self.assertEqual(counts("").rows, 0)


class ClaimTest(PaperTest):
    def test_a_paper_has_three_claims_or_none(self):
        self.define(rows=CLAIMING)
        self.assertEqual([row.id for row in Definitions(self.place).paper("test").claims],
                         ["gain", "gain_a", "third"])
        for rows in (CLAIMING.replace('claim = "A gains"\n', ""),
                     CLAIMING + THIRD.replace('"third"', '"fourth"')):
            self.define(rows=rows)
            with self.assertRaisesRegex(DefinitionError, r"\d of them have a 'claim': 3 or none"):
                Definitions(self.place).paper("test")

    def test_claims_need_a_value_of_the_paper(self):
        for key in ('claim = "Host"', "not_explained = true"):
            self.define(rows=ROWS.replace('id = "host"\n', f'id = "host"\n{key}\n'))
            with self.assertRaisesRegex(DefinitionError, "row 'host': 'claim' and 'not_explained'"):
                Definitions(self.place).paper("test")


class TreeTest(unittest.TestCase):
    """docs/ of this tree."""

    def test_each_paper_has_three_claims(self):
        definitions = Definitions(ROOT / "scripts/experiments")
        for name in ("warp_scheduling", "control_flow", "dynamic_launch", "transactional_memory",
                     "cooperative_kernels"):
            self.assertEqual(len(definitions.paper(name).claims), CLAIMS, name)

    def test_the_page_is_not_stale(self):
        text = (ROOT / "docs/results/README.md").read_text("utf-8")
        self.assertEqual([match[2] for match in overview.BLOCK.finditer(text)],
                         ["claims", "counts"])
        self.assertEqual(overview.stale(ROOT, Definitions(ROOT / "scripts/experiments")), [],
                         "scripts/paper --all --docs writes the page anew")


if __name__ == "__main__":
    unittest.main()
