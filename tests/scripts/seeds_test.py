# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Means over seeds: intervals, names, failed runs, and what scripts/paper runs, prints and writes."""
import dataclasses
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

from paper_fixture import ROOT, ROWS, RUNS, PaperTest

from experiments import charts, engine, expressions, seeds, tables, verdicts
from experiments.definitions import Criterion, DefinitionError, Definitions, Row
from experiments.expressions import Failed, Values
from experiments.keys import Binary
from experiments.store import Store

CLAIM = {"c": Criterion("claim", "a test"), "n": Criterion("number", "a test", within=1 / 3),
         "o": Criterion("order", "a test"), "s": Criterion("names", "a test")}
# Times of the host, and a program's result that no row uses.
MAY_DIFFER = ("summary.host_time", "summary.speed", "summary.cheapest_path")


def look_ups(*ipcs):
    """For each seed, the IPCs of s.new of the workloads A, B, ...; those of s.old are 2."""
    def of(ipc):
        lists = {"new": Values(zip("ABC", ipc)), "old": Values(zip("ABC", [2] * len(ipc)))}

        def look_up(_, variant, __, benchmark=None):
            return lists[variant][benchmark] if benchmark else lists[variant]
        return look_up
    return [of(ipc) for ipc in ipcs]


def result(ours, given, **more):
    row = Row("id", "place", "text", ours, **more)
    return verdicts.judged(row, *verdicts.computed(row, given), CLAIM)


class IntervalTest(unittest.TestCase):
    def test_known_values(self):
        # s = 1, t = 4.303 for 2 degrees of freedom: 4.303 / sqrt(3).
        mean, width = seeds.over([1, 2, 3])
        self.assertEqual(mean, 2)
        self.assertAlmostEqual(width, 2.484138, 5)
        # Half of the distance is the standard error, t = 12.706.
        mean, width = seeds.over([10, 12])
        self.assertEqual(mean, 11)
        self.assertAlmostEqual(width, 12.7062, 4)

    def test_the_quantiles_hold_19_of_20(self):
        for freedom, quantile in enumerate(seeds.QUANTILES, 1):
            scale = math.gamma((freedom + 1) / 2) / (math.sqrt(freedom * math.pi)
                                                     * math.gamma(freedom / 2))

            def density(t):
                return scale * (1 + t * t / freedom) ** (-(freedom + 1) / 2)

            steps = 20000
            width = 2 * quantile / steps
            held = sum(density(-quantile + (i + 0.5) * width) for i in range(steps)) * width
            self.assertAlmostEqual(held, 0.95, 6, freedom)

    def test_seeds_that_agree_have_no_interval(self):
        self.assertEqual(seeds.over([0.1, 0.1, 0.1]), (0.1, None))
        self.assertEqual(seeds.over([7]), (7, None))
        self.assertEqual(seeds.over([["A"]]), (["A"], None))

    def test_what_is_not_defined_is_left_out(self):
        self.assertEqual(seeds.over([None, None]), (None, None))
        self.assertEqual(seeds.over([None, 3]), (3, None))
        self.assertEqual(seeds.over([1, None, 2, 3]), seeds.over([1, 2, 3]))

    def test_a_failed_seed_fails_the_value(self):
        value, width = seeds.over([1, Failed("run"), None])
        self.assertIsInstance(value, Failed)
        self.assertIsNone(width)


