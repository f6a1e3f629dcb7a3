# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""What the tests of heddle sweep share: a file, a store, and the script on them."""
import csv

from paper_fixture import FAKE, ROOT, PaperTest

SWEEP = """\
statistics = ["gpu.ipc"]
configuration = "tiny"
workloads = ["first", "other"]
seeds = [1, 2]

[parameters]
"l1d.mshrs" = { from = 4, to = 8, step = 4 }

[workload.other]
workload = "second"
options = { n = 5 }
"""


class SweepTest(PaperTest):
    def write(self, text=SWEEP):
        self.file = self.place / "points.toml"
        self.file.write_text(text)

    def setUp(self):
        super().setUp()
        self.write()

    def command(self, *words, store="store", binary=FAKE):
        return [str(ROOT / "scripts/sweep"), str(self.file), "--binary", str(binary), "--store",
                str(self.place / store), "--definitions", str(self.place), "--output",
                str(self.place / f"{store}.csv"), *words]

    def sweep(self, *words, **where):
        return self.paper(*words, **where)

    def refused(self, text, *words):
        """What the script says against a file, without the names that are always there."""
        self.write(text)
        said = self.sweep(*words, code=2)
        self.assertEqual(self.runs(), [])
        return said.replace("heddle sweep: ", "").replace(str(self.file), "FILE").strip()

    def csv(self, store="store"):
        return (self.place / f"{store}.csv").read_text()

    def rows(self, store="store"):
        return list(csv.DictReader(self.csv(store).splitlines()))
