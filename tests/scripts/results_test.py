# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""What scripts/paper prints and writes, and that tables of docs/ can't go stale unnoticed."""
import os
import pathlib
import subprocess
import tempfile
import unittest

from paper_fixture import CHARTED, CRITERIA, ROOT, ROWS, PaperTest

from experiments import docs
from experiments.definitions import Definitions

PAGE = """# Results
<!-- rows of test: table numbers -->
<!-- end of rows -->
Text <!-- rows of test: gain_a --> is no block.

<!-- rows of test: host -->
<!-- end of rows -->
"""


class ResultsTest(PaperTest):
    def setUp(self):
        super().setUp()
        self.take_finished_runs()

    def test_a_paper_value_or_criterion_changes_its_verdict_only(self):
        first = self.paper()
        lines = self.csv().splitlines()
        gain = next(line for line in lines if line.startswith("gain,"))
        value = float(gain.split(",")[6])
        for rows, criteria in ((ROWS.replace("paper = 10", f"paper = {value}"), CRITERIA),
                               (ROWS.replace("paper = 10", f"paper = {-value}"), CRITERIA),
                               (ROWS.replace("paper = 10", f"paper = {2 * value}"), CRITERIA),
                               (ROWS.replace("paper = 10", f"paper = {2 * value}"),
                                CRITERIA.replace("0.3333", "0.51"))):
            self.define(rows=rows, criteria=criteria)
            output = self.paper()
            changed = self.csv().splitlines()
            self.assertEqual(self.runs(), [])
            self.assertEqual([line for line in changed if not line.startswith("gain,")],
                             [line for line in lines if not line.startswith("gain,")])
            now = next(line for line in changed if line.startswith("gain,")).split(",")
            self.assertEqual(now[:8], gain.split(",")[:8])
            expected = ("agrees" if f"paper = {value}" in rows or "0.51" in criteria else
                        "differs" if f"paper = {-value}" in rows else "direction")
            self.assertEqual(now[9], expected)

            def others(text):
                return [line for line in text.splitlines()
                        if not line.startswith(("  gain  ", "  quantity", "  gain of", "verdicts:",
                                                "6 runs,",
                                                "  host time"))]
            self.assertEqual(others(output), others(first))

    def test_only_shows_what_is_asked_for(self):
        output = self.paper("--only", "gain_a")
        self.assertIn("gain of A", output)
        self.assertNotIn("Fig. 1", output)
        self.assertEqual(len(self.csv().splitlines()), 2)

    def test_another_machine(self):
        self.assertIn("size small, l1d.mshrs=8, binary", self.paper("--set", "l1d.mshrs=8"))
        self.assertEqual(len(self.runs()), 6)
        self.assertTrue(all("--set l1d.mshrs=8" in run for run in self.runs()))

    def tree(self):
        """A tree whose docs/ were written by the command."""
        root = self.place / "tree"
        (root / "docs/images").mkdir(parents=True)
        self.page = root / "docs/page.md"
        self.page.write_text(PAGE)
        self.paper("--docs", str(root))
        return root

    def stale(self, root):
        definitions = Definitions(self.place)
        return docs.stale(root, definitions.paper("test"), definitions.criteria)

    def test_docs_are_written(self):
        self.define(rows=CHARTED)
        root = self.tree()
        text = self.page.read_text()
        self.assertIn("Fig. 1: IPC\n\n|  | old | new |\n| --- | --- | --- |\n| A | ", text)
        self.assertIn("| gain | text | +10 % | ", text)
        self.assertRegex(text, r"\| host time \| host \|  \| [0-9.]+")
        self.assertIn("is no block.", text)
        self.assertTrue((root / "docs/images/test_table.svg").exists())
        self.assertTrue((root / "docs/results/data/test_ci.csv").exists())
        self.assertEqual(self.stale(root), [])
        self.paper("--docs", str(root))
        self.assertEqual(self.page.read_text(), text)

    def test_a_value_that_the_csv_rounds_is_rounded_in_the_table_too(self):
        self.define(rows=ROWS.replace("ours = \"base.{column}['gpu.ipc']\"",
                                      "digits = 2\nours = \"0.2350000000000001\""))
        root = self.tree()
        self.assertEqual(self.stale(root), [])

    def test_docs_have_means_and_intervals(self):
        self.define(rows=CHARTED.replace("seeds = 1", "seeds = 2"))
        root = self.tree()
        self.assertRegex(self.page.read_text(), r"\| A \| [0-9.]+ ± [0-9.]+ \| ")
        self.assertIn("LineCollection", (root / "docs/images/test_table.svg").read_text())
        self.assertEqual(self.stale(root), [])
        # Values for later checks of the model are those of one seed.
        ci = (root / "docs/results/data/test_ci.csv").read_text().splitlines()[1:]
        self.assertEqual({line.split(",")[7] for line in ci}, {""})
        # A half width is part of what a page shows.
        data = root / "docs/results/data/test.csv"
        lines = data.read_text().splitlines(True)
        cells = lines[1].split(",")
        cells[7] = str(2 * float(cells[7]))
        data.write_text("".join([lines[0], ",".join(cells), *lines[2:]]))
        self.assertEqual(len(self.stale(root)), 1)

    def test_stale_docs_are_found(self):
        root = self.tree()
        text = self.page.read_text()
        self.page.write_text(text.replace("| A | ", "| A | 9", 1))
        self.assertEqual(len(self.stale(root)), 1)
        host = "| host time | host |  | "
        self.page.write_text(text.replace(host, host + "7"))
        self.assertEqual(self.stale(root), [])
        self.define(rows=ROWS.replace("paper = 10", "paper = 11"))
        self.assertEqual(len(self.stale(root)), 2)
        self.define()
        data = root / "docs/results/data/test.csv"
        cell = "table,Fig. 1,IPC,A,old,,"
        data.write_text(data.read_text().replace(cell, cell + "1"))
        self.assertEqual(len(self.stale(root)), 1)

    def test_values_are_committed_for_papers_that_a_page_shows(self):
        root = self.tree()
        (root / "docs/results/data/test.csv").unlink()
        self.assertEqual(len(self.stale(root)), 1)
        self.page.write_text("No block.")
        self.assertEqual(self.stale(root), [])

    def test_failed_runs_write_no_docs(self):
        root = self.tree()
        text = self.page.read_text()
        runs = self.place / "runs/test.toml"
        runs.write_text(runs.read_text().replace('"second"', '"broken"'))
        self.paper("--docs", str(root), code=1)
        self.assertEqual(self.page.read_text(), text)