class RowTest(unittest.TestCase):
    def test_the_value_of_each_seed_is_computed_before_the_mean(self):
        one = result("1 / s.new['x']['A']", look_ups([1], [2], [4]))
        self.assertAlmostEqual(one.value, (1 + 1 / 2 + 1 / 4) / 3)
        self.assertAlmostEqual(one.half_width, seeds.over([1, 0.5, 0.25])[1])

    def test_the_verdict_is_that_of_the_mean(self):
        ours = "s.new['x']['A'] - s.old['x']['A']"
        one = result(ours, look_ups([1], [3], [5]), paper="higher", criterion="c", unit="%")
        self.assertEqual(one.verdict, "agrees")
        self.assertGreater(one.half_width, one.value)  # an interval across 0
        self.assertEqual(tables.comparison([one])[1][0][3], "+1.0 ± 5.0 %")
        # The interval reaches from -3.97 to 5.97, and only its middle counts.
        for paper, verdict in ((1.2, "agrees"), (5.9, "direction"), (-3.9, "differs")):
            one = result(ours, look_ups([1], [3], [5]), paper=paper, criterion="n")
            self.assertEqual(one.verdict, verdict)

    def test_a_table_has_an_interval_in_each_cell(self):
        one = result("s.{column}['x']", look_ups([1, 4], [2, 4], [3, 4]), columns=("new", "old"),
                     summary="mean", digits=2)
        self.assertEqual(tables.grid(one)[1], [["A", "2.00 ± 2.48", "2.00"], ["B", "4.00", "2.00"],
                                               ["mean", "3.00 ± 1.24", "2.00"]])

    def test_an_interval_that_rounds_to_0_is_not_shown(self):
        one = result("s.new['x']['A']", look_ups([1], [1.01]))
        self.assertEqual(tables.shown(one.value, one.half_width, one.row), "1.0 ± 0.1")
        one = result("s.new['x']['A']", look_ups([1], [1.001]))
        self.assertEqual(tables.shown(one.value, one.half_width, one.row), "1.0")

    def test_names_are_those_of_the_means(self):
        # B is above 2 with one seed of three, and first with that one only; its mean is 4.
        given = look_ups([3, 1, 1], [3, 1, 1], [3, 10, 1])
        self.assertEqual(result("top(s.new['x'], 1)", given, paper=["A"], criterion="s").value,
                         ["B"])
        self.assertEqual(result("above(ratio(s.new['x'], s.old['x']), 1)", given).value, ["A", "B"])
        one = result("order(a=s.new['x']['A'], b=s.new['x']['B'])", given, paper=["b", "a"],
                     criterion="o")
        self.assertEqual((one.value, one.half_width, one.verdict), (["b", "a"], None, "agrees"))

    def test_names_leave_out_what_is_not_defined_with_one_seed(self):
        given = look_ups([None, 1], [9, 1])
        self.assertEqual(result("top(s.new['x'], 1)", given).value, ["A"])

    def test_a_run_that_fails_with_one_seed_fails_the_row(self):
        given = look_ups([1, 2], [Failed("s.new[A, seed 2]"), 2], [3, 2])
        for ours, more in (("mean(s.new['x'])", {"paper": "higher", "criterion": "c"}),
                           ("s.new['x']['A']", {"paper": "higher", "criterion": "c"}),
                           ("top(s.new['x'], 1)", {"paper": ["A"], "criterion": "s"})):
            one = result(ours, given, **more)
            self.assertEqual((one.verdict, one.value.run, one.half_width),
                             ("failed", "s.new[A, seed 2]", None))
        self.assertEqual(result("s.new['x']['B']", given).value, 2)
        table = result("s.{column}['x']", given, columns=("new",), summary="mean")
        self.assertEqual(tables.grid(table)[1], [["A", "failed"], ["B", "2.0"], ["mean", "failed"]])

    def test_a_csv_keeps_the_intervals(self):
        many = [result("s.{column}['x']", look_ups([1, 4], [2, 4], [4, 4]), columns=("new", "old")),
                result("s.new['x']['A']", look_ups([1], [3]), paper="higher", criterion="c")]
        many[1] = verdicts.judged(Row("other", "p", "t", "", paper="higher", criterion="c"),
                                  many[1].cells, many[1].half_widths, CLAIM)
        with tempfile.TemporaryDirectory() as place:
            file = pathlib.Path(place, "values.csv")
            file.write_text(tables.csv(many))
            again = tables.from_csv(file, [one.row for one in many])
            self.assertEqual(tables.csv([verdicts.judged(one.row, *again[one.row.id], CLAIM)
                                         for one in many]), file.read_text())
        self.assertEqual(set(again["id"][1]), {("A", "new")})
        self.assertAlmostEqual(again["other"][1][None, None], 12.7062, 4)

    def test_charts_show_intervals(self):
        for chart in ("bars", "lines"):
            pictures = []
            for ipcs in (([1, 4], [2, 4]), ([1.5, 4], [1.5, 4])):
                one = result("s.{column}['x']", look_ups(*ipcs), columns=("new", "old"),
                             chart=chart)
                with tempfile.TemporaryDirectory() as place:
                    file = pathlib.Path(place, "chart.svg")
                    charts.draw(one, file)
                    pictures.append(file.read_text())
            self.assertIn("LineCollection", pictures[0])
            self.assertNotIn("LineCollection", pictures[1])


    def test_a_stack_has_a_bar_for_each_line_and_column(self):
        one = result("s.{column}['x']", look_ups([1, 4], [2, 4]), columns=("new", "old"),
                     chart="stack")
        with tempfile.TemporaryDirectory() as place:
            file = pathlib.Path(place, "chart.svg")
            charts.draw(one, file)
            self.assertIn("old", file.read_text())
        drawn = charts.spans(one)
        self.assertEqual(drawn["old"][0][0], sum(drawn["new"][0]))


