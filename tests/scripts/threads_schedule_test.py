# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""scripts/threads_schedule: times and losses of made-up recordings."""
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
WEIGHT = 8  # three parts are worth several threads


class ThreadsSchedule(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.build = pathlib.Path(place.name)
        (self.build / "tests/bench").mkdir(parents=True)

    def record(self, instants, parts=4, others=(), code=0):
        """What the program that records will print: instants of 'OTHER LETTERS PART:EVALUATE:UPDATE ...'."""
        lines = ["handover 100", *(f"part {number} {WEIGHT} core gpu.smx_{number}" for number in range(parts)),
                 *others, *instants]
        text = self.build / "record"
        text.write_text("\n".join(lines) + "\n")
        program = self.build / "tests/bench/edge_work_bench"
        program.write_text(f'#!/bin/sh\necho "$@" >> {self.build}/calls\ncat {text}\nexit {code}\n')
        program.chmod(0o755)

    def compute(self, *words):
        done = subprocess.run([ROOT / "scripts/threads_schedule", "--build", self.build, "--repeats", "1",
                               *words], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def lines(self, *words):
        code, text = self.compute("--only", "gk110 matrix", *words)
        self.assertEqual(code, 0, text)
        return text

    def test_equal_parts_lose_by_meetings_and_the_main_thread(self):
        self.record(["10 0 0:100:0 1:100:0 2:100:0 3:100:0"] * 50)
        text = self.lines("--handover", "0")
        self.assertIn("50 instants of 410 ns; letters 0 %, main thread 2 %, smx 98 %\n  handover 0 ns\n", text)
        self.assertIn(" 2 threads: 1.95 times as fast; lost: imbalance 0 % (0 % stays), meetings 0 %, "
                      "main thread 2 %, alone 0 %", text)
        self.assertIn(" 4 threads: 3.73 times as fast", text)
        # 100 for evaluate(), 10 alone, and 1.75 handovers of those that were measured.
        self.assertIn(" 4 threads: 1.44 times as fast; lost: imbalance 0 % (0 % stays), meetings 61 %, "
                      "main thread 3 %, alone 0 %", self.lines())
        for both in ("3.73", "1.44", "  handover 100 ns\n"):
            self.assertIn(both, self.lines("--handover", "0", "100"))
        # 0.625 handovers.
        self.assertIn(" 4 threads: 2.38 times as fast; lost: imbalance 0 %, meetings 36 %",
                      self.lines("--one-barrier"))

    def test_more_threads_than_parts_wait(self):
        self.record(["0 0 0:100:0 1:100:0 2:100:0"] * 50, parts=3)
        text = self.lines("--handover", "0")
        self.assertIn(" 2 threads: 1.50 times as fast; lost: imbalance 25 % (25 % stays)", text)
        self.assertIn(" 8 threads: 3.00 times as fast; lost: imbalance 62 % (62 % stays)", text)

    def test_what_another_deal_would_mend_does_not_stay(self):
        self.record(["0 0 0:100:0 1:20:0 2:100:0 3:20:0", "0 0 0:20:0 1:100:0 2:20:0 3:100:0"] * 25)
        text = self.lines("--handover", "0")
        self.assertIn(" 2 threads: 1.20 times as fast; lost: imbalance 40 % (0 % stays)", text)
        # Both lanes have the same work in two instants.
        text = self.lines("--handover", "0", "--window", "2")
        self.assertIn(" 2 threads: 2.00 times as fast; lost: imbalance 0 %, meetings 0 %", text)

    def test_little_work_stays_on_the_main_thread(self):
        self.record(["0 0 0:100:0"] * 50, parts=1)
        self.assertIn(" 4 threads: 1.00 times as fast; lost: imbalance 0 % (0 % stays), meetings 0 %, "
                      "main thread 0 %, alone 75 %", self.lines())

    def test_controllers_are_late(self):
        self.record(["0 0 0:100:0 1:100:0 2:100:0 3:100:0", "0 0 4:100:0"] * 50,
                    others=[f"part 4 {WEIGHT} memory gpu.memory_controller_0"])
        self.assertIn(" 8 threads: 4.90 times as fast", self.lines("--handover", "0"))  # not the last one
        self.assertIn(" 8 threads: 2.50 times as fast", self.lines("--handover", "0", "--no-late"))

    def test_letters_are_for_all_threads(self):
        self.record(["0 100 0:75:0 1:75:0 2:75:0 3:75:0"] * 50)
        self.assertIn(" 4 threads: 4.00 times as fast", self.lines("--handover", "0"))

    def test_runs_what_it_is_told(self):
        self.record(["0 0 0:100:0 1:100:0 2:100:0"], parts=3)
        code, text = self.compute("--run", "si bfs --set gpu.smx_count=32", "--run", "tiny saxpy n=100")
        self.assertEqual(code, 0, text)
        self.assertIn("tiny saxpy n=100: 1 instants", text)
        self.assertEqual((self.build / "calls").read_text(),
                         "si bfs --set gpu.smx_count=32\ntiny saxpy n=100\n")

    def test_says_what_it_cannot_do(self):
        self.assertEqual(self.compute()[0], 2)  # no program
        self.record([], code=3)
        for words in (("--run", "gk110"), ("--only", "no run"), ("--repeats", "0"), ("--window", "0")):
            self.assertEqual(self.compute(*words)[0], 2, words)
        self.assertEqual(self.compute("--only", "gk110 matrix")[0], 1)


if __name__ == "__main__":
    unittest.main()
