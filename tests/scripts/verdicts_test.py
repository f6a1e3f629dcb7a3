# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Verdicts at both sides of their limits."""
import unittest

import paper_fixture  # noqa: F401  (finds the package)

from experiments.definitions import Criterion, Row
from experiments.expressions import Failed
from experiments.verdicts import judged

THIRD = 1 / 3


def verdict(value, paper, **criterion):
    row = Row("id", "place", "text", "1", paper=paper, criterion="c")
    return judged(row, {(None, None): value}, {}, {"c": Criterion(reason="", **criterion)}).verdict


class VerdictsTest(unittest.TestCase):
    def expect(self, paper, expected, **criterion):
        for name, values in expected.items():
            for value in values:
                self.assertEqual(verdict(value, paper, **criterion), name, (value, paper))

    def test_a_change(self):
        self.expect(12, {"agrees": [8, 12, 16], "direction": [7.99, 0.1, 16.01, 99],
                         "differs": [0, -0.1, -12, None]}, kind="number", within=THIRD)
        self.expect(-23, {"agrees": [-23, -16], "direction": [-15, -31, -0.1],
                          "differs": [0, 23]}, kind="number", within=THIRD)

    def test_a_factor_is_measured_from_one(self):
        self.expect(2.8, {"agrees": [2.2, 2.8, 3.4], "direction": [2.19, 1.01, 3.41],
                          "differs": [1, 0.9]}, kind="number", within=THIRD, neutral=1)
        self.expect(0.7, {"agrees": [0.6, 0.8], "direction": [0.81, 0.99], "differs": [1, 1.3]},
                    kind="number", within=THIRD, neutral=1)

    def test_an_amount_has_no_direction(self):
        self.expect(300, {"agrees": [200, 300, 400], "differs": [199, 401, None]},
                    kind="amount", within=THIRD)

    def test_a_multiple_counts_in_both_directions(self):
        self.expect(60, {"agrees": [40, 60, 90], "differs": [39.9, 90.1, 0, None]},
                    kind="multiple", within=1.5)

    def test_a_claim(self):
        self.expect("lower", {"agrees": [-0.1, -50], "differs": [0, 0.1, None]}, kind="claim")
        self.expect("clearly lower", {"agrees": [-3], "direction": [-2.9], "differs": [0, 3]},
                    kind="claim", margin=3)
        self.expect("higher", {"agrees": [0.1], "differs": [-0.1]}, kind="claim")

    def test_names_in_any_order(self):
        self.expect(["A", "B", "C"],
                    {"agrees": [["C", "A", "B"]], "direction": [["A", "B", "X"]],
                     "differs": [["A", "X", "Y"], []]}, kind="names", within=THIRD)
        self.assertEqual(verdict(["A", "B"], ["A"], kind="names"), "direction")

    def test_an_order(self):
        self.expect(["a", "b", "c"],
                    {"agrees": [["a", "b", "c"]], "direction": [["b", "a", "c"]],
                     "differs": [["c", "b", "a"], ["c", "a", "b"]]}, kind="order", within=THIRD)

    def test_a_failed_run(self):
        self.assertEqual(verdict(Failed("run"), 12, kind="number"), "failed")


if __name__ == "__main__":
    unittest.main()