class CommandTest(PaperTest):
    def seeds_of(self, workload):
        return sorted(line.split("--seed ")[1][0] for line in self.runs()
                      if line.startswith(f"run {workload} ") and "scheduler=lrr" in line)

    def test_three_seeds_are_run_unless_the_file_says_other(self):
        self.define(rows=ROWS.replace("seeds = 1\n", ""))
        output = self.paper()
        self.assertIn("18 runs, 0 of them stored; the others take about 18 s", output)
        self.assertIn("size small, means over 3 seeds, binary", output)
        self.assertRegex(output, r"\n  A +\d+\.\d ± \d+\.\d +\d+\.\d ± \d+\.\d\n")
        self.assertEqual(self.seeds_of("second"), ["1", "2", "3"])
        gain = next(line for line in self.csv().splitlines() if line.startswith("gain,"))
        self.assertGreater(float(gain.split(",")[7]), 0)
        # A quick look needs no other runs, and its values have a place of their own.
        output = self.paper("--seeds", "1")
        self.assertNotIn("seeds, binary", output)
        self.assertEqual(len(self.runs()), 18)
        quick = (self.place / "store/test/small_seeds=1/values.csv").read_text()
        self.assertNotEqual(quick, self.csv())
        self.assertEqual({line.split(",")[7] for line in quick.splitlines()[1:]}, {""})
        self.define()
        self.paper()
        self.assertEqual(self.csv(), quick)

    def test_one_run_stands_for_all_seeds_where_none_can_change_it(self):
        self.define(runs=RUNS.replace('workload = "second"', 'workload = "second"\nseedless = true')
                    + '[workloads.area]\nreport = "area"\nevery_size = {}\n')
        definitions = Definitions(self.place)
        for name, expected in (("B", 1), ("A", 3)):
            runs = {definitions.run("base", "old", name, "ci", seed=seed) for seed in range(3)}
            self.assertEqual(len(runs), expected)
        definitions.sets["base"].benchmarks.append("area")
        self.assertEqual(definitions.run("base", "old", "area", "ci", seed=2).seed, 1)

    def test_seedless_is_true_or_false(self):
        self.define(runs=RUNS.replace('workload = "second"', 'workload = "second"\nseedless = 1'))
        with self.assertRaisesRegex(DefinitionError, "workloads.B: 'seedless' is true or false"):
            Definitions(self.place)

    def test_a_run_that_fails_with_one_seed_is_named(self):
        self.define(rows=ROWS.replace("seeds = 1\n", "seeds = 2\n"),
                    runs=RUNS.replace('"first"', '"brittle"'))
        output = self.paper("--only", "gain_a", code=1)
        self.assertIn("failed: base.new[A, seed 2], log ", output)
        self.assertRegex(output, r"\n  gain of A .* failed  failed")
        self.assertIn("failed: base.", self.csv())

    def test_what_is_no_number_of_seeds_is_refused(self):
        for count in ("0", "11", "true", '"3"', "2.5"):
            self.define(rows=ROWS.replace("seeds = 1", f"seeds = {count}"))
            self.assertIn("paper: 'seeds' is a number from 1 to 10", self.paper(code=2))
        self.define()
        self.assertIn("--seeds: expected a number from 1 to 10", self.paper("--seeds", "0", code=2))
        self.assertIn("not with --set, --only or --seeds",
                      self.paper("--seeds", "1", "--docs", str(self.place), code=2))


class TreeTest(unittest.TestCase):
    def test_the_papers_have_three_seeds(self):
        definitions = Definitions(ROOT / "scripts/experiments")
        for name in ("warp_scheduling", "control_flow", "dynamic_launch", "transactional_memory",
                     "cooperative_kernels"):
            self.assertGreaterEqual(definitions.paper(name).seeds, 3)

    @unittest.skipUnless("HEDDLE_COMMAND" in os.environ, "needs the heddle command")
    def test_a_paper_of_this_tree_has_intervals(self):
        with tempfile.TemporaryDirectory() as place:
            done = subprocess.run(
                [str(ROOT / "scripts/paper"), "warp_scheduling", "--size", "ci", "--store", place,
                 "--binary", os.environ["HEDDLE_COMMAND"], "--only", "ipc_motrr_over_lrr",
                 "--only", "fig5"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"\n  motrr over lrr, mean IPC .* [+-]\d+\.\d ± \d+\.\d %")
        self.assertRegex(done.stdout, r"\n  BFS( +0\.\d+ ± 0\.\d+){5}\n")
        self.assertRegex(done.stdout, r"\n  ATAX( +0\.\d+){5}\n")

    @unittest.skipUnless("HEDDLE_COMMAND" in os.environ, "needs the heddle command")
    def test_no_seed_changes_the_runs_of_seedless_workloads(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        definitions = Definitions(ROOT / "scripts/experiments")
        runner = engine.Engine(Binary(os.environ["HEDDLE_COMMAND"]), Store(folder.name), 2)
        self.addCleanup(runner.close)
        both = {}
        for name, chosen in definitions.sets.items():
            for benchmark in chosen.benchmarks:
                if definitions.workloads[benchmark].get("seedless", False):
                    run = definitions.run(name, next(iter(chosen.variants)), benchmark, "ci")
                    both.setdefault(benchmark, (run, dataclasses.replace(run, seed=2)))
        runner.carry_out([run for pair in both.values() for run in pair])
        for benchmark, pair in both.items():
            first, second = (runner.statistics(run) for run in pair)
            self.assertEqual([name for name in first if first[name] != second[name]
                              and not name.startswith("host.") and name not in MAY_DIFFER], [],
                             f"{benchmark} is not seedless")


if __name__ == "__main__":
    unittest.main()