class CommittedTest(unittest.TestCase):
    """docs/ of this tree."""

    def test_tables_are_not_stale(self):
        definitions = Definitions(ROOT / "scripts/experiments")
        for name in definitions.papers():
            paper = definitions.paper(name)
            self.assertEqual(docs.stale(ROOT, paper, definitions.criteria), [],
                             f"scripts/paper {name} --docs writes the tables anew")

    @unittest.skipUnless("HEDDLE_COMMAND" in os.environ, "needs the heddle command")
    def test_the_model_still_gives_the_values_of_size_ci(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        place = pathlib.Path(folder.name)
        definitions = Definitions(ROOT / "scripts/experiments")
        shown = [name for name in definitions.papers()
                 if docs.shown(ROOT, definitions.paper(name))]
        self.assertIn("warp_scheduling", shown)
        done = subprocess.run([str(ROOT / "scripts/paper"), "--all", "--size", "ci", "--seeds",
                               str(docs.CI_SEEDS), "--store", str(place), "--binary",
                               os.environ["HEDDLE_COMMAND"]],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for name in shown:
            committed = docs.data_file(ROOT, definitions.paper(name), "ci").read_text()
            self.assertEqual((place / name / "ci_seeds=1/values.csv").read_text().splitlines(),
                             committed.splitlines(),
                             f"the model has changed: scripts/paper {name} --docs")


if __name__ == "__main__":
    unittest.main()
