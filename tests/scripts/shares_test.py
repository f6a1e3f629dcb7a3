# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Shares that scripts/paper makes of histograms and of cycles."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from experiments import shares  # noqa: E402


def histogram(*bins):
    return {"value": 0, "histogram": {"bins": list(map(list, bins))}}


class Shares(unittest.TestCase):
    def test_below_counts_whole_bins_also_beyond_the_last(self):
        of = shares.below(histogram((0, 1), (8, 2), (16, 1)), 8)
        self.assertEqual([of[8], of[16], of[24], of[136]], [25, 75, 100, 100])
        self.assertEqual(shares.below(histogram((0, 3)), 8)[8], 100)
        self.assertEqual(shares.below(histogram(), 8), {})

    def test_cycles_by_what_issues_add_up(self):
        slots = {"issued": 40, "writeback": 10, "memory": 20, "fence": 5, "dependency": 25}
        statistics = {f"gpu.issue_slots.{name}": {"value": n} for name, n in slots.items()}
        statistics["gpu.lanes_issued"] = histogram((0, 1), (4, 0), (8, 2), (32, 1))
        of = shares.derived(statistics)
        self.assertEqual(of["cycles.stall"], 10)
        self.assertEqual(of["cycles.memory"], 25)
        self.assertEqual(of["cycles.idle"], 25)
        self.assertEqual(of["cycles.1_3"], 10)
        self.assertEqual(of["cycles.8_11"], 20)
        self.assertEqual(of["cycles.28_31"], 0)
        self.assertEqual(of["cycles.full"], 10)
        of_cycles = [share for name, share in of.items() if name.startswith("cycles.")]
        self.assertEqual(sum(of_cycles), 100)
        self.assertEqual(of["gpu.lanes_issued.below.12"], 75)

    def test_a_run_without_histograms_has_none(self):
        self.assertEqual(shares.derived({"gpu.cycles": {"value": 3}}), {})


if __name__ == "__main__":
    unittest.main()
