# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Expressions of rows: what they compute and what they refuse."""
import math
import unittest

import paper_fixture  # noqa: F401  (finds the package)

from experiments import expressions
from experiments.expressions import ExpressionError, Failed, RunFailed

DATA = {("s", "old", "ipc"): {"A": 2.0, "B": 4.0, "C": 8.0},
        ("s", "new", "ipc"): {"A": 3.0, "B": 2.0, "C": 24.0},
        ("s", "new", "fails"): {"A": 0, "B": 2, "C": None},
        ("s", "bad", "ipc"): {"A": 1.0, "B": Failed("s.bad[B]"), "C": 2.0}}


def look_up(set_name, variant, statistic, benchmark=None):
    values = expressions.Values(DATA[set_name, variant, statistic])
    return values if benchmark is None else values[benchmark]


def value(text):
    return expressions.evaluate(text, look_up)


class ExpressionsTest(unittest.TestCase):
    def test_means(self):
        self.assertAlmostEqual(value("mean(s.old['ipc'])"), 14 / 3)
        self.assertAlmostEqual(value("geomean(s.old['ipc'])"), 4)
        self.assertAlmostEqual(value("harmonic(s.old['ipc'])"), 3 / (1 / 2 + 1 / 4 + 1 / 8))
        self.assertEqual(value("median(s.old['ipc'])"), 4)
        self.assertEqual(value("maximum(s.old['ipc'])"), 8)
        self.assertEqual(value("maximum(s.old['ipc'], s.new['ipc'])"), 24)

    def test_lists_are_computed_workload_by_workload(self):
        self.assertEqual(value("s.new['ipc'] / s.old['ipc']"), {"A": 1.5, "B": 0.5, "C": 3})
        self.assertEqual(value("-(s.new['ipc'] - 1) * 2 + s.old['ipc']"),
                         {"A": -2, "B": 2, "C": -38})
        self.assertEqual(value("percent(ratio(s.new['ipc'], s.old['ipc']))['B']"), -50)
        self.assertEqual(value("s.new['ipc']['C'] / s.old['ipc']['A']"), 12)

    def test_what_is_not_defined_is_left_out(self):
        self.assertEqual(value("ratio(s.old['ipc'], s.new['fails'])"),
                         {"A": None, "B": 2, "C": None})
        self.assertEqual(value("mean(ratio(s.old['ipc'], s.new['fails']))"), 2)
        self.assertIsNone(value("s.old['ipc']['A'] / s.new['fails']['A']"))
        with self.assertRaisesRegex(ExpressionError, "no workload has a value"):
            value("mean(s.old['ipc'] / (s.new['fails'] * 0))")
        with self.assertRaisesRegex(ExpressionError, "values above 0"):
            value("geomean(s.new['fails'])")

    def test_names(self):
        gains = "ratio(s.new['ipc'], s.old['ipc'])"
        self.assertEqual(value(f"top({gains}, 2)"), ["C", "A"])
        self.assertEqual(value(f"above({gains}, 1)"), ["A", "C"])
        self.assertEqual(value("order(x=1, y=3, z=mean(s.new['fails']))"), ["y", "x", "z"])

    def test_a_failed_run_fails_what_needs_it(self):
        self.assertIsInstance(value("s.bad['ipc'] * 2")["B"], Failed)
        self.assertEqual(value("s.bad['ipc'] * 2")["C"], 4)
        for text in ("mean(s.bad['ipc'])", "s.bad['ipc']['B']", "top(s.bad['ipc'], 1)",
                     "percent(s.bad['ipc']['B'])", "order(x=s.bad['ipc']['B'], y=1)"):
            with self.assertRaisesRegex(RunFailed, r"s\.bad\[B\]"):
                value(text)

    def test_nothing_else_can_be_said(self):
        for text in ("__import__('os')", "open('x')", "s.old.ipc", "[1, 2]", "(lambda: 1)()",
                     "s.old['ipc'].keys()", "1 if 1 else 2", "2 ** 9", "mean", "s", "{}",
                     "f'{s}'", "mean(*s)"):
            with self.assertRaises(ExpressionError, msg=text):
                expressions.runs_in(text)
                value(text)
        with self.assertRaisesRegex(ExpressionError, r"'1 \+' is no expression"):
            value("1 +")
        with self.assertRaisesRegex(ExpressionError, "no function 'sum'.*mean, geomean"):
            value("sum(s.old['ipc'])")
        with self.assertRaisesRegex(ExpressionError, "top: "):
            value("top(s.old['ipc'])")

    def test_runs_in(self):
        text = "mean(s.old['ipc']) + t.new['x']['B'] - percent(s.old['ipc']['A'])"
        self.assertEqual(expressions.runs_in(text),
                         {("s", "old", None), ("t", "new", "B"), ("s", "old", "A")})
        self.assertTrue(math.isfinite(value("1 + 2.5")))


if __name__ == "__main__":
    unittest.main()
