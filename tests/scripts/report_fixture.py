# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""What the tests of heddle report share: a command, runs and a sweep."""
import csv
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/report"
HEDDLE = pathlib.Path(os.environ["HEDDLE_COMMAND"])
sys.path.insert(0, str(ROOT / "scripts"))
AXES = {"workload": ["bfs", "matrix", "saxpy", "spmv", "a,b"], "l1d.mshrs": [8, 16, 32, 64, 128],
        "smx.scheduler": ["lrr", "gto", "mto", "ccws"], "seed": list(range(1, 11))}
STATISTICS = ["gpu.cycles", "gpu.ipc", "gpu.l1d_miss_rate"] + [f"gpu.number_{at}" for at in range(27)]


def stats(**changes):
    """The contents of a statistics file."""
    facts = {"version": "1.0", "what": "saxpy", "device": "timed machine", "config": "default",
             "seed": 1, "configuration": {"l1d.mshrs": 32}}
    values = {"gpu.cycles": 100, "gpu.ipc": 2.5, "gpu.warp_instructions": 50, "smx.0.blocks": 4,
              "gpu.issue_slots.issued": 50, "gpu.issue_slots.memory": 150}
    facts.update(changes.pop("facts", {}))
    values.update(changes.pop("values", {}))
    return {"run": facts, "statistics": {name: {"value": value, "unit": "", "description": name}
                                         for name, value in values.items()}}


def write_sweep(file, statistics=tuple(STATISTICS)):
    """A sweep of 1,000 runs: cycles fall with the miss registers."""
    with open(file, "w", encoding="utf-8", newline="") as opened:
        lines = csv.writer(opened, lineterminator="\n")
        lines.writerow([*AXES, *statistics])
        for at, point in enumerate(itertools.product(*AXES.values())):
            cycles = 1000 + 8000 // point[1] + point[3]
            lines.writerow([*point, cycles, 1e6 / cycles,
                            *(at * number % 97 / 7 for number in range(len(statistics) - 2))])
    with open(file.with_name(f"{file.stem}.units.csv"), "w", encoding="utf-8") as opened:
        opened.write("name,unit,kind\n")
        opened.writelines(f"{name},,axis\n" for name in AXES)
        opened.writelines(f"{name},cycle,statistic\n" for name in statistics)


class ReportTest(unittest.TestCase):
    """A folder, and the command in it."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def call(self, *words, command=(HEDDLE, "report"), **settings):
        return subprocess.run([str(word) for word in (*command, *words)], cwd=self.folder,
                              capture_output=True, text=True, check=False, **settings)

    def made(self, *words, output="report.html"):
        """The text of a page."""
        done = self.call(*words, "-o", output)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return (self.folder / output).read_text("utf-8")

    def write(self, name, contents):
        file = self.folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(contents if isinstance(contents, str) else json.dumps(contents), "utf-8")
        return file

    def refused(self, *words, **settings):
        """What it says about words that make no page; nothing may be left behind."""
        before = sorted(self.folder.rglob("*"))
        done = self.call(*words, **settings)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(sorted(self.folder.rglob("*")), before)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("heddle: report: "), done.stderr)
        return done.stderr
