# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""What the tests of scripts/paper share: definitions of their own and a stand-in for heddle."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
FAKE = pathlib.Path(__file__).resolve().parent / "fake_heddle"

RUNS = """
[workloads.A]
workload = "first"
every_size = { n = 1 }
[workloads.B]
workload = "second"
every_size = { input = "grid:width=4" }
[workloads.C]
workload = "third"
ci = {}
small = { n = 3 }
default = { n = 4 }
paper = { n = 5 }
[sets.base]
configuration = "tiny"
workloads = ["A", "B", "C"]
[sets.base.variants]
old = { "smx.scheduler" = "lrr" }
new = { "smx.scheduler" = "gto" }
"""
ROWS = """
[paper]
title = "A paper"
runs = ["base"]
seeds = 1
[[row]]
id = "table"
place = "Fig. 1"
text = "IPC"
columns = ["old", "new"]
ours = "base.{column}['gpu.ipc']"
summary = "mean"
[[row]]
id = "gain"
place = "text"
text = "gain"
paper = 10
unit = "%"
criterion = "change"
ours = "percent(mean(ratio(base.new['gpu.ipc'], base.old['gpu.ipc'])))"
[[row]]
id = "gain_a"
place = "text"
text = "gain of A"
paper = "higher"
unit = "%"
criterion = "claim"
ours = "percent(ratio(base.new['gpu.ipc']['A'], base.old['gpu.ipc']['A']))"
[[row]]
id = "host"
place = "host"
text = "host time"
host = true
ours = "mean(base.new['host.seconds'])"
"""
# Loading matplotlib takes as long as the rest of a command, so few tests draw.
CHARTED = ROWS.replace('summary = "mean"\n', 'summary = "mean"\nchart = "bars"\n')
CRITERIA = """
[change]
kind = "number"
within = 0.3333
reason = "a test"
[claim]
kind = "claim"
reason = "a test"
"""


class PaperTest(unittest.TestCase):
    """A folder of definitions, a store, and the command on them."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)
        self.define()

    def define(self, runs=RUNS, rows=ROWS, criteria=CRITERIA):
        (self.place / "rows").mkdir(exist_ok=True)
        (self.place / "runs").mkdir(exist_ok=True)
        (self.place / "runs/test.toml").write_text(runs)
        (self.place / "rows/test.toml").write_text(rows)
        (self.place / "criteria.toml").write_text(criteria)

    def command(self, *words, store="store", binary=FAKE, name="test"):
        return [str(ROOT / "scripts/paper"), *([name] if name else []), "--definitions",
                str(self.place), "--binary", str(binary), "--store", str(self.place / store), "--size", "small", *words]

    def environment(self, seconds=0):
        return {**os.environ, "FAKE_RUNS": str(self.place / "runs.log"),
                "FAKE_SECONDS": str(seconds)}

    def paper(self, *words, code=0, seconds=0, **where):
        """Runs the command to its end: its output. `code` is the expected exit code."""
        done = subprocess.run(self.command(*words, **where), capture_output=True, text=True,
                              check=False, env=self.environment(seconds))
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done.stdout + done.stderr

    def take_finished_runs(self):
        """A store that has all runs of ROWS, also those that docs/ needs: Snakemake takes seconds to
        start, so they are carried out once in a process."""
        store = self.place / "store"
        if not hasattr(PaperTest, "finished"):
            with tempfile.TemporaryDirectory() as tree:
                self.paper("--docs", tree)
            self.assertEqual(len(self.runs()), 8)
            (self.place / "runs.log").unlink()
            shutil.rmtree(store / "test")
            finished = tempfile.TemporaryDirectory()
            shutil.copytree(store, finished.name, dirs_exist_ok=True)
            PaperTest.finished = finished
        else:
            shutil.copytree(PaperTest.finished.name, store)

    def csv(self, store="store"):
        return (self.place / store / "test/small/values.csv").read_text()

    def runs(self):
        """Command lines of all runs so far."""
        log = self.place / "runs.log"
        return log.read_text().splitlines() if log.exists() else []
