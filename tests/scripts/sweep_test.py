# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""What heddle sweep makes of a file, what it refuses, and what it writes; with a stand-in for
heddle."""
import random
import signal
import subprocess
import time
import unittest

from sweep_fixture import SWEEP, SweepTest


class PointsTest(SweepTest):
    def test_all_points_are_run_and_written_in_order(self):
        output = self.sweep()
        self.assertIn("8 points", output)
        self.assertEqual(len(set(self.runs())), 8)
        self.assertIn("run second --config tiny --seed 2 --option n=5 --set l1d.mshrs=8",
                      self.runs())
        rows = self.rows()
        self.assertEqual([(row["workload"], row["l1d.mshrs"], row["seed"]) for row in rows],
                         [(workload, mshrs, seed) for workload in ("first", "other")
                          for mshrs in "48" for seed in "12"])
        self.assertEqual([row["option.n"] for row in rows], [""] * 4 + ["5"] * 4)
        self.assertTrue(all(row["status"] == "ok" and row["gpu.ipc"] for row in rows))
        self.sweep()
        self.assertEqual(len(self.runs()), 8)

    def test_the_second_file_has_a_line_for_each_column(self):
        self.sweep()
        units = (self.place / "store_units.csv").read_text().splitlines()
        self.assertEqual([line.split(",")[0] for line in units[1:]],
                         self.csv().splitlines()[0].split(","))
        self.assertIn("l1d.mshrs,parameter,line,Miss registers", units)
        self.assertIn("gpu.ipc,statistic,instruction/cycle,Instructions per cycle", units)
        self.assertIn("option.n,option,element,Elements", units)

    def test_ranges(self):
        for given, values in (("{ from = 1, to = 9, log2 = true }", "1 2 4 8"),
                              ("{ from = 3, to = 3, step = 1 }", "3"),
                              ("{ from = 0.1, to = 0.3, step = 0.1 }", "0.1 0.2 0.3"),
                              ('["a", "b"]', "a b"), ("[true, false]", "true false"),
                              ("7", "7")):
            self.write(SWEEP.replace("{ from = 4, to = 8, step = 4 }", given))
            self.sweep()
            found = dict.fromkeys(row["l1d.mshrs"] for row in self.rows())
            self.assertEqual(" ".join(found), values)

    def test_points_are_left_out(self):
        self.write('unless = ["workload == \'first\' and l1d.mshrs * 2 > 8", "seed in [2, 3]"]\n'
                   + SWEEP)
        self.assertIn("3 points, 5 left out", self.sweep())
        self.assertEqual([(row["workload"], row["l1d.mshrs"]) for row in self.rows()],
                         [("first", "4"), ("other", "4"), ("other", "8")])

    def test_inputs_modes_and_options_are_axes(self):
        self.write(SWEEP.replace('["first", "other"]', '["first"]').split("[workload")[0]
                   .replace("seeds = [1, 2]", 'inputs = ["grid:width=4", "grid:width=8"]\n'
                            'modes = ["flat", "functional"]') + "[options]\nn = [1, 2]\n")
        self.sweep()
        self.assertEqual(len(self.rows()), 16)
        self.assertIn("run first --config tiny --seed 1 --functional --input grid:width=8 "
                      "--option n=2 --set l1d.mshrs=4", self.runs())

    def test_named_sets_of_runs(self):
        self.write('statistics = ["gpu.ipc"]\nsets = ["base"]\nsize = "default"\n'
                   '[parameters]\n"l1d.mshrs" = [8, 16]\n')
        self.sweep()
        rows = self.rows()
        self.assertEqual(len(rows), 12)
        self.assertEqual((rows[0]["set"], rows[0]["variant"], rows[0]["workload"],
                          rows[0]["smx.scheduler"]), ("base", "old", "A", "lrr"))
        self.assertIn("run third --config tiny --seed 1 --option n=4 --set smx.scheduler=gto "
                      "--set l1d.mshrs=16", self.runs())

    def test_dry_run_only_says_what_is_to_be_done(self):
        output = self.sweep("--dry-run")
        self.assertIn("8 points\n8 runs, 0 of them stored; the others take about 8 s", output)
        self.assertEqual(self.runs(), [])
        self.assertFalse((self.place / "store.csv").exists())

    def test_a_failing_point_has_a_row_without_values(self):
        self.write(SWEEP.replace('"second"', '"broken"'))
        output = self.sweep(code=1)
        self.assertEqual(output.count("failed: points."), 4)
        rows = self.rows()
        self.assertEqual([row["status"] for row in rows], ["ok"] * 4 + ["failed"] * 4)
        self.assertEqual({row["gpu.ipc"] for row in rows[4:]}, {""})


class RefusalTest(SweepTest):
    def test_what_is_wrong_is_named_with_its_line(self):
        for old, new, said in (
                ("seeds", "sedes", "FILE:4: unknown key 'sedes'; did you mean 'seeds'?"),
                ("gpu.ipc", "gpu.icp", "FILE:1: no statistic 'gpu.icp'; did you mean 'gpu.ipc'?"),
                ("gpu.ipc", "host.seconds", "FILE:1: 'host.seconds' differs from run to run"),
                ("[1, 2]", "[]", "FILE:4: 'seeds' has no values"),
                ("[1, 2]", "[\n  1,\n  2,\n  1,\n]", "FILE:7: 'seeds' has 1 twice"),
                ("from = 4", "from = 9", "FILE:7: 'l1d.mshrs' has no values: 9 is above 8"),
                ("step = 4", "stop = 4", "FILE:7: unknown key 'stop' of a range; did you mean"),
                ("step = 4", "step = 0", "FILE:7: a range needs a step above 0"),
                (", step = 4", "", "FILE:7: a range is { from = 8"),
                ("options = {", "option = {", "FILE:11: unknown key 'option'; did you mean"),
                ('"second"', '"absent"', "FILE:9: no workload absent (4 of 8 points)"),
                ('"tiny"', '"missing"', "FILE:2: no configuration missing (8 of 8 points)"),
                ("n = 5", "n = 5, size = 99", "FILE:9: size = 99 of workload second is out of "
                                              "range (4 of 8 points)"),
                ("step = 4", "step = 2", "FILE:7: l1d.mshrs = 6 is out of range (4 of 12 points)"),
                ("seeds =", 'unless = ["seed +"]\nseeds =', "FILE:4: 'seed +' is no condition"),
                ("seeds =", 'unless = ["l1d.size > 1"]\nseeds =', "FILE:4: no column 'l1d.size'"),
                ("seeds =", 'unless = ["seed > 0"]\nseeds =', "FILE:4: every point is left out"),
                ('"other"', '"second"', "FILE:9: 'other' is not in 'workloads'"),
                ('workload = "second"\noptions = { n = 5 }', 'workload = "first"',
                 "FILE:3: the same point twice: points.l1d.mshrs=4[first] and "
                 "points.l1d.mshrs=4[other] (1 of 8 points)"),
                ("seeds =", 'modes = "fast"\nseeds =', "FILE:4: no mode 'fast'"),
                ("seeds =", 'sets = ["base"]\nseeds =', "FILE:1: expected either 'workloads' or"),
                ("seeds =", "seeds", "FILE: Expected '='")):
            with self.subTest(new):
                self.assertIn(said, self.refused(SWEEP.replace(old, new, 1)))

    def test_sets_that_are_not_there(self):
        text = 'statistics = ["gpu.ipc"]\nsets = ["bass"]\n'
        self.assertEqual(self.refused(text), "FILE:2: no set 'bass'; did you mean 'base'?")
        text = text.replace("bass", "base")
        self.assertIn("FILE:3: no size 'huge'", self.refused(text + 'size = "huge"\n'))
        self.assertIn("FILE:3: 'modes' does not go together with 'sets'",
                      self.refused(text + 'modes = ["flat"]\n'))

    def test_a_name_of_the_summary_that_no_run_has(self):
        self.write(SWEEP.replace("gpu.ipc", "summary.clock"))
        self.assertIn(f"{self.file}:1: no run has 'summary.clock'; did you mean 'summary.clocks'?",
                      self.sweep(code=2))

    def test_no_such_file(self):
        self.file = self.place / "none.toml"
        self.assertIn("none.toml: No such file", self.sweep(code=2))


class KillTest(SweepTest):
    def test_ten_kills_at_random_moments_change_nothing(self):
        begin = time.monotonic()
        self.sweep("--jobs", "2", store="undisturbed", seconds=0.2)
        duration = time.monotonic() - begin
        draw = random.Random(2)
        for _ in range(10):
            child = subprocess.Popen(self.command("--jobs", "2"), env=self.environment(0.2),
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(draw.uniform(0, duration))
            child.send_signal(signal.SIGKILL)
            child.wait()
        self.sweep()
        self.assertEqual(self.csv(), self.csv("undisturbed"))
        self.assertEqual(list(self.place.glob("store/running_*")), [])


if __name__ == "__main__":
    unittest.main()
