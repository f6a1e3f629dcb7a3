# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""What scripts/speed prints, writes and refuses; valgrind is a stand-in. Nothing here is timed."""
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TINY = 'timed = "saxpy --config tiny --option n=64"\ncounted = "saxpy --config tiny --option n=64"\n'
STEP = """[step]
more = "saxpy --config tiny --option n=128"
less = "saxpy --config tiny --option n=64"
"""
# Each build costs what its name says, 10 instructions or more a warp instruction.
VALGRIND = """#!/bin/sh
shift 3
cost=10
case $1 in *new) cost=$COST;; esac
words=$("$@" | sed -n 's/^warp instructions *//p')
echo "warp instructions  $words"
printf '==1== I   refs:      1,%03d,000\\n==1== I1  misses:    %d\\n' $((words * cost)) $((words * 2)) >&2
printf '==1== D   refs:      7  (1 rd + 6 wr)\\n==1== D1  misses:    %d  (1 rd + 1 wr)\\n' $((words * 3)) >&2
"""


class SpeedTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = pathlib.Path(folder.name)
        for name in ("old", "new"):
            (self.place / name).symlink_to(os.environ["HEDDLE_COMMAND"])
        self.program("valgrind", VALGRIND)
        self.runs = self.place / "runs.toml"
        self.runs.write_text(f"[runs.tiny]\n{TINY}\n[runs.other]\n{TINY}\n{STEP}")
        self.page = self.place / "page.md"
        self.page.write_text("before\n<!-- table of scripts/speed -->\nstale\n<!-- end of the table -->\nafter\n")

    def program(self, name, text):
        path = self.place / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def speed(self, *options, old="old", new="new", cost=10):
        environment = os.environ | {"PATH": f"{self.place}:{os.environ['PATH']}", "COST": str(cost)}
        done = subprocess.run([ROOT / "scripts/speed", self.place / old, self.place / new, "--runs", self.runs,
                               "--page", self.page, *options], capture_output=True, text=True, env=environment)
        return done.returncode, done.stdout, done.stderr

    def test_times_each_run_in_pairs(self):
        _, out, err = self.speed("--pairs", "2")
        self.assertEqual(err, "")
        for name in ("tiny", "other"):
            self.assertRegex(out, rf"(?m)^{name} +\d+\.\d{{3}} +2 pairs, \d")

    def test_only_takes_some_runs(self):
        _, out, _ = self.speed("--pairs", "1", "--only", "oth")
        self.assertNotRegex(out, "(?m)^tiny")
        code, _, err = self.speed("--only", "absent")
        self.assertEqual(code, 2)
        self.assertIn("no run has 'absent' in its name; there are tiny, other", err)

    def test_counts_and_the_step(self):
        # 1,000,000 instructions and 10 thousand a warp instruction; misses 2 and 3 a warp instruction
        code, out, err = self.speed("--instructions")
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, r"(?m)^tiny +1\.000 +\d+, \d+ +2, 2 +3, 3$")
        self.assertRegex(out, r"(?m)^one more warp instruction of matrix +1\.000 +10000, 10000 +2, 2 +3, 3$")

    def test_a_slower_build_fails(self):
        code, out, _ = self.speed("--instructions", cost=11)
        self.assertEqual(code, 1)
        self.assertRegex(out, r"one more warp instruction of matrix +1\.100 +10000, 11000")

    def test_writes_the_page(self):
        _, _, err = self.speed("--pairs", "1", "--docs", "1234567")
        self.assertEqual(err, "")
        page = self.page.read_text()
        self.assertTrue(page.startswith("before\n<!-- table of scripts/speed -->\n\nOld is commit 1234567.\n"))
        self.assertTrue(page.endswith("\n<!-- end of the table -->\nafter\n"))
        self.assertIn("| run | time, new / old | of |\n|---|---|---|\n| tiny |", page)
        self.assertIn("| one more warp instruction of matrix | 1.000 | 10000, 10000 | 2, 2 | 3, 3 |", page)
        self.assertNotIn("stale", page)

    def test_a_page_without_marks(self):
        self.page.write_text("nothing")
        code, _, err = self.speed("--pairs", "1", "--docs", "1234567")
        self.assertEqual(code, 1)
        self.assertIn("the marks of the table are missing", err)
        self.assertEqual(self.page.read_text(), "nothing")

    def test_a_missing_binary(self):
        code, _, err = self.speed(new="absent")
        self.assertEqual(code, 2)
        self.assertIn("absent' is not a program", err)

    def test_a_folder_is_no_binary(self):
        (self.place / "folder").mkdir()
        self.assertEqual(self.speed(old="folder")[0], 2)

    def test_a_run_that_fails(self):
        self.program("new_broken", "#!/bin/sh\necho out of luck >&2\nexit 3\n")
        code, _, err = self.speed(new="new_broken")
        self.assertEqual(code, 1)
        self.assertIn("new_broken run saxpy --config tiny --option n=64 --no-progress: exit code 3", err)
        self.assertIn("out of luck", err)

    def test_a_run_without_a_summary(self):
        self.program("silent", "#!/bin/sh\n")
        code, _, err = self.speed(old="silent")
        self.assertEqual(code, 1)
        self.assertIn("it reports no warp instructions", err)

    def test_builds_that_do_different_work(self):
        self.program("less", "#!/bin/sh\necho 'warp instructions  7'\n")
        code, _, err = self.speed(new="less")
        self.assertEqual(code, 1)
        self.assertRegex(err, r"the builds run \d+ and 7 warp instructions")

    def test_a_step_of_no_work(self):
        self.runs.write_text(f"[runs.tiny]\n{TINY}\n{STEP}".replace("n=128", "n=64"))
        code, _, err = self.speed("--instructions")
        self.assertEqual(code, 1)
        self.assertIn("no more warp instructions than", err)

    def test_wrong_use(self):
        self.assertEqual(self.speed("--pairs", "0")[0], 2)
        self.assertEqual(self.speed("--docs", "1234567", "--only", "tiny")[0], 2)


if __name__ == "__main__":
    unittest.main()
