# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""What scripts/paper runs, stores and survives, with a stand-in for heddle."""
import io
import os
import random
import shutil
import signal
import subprocess
import time
import unittest
import unittest.mock

from paper_fixture import CHARTED, FAKE, ROWS, RUNS, PaperTest

from experiments.engine import INTERVAL, Progress


def command_lines():
    """Of all processes."""
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/cmdline", encoding="utf-8", errors="replace") as stream:
                yield stream.read()
        except (FileNotFoundError, ProcessLookupError):
            pass


class EngineTest(PaperTest):
    def expect_no_runs_of(self, child):
        """The runs that an ended command had started end, too."""
        working = f"_{child.pid}/"
        deadline = time.monotonic() + 10
        while any(str(self.place) in line and working in line for line in command_lines()):
            self.assertLess(time.monotonic(), deadline, "a run goes on")
            time.sleep(0.01)

    def test_runs_what_is_missing_and_nothing_twice(self):
        self.paper("--only", "gain_a")
        self.assertEqual(sorted(self.runs()),
                         ["run first --config tiny --seed 1 --option n=1 --set smx.scheduler=gto",
                          "run first --config tiny --seed 1 --option n=1 --set smx.scheduler=lrr"])
        self.paper()
        self.assertEqual(len(self.runs()), 6)
        self.assertEqual(len(set(self.runs())), 6)
        self.assertIn("run second --config tiny --seed 1 --input grid:width=4 "
                      "--set smx.scheduler=lrr", self.runs())
        self.assertIn("run third --config tiny --seed 1 --option n=3 --set smx.scheduler=lrr",
                      self.runs())
        self.paper()
        self.assertEqual(len(self.runs()), 6)

    def test_threads_of_runs_never_take_more_than_the_processors(self):
        cores = os.cpu_count()
        said = self.paper("--threads", str(cores + 1), "--jobs", "1", code=2)
        self.assertIn(f"--jobs 1 with --threads {cores + 1}: that takes {cores + 1} processors, "
                      f"and there are {cores}", said)
        said = self.paper("--threads", "2", "--jobs", str(cores), code=2)
        self.assertIn(f"that takes {2 * cores} processors", said)
        self.assertIn("expected at least 1", self.paper("--threads", "0", code=2))
        self.assertEqual(self.runs(), [])

    @unittest.skipIf(os.cpu_count() < 2, "one processor has no room for two threads")
    def test_threads_change_no_key(self):
        self.paper("--only", "gain_a", "--threads", "2")
        self.assertEqual(len(self.runs()), 2)
        for line in self.runs():
            self.assertTrue(line.endswith(" --threads 2"), line)
        self.paper("--only", "gain_a")
        self.assertEqual(len(self.runs()), 2)

    def test_all_runs_has_those_that_no_row_needs(self):
        self.paper("--only", "gain_a", "--all-runs")
        self.assertEqual(len(set(self.runs())), 6)

    def test_the_key_covers_all_that_decides_a_result(self):
        binary = self.place / "heddle"
        shutil.copy(FAKE, binary)
        (self.place / "kernels").mkdir()
        kernel = self.place / "kernels/first.elf"
        kernel.write_text("one")

        def new_runs(*words):
            before = len(self.runs())
            self.paper("--only", "gain_a", *words, binary=binary)
            return len(self.runs()) - before

        self.assertEqual(new_runs(), 2)
        self.assertEqual(new_runs(), 0)
        kernel.write_text("two")
        self.assertEqual(new_runs(), 2)
        with binary.open("a") as stream:
            stream.write("# other bytes\n")
        self.assertEqual(new_runs(), 2)
        self.assertEqual(new_runs("--set", "l1d.mshrs=8"), 2)
        self.define(runs=RUNS.replace("n = 1 }", "n = 2 }"))
        self.assertEqual(new_runs(), 2)
        self.define(runs=RUNS.replace('"gto"', '"mto"'))
        self.assertEqual(new_runs(), 1)
        self.define(runs=RUNS.replace('["A", "B", "C"]', '["A", "B", "C"]\nseed = 2'))
        self.assertEqual(new_runs(), 2)
        data = self.place / "graph.txt"
        data.write_text("0 1\n")
        self.define(runs=RUNS.replace("n = 1 }", f'input = "{data}" }}'))
        self.assertEqual(new_runs(), 2)
        data.write_text("0 2\n")
        self.assertEqual(new_runs(), 2)
        self.define()
        self.assertEqual(new_runs(), 0)

    def test_other_names_of_one_run_share_it(self):
        self.define(runs=RUNS + '[sets.same]\nlike = "base"\n',
                    rows=ROWS.replace('runs = ["base"]', 'runs = ["base", "same"]')
                    .replace("base.new", "same.new"))
        self.paper()
        self.assertEqual(len(self.runs()), 6)

    def test_two_stores_give_the_same_csv(self):
        self.define(rows=CHARTED)
        self.paper("--jobs", "1", store="one")
        self.paper("--jobs", "4", store="two")
        self.assertEqual(self.csv("one"), self.csv("two"))
        self.assertNotIn("host", self.csv("one"))
        picture = "test/small/table.svg"
        self.assertEqual((self.place / "one" / picture).read_bytes(),
                         (self.place / "two" / picture).read_bytes())

    def test_kill_at_any_moment_loses_nothing(self):
        begin = time.monotonic()
        self.paper("--jobs", "2", store="undisturbed", seconds=0.1)
        duration = time.monotonic() - begin
        draw = random.Random(1)
        for _ in range(10):
            child = subprocess.Popen(self.command("--jobs", "2"), env=self.environment(0.1),
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(draw.uniform(0, duration))
            stored = {file: file.read_bytes() for file in self.place.glob("store/*.json")}
            child.send_signal(signal.SIGKILL)
            child.wait()
            for file, content in stored.items():
                self.assertEqual(file.read_bytes(), content)
        (self.place / "runs.log").unlink()
        finished = len(list(self.place.glob("store/*.json")))
        self.paper()
        self.assertEqual(len(self.runs()), 6 - finished)
        self.assertEqual(self.csv(), self.csv("undisturbed"))
        left = [file.name for file in self.place.glob("store/*") if file.suffix != ".json"]
        self.assertEqual(sorted(left), ["costs", "test"])

    def start_long_runs(self, first_words=()):
        """Two of six runs have finished; the command carries out two that take long."""
        self.paper("--only", "gain_a")
        child = subprocess.Popen([*first_words, *self.command("--jobs", "2")],
                                 env=self.environment(30),
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        while len(self.runs()) < 4:
            time.sleep(0.01)
        return child

    def test_ctrl_c_ends_the_runs_and_keeps_the_finished(self):
        self.expect_end_keeps_the_finished(self.start_long_runs(), signal.SIGINT)

    def test_kill_of_a_command_in_the_background_keeps_the_finished(self):
        """A shell starts `command &` with SIGINT ignored."""
        background = ["env", "--ignore-signal=INT"]
        self.expect_end_keeps_the_finished(self.start_long_runs(background), signal.SIGTERM)

    def expect_end_keeps_the_finished(self, child, number):
        child.send_signal(number)
        output, _ = child.communicate(timeout=20)
        self.assertEqual(child.returncode, 130, output)
        self.assertIn("the same command goes on", output)
        self.assertNotIn("Traceback", output)
        self.assertEqual(list(self.place.glob("store/running_*")), [])
        self.expect_no_runs_of(child)
        self.assertEqual(list(self.place.glob("store/*.log")), [])
        self.paper()
        self.assertEqual(len(self.runs()), 8)

    def test_kill_ends_the_runs_too(self):
        child = self.start_long_runs()
        child.send_signal(signal.SIGKILL)
        child.communicate(timeout=20)
        self.expect_no_runs_of(child)

    def test_a_failing_run_is_listed_and_the_others_go_on(self):
        self.define(runs=RUNS.replace('"second"', '"broken"'))
        output = self.paper(code=1)
        self.assertEqual(len(self.runs()), 6)
        self.assertRegex(output, r"gain of A .* (agrees|differs)")
        self.assertRegex(output, r"\n  gain  .* failed  failed")
        self.assertRegex(output, r"\n  B +failed +failed\n")
        self.assertRegex(output, r"\n  A +\d+\.\d +\d+\.\d\n")
        self.assertRegex(output, r"\n  mean +failed +failed\n")
        log = output.split("failed: base.new[B], log ")[1].splitlines()[0]
        with open(log, encoding="utf-8") as stream:
            text = stream.read()
        self.assertIn("run broken --config tiny", text)
        self.assertIn("exit code 1\nheddle: this workload always fails\n", text)
        self.assertIn('table,Fig. 1,IPC,B,old,,failed: base.old[B],,', self.csv())
        # A failure is no result: it is tried again.
        self.paper(code=1)
        self.assertEqual(len(self.runs()), 8)

    def test_a_killed_batch_does_not_repeat_what_an_earlier_try_said(self):
        self.define(runs=RUNS.replace('"second"', '"broken"'))
        self.paper(code=1)
        done = subprocess.run(self.command(), capture_output=True, text=True, check=False,
                              env={**self.environment(), "FAKE_KILLS": "yes"})
        self.assertEqual(done.returncode, 1, done.stderr)
        logs = [file.read_text() for file in self.place.glob("store/*.log")]
        self.assertEqual(len(logs), 2)
        for log in logs:
            self.assertIn("the job that it was part of ended before it", log)
            self.assertNotIn("always fails", log)

    def test_a_machine_that_does_not_exist_is_a_failed_run(self):
        self.define(runs=RUNS.replace('{ "smx.scheduler" = "gto" }',
                                      '{ configuration = "missing" }'))
        output = self.paper(code=1)
        self.assertIn("failed: base.new[A], log ", output)
        self.assertEqual(len(self.runs()), 3)

    def test_an_unreadable_result_is_a_failed_run(self):
        binary = self.place / "heddle"
        binary.write_text(FAKE.read_text().replace('> "$file"', "> /dev/null"))
        binary.chmod(0o755)
        output = self.paper(binary=binary, code=1)
        self.assertEqual(output.count("failed: base."), 6)
        logs = [file.read_text() for file in self.place.glob("store/*.log")]
        self.assertEqual(len(logs), 6)
        self.assertTrue(all("its result can't be read" in log for log in logs), logs)

    def test_progress_has_an_estimate(self):
        progress = Progress({"a": 10, "b": 20, "c": 30}, jobs=2, stream=io.StringIO())
        self.assertEqual(progress.text(set(), 0), "0 of 3 runs, 0 s, about 30 s left")
        # As fast as the measured costs say, and half as fast.
        self.assertEqual(progress.text({"b", "other"}, 10), "1 of 3 runs, 10 s, about 20 s left")
        self.assertEqual(progress.text({"b", "a"}, 30), "2 of 3 runs, 30 s, about 30 s left")

    def test_a_store_is_looked_at_only_before_a_line(self):
        for terminal, expected in ((False, 2), (True, 4)):  # each second in a terminal
            said, asked = io.StringIO(), []
            said.isatty = lambda terminal=terminal: terminal
            progress = Progress({"a": 10}, jobs=2, stream=said)
            now = time.monotonic()
            with unittest.mock.patch("time.monotonic") as clock:
                for seconds in (0, INTERVAL / 2, INTERVAL + 1, INTERVAL + 2, 2 * INTERVAL + 2):
                    clock.return_value = now + seconds
                    progress.show(lambda: asked.append(0) or {"a"})
            text = said.getvalue()
            self.assertEqual((len(asked), text.count("1 of 1 runs")), (expected, expected))
            self.assertEqual("\r" in text, terminal)

    def test_says_first_how_long_it_takes(self):
        output = self.paper("--only", "gain_a", "--jobs", "2")
        self.assertIn("2 runs, 0 of them stored; the others take about 2 s of processor time, "
                      "1 s with 2 at a time; none of them was ever measured", output)
        self.assertIn("6 runs, 2 of them stored; ", self.paper())
        self.assertNotIn("never measured", self.paper("--set", "l1d.mshrs=8"))

    def test_without_snakemake_it_names_the_package(self):
        done = subprocess.run(self.command(), env={**self.environment(), "PATH": "/nowhere"},
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "scripts/paper: snakemake is missing: apt-get install "
                                      "snakemake\n")

    def test_a_program_that_changes_during_the_runs_stops_them(self):
        binary = self.place / "heddle"
        binary.write_text(FAKE.read_text() + f"echo '# other' >> {self.place}/heddle\n")
        binary.chmod(0o755)
        self.assertIn(f"{binary} has changed since the runs began",
                      self.paper(binary=binary, code=2))
        self.assertEqual(list(self.place.glob("store/*.json")), [])

    def test_numbers_of_the_summary_are_statistics(self):
        self.define(rows=ROWS.replace("gpu.ipc", "summary.clocks"))
        self.paper()
        self.assertRegex(self.csv(), r"table,Fig. 1,IPC,A,old,,\d+")


if __name__ == "__main__":
    unittest.main()
