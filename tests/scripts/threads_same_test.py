# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""scripts/threads_same: with the program, and with programs that several threads make wrong."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from comparing.thread_runs import Run
HEDDLE = pathlib.Path(os.environ["HEDDLE_COMMAND"])

# What the program does with three threads; a shell catches no Ctrl-C meanwhile.
WRAPPER = """#!/bin/sh
if [ "$1" = run ]; then
    case " $* " in *" --threads 3 "*) {wrong} ;; esac
fi
exec {heddle} "$@"
"""


class ThreadsSame(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.build = pathlib.Path(place.name)

    def program(self, wrong=":"):
        """A build whose heddle does wrong things with three threads."""
        file = self.build / "heddle"
        file.write_text(WRAPPER.format(heddle=HEDDLE, wrong=wrong))
        file.chmod(0o755)

    def compare(self, *words):
        done = subprocess.run([ROOT / "scripts/threads_same", "--build", self.build, *words],
                              capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_the_program_gives_the_same(self):
        self.program()
        code, text = self.compare("--runs", "4", "--threads", "2", "5")
        self.assertEqual(code, 0, text)
        self.assertIn("4 runs, 0 different", text)

    def test_early_ends_are_the_same(self):
        self.program()
        for which in ("fault", "no progress", "limit of 700", "interrupted"):
            code, text = self.compare("--only", f"end: {which} on tiny", "--threads", "3")
            self.assertEqual(code, 0, text)
            self.assertIn("1 runs, 0 different; 0 of them are refused", text)

    def test_finds_what_differs(self):
        run = f'{HEDDLE} "$@" &&'
        wrongs = {
            'set -- "$@" --set gpu.watchdog=9999999': r"--threads 3 .*--thread-delays \d+: stats.json: ",
            'set -- "$@" --option block=64': "printed: ",
            "exit 9": "exit code 0 -> 9",
            "echo oh >&2": "errors: ",
            f"{run} sed -i '/\"gpu.cycles\"/,/value/ s/\"value\": /&1/' stats.json; exit 0":
                r"stats.json: gpu.cycles: \(\d+, 'cycle'\) -> \(1\d+, 'cycle'\)",
            f"{run} rm series.csv; exit 0": "series.csv is there only once",
            f"{run} echo x >> lines.csv; exit 0": "lines.csv: ",
        }
        for wrong, said in wrongs.items():
            self.program(wrong)
            code, text = self.compare("--only", "saxpy on tiny, as it is", "--threads", "2", "3")
            self.assertEqual(code, 1, f"{wrong}: {text}")
            self.assertRegex(text, "saxpy on tiny, as it is: .*" + said)
            self.assertNotIn("--threads 2", text)
            self.assertIn("1 runs, 1 different", text)

    def test_finds_a_run_that_counts_differently_until_it_is_interrupted(self):
        # Whenever it is interrupted, another time has passed.
        self.program('set -- "$@" --set clock.core=333000')
        code, text = self.compare("--only", "end: interrupted on tiny", "--threads", "3")
        self.assertEqual(code, 1, text)
        self.assertRegex(text, r"end: interrupted on tiny: --threads 3: \S+: \d+ to \d+ -> \d+")

    def test_goes_on_with_what_is_not_known(self):
        self.program()
        words = ("--only", "saxpy on tiny, [lm]*", "--threads", "2")
        first = self.compare(*words, "--runs", "1")
        self.assertEqual(first[0], 0, first[1])
        code, text = self.compare(*words)
        self.assertEqual(code, 0, text)
        left = int(re.match(r"(\d+) runs, .*; 1 are known to be the same", text)[1])
        self.assertIn(f"{left} runs, 0 different", text)
        self.assertIn("0 runs, ", self.compare(*words)[1])
        self.assertIn(f"{left + 1} runs, ", self.compare(*words, "--again")[1])
        for different in ("--both", "--whole"):
            self.assertIn(f"{left + 1} runs, ", self.compare(*words, different, "--seconds", "0")[1])
        self.program(": another program")
        self.assertIn(f"{left + 1} runs, ", self.compare(*words)[1])

    def test_the_fewest_threads_run_longest(self):
        calls = self.build / "calls"
        (self.build / "heddle").write_text(
            f'#!/bin/sh\necho "$@" >> {calls}\n'
            'echo \'{"statistics": {"gpu.cycles": {"value": 30001, "unit": "cycle"}}, \'\\\n'
            '\'"run": {"configuration": {}}}\' > stats.json\n')
        (self.build / "heddle").chmod(0o755)
        run = Run("a run", ["run", "it"], records=False)
        for number, (whole, limits) in enumerate(((False, {"2": "30000", "5": "10000"}), (True, {}))):
            folder = self.build / str(number)
            folder.mkdir()
            calls.write_text("")
            self.assertEqual(run.differences(self.build / "heddle", (5, 2), 1, folder, whole=whole), [])
            found = re.findall(r"--threads (\d) .*--max-cycles (\d+)", calls.read_text())
            self.assertEqual(dict(found), limits)

    def test_says_what_it_cannot_do(self):
        self.assertEqual(self.compare()[0], 2)  # no program
        self.program()
        for words in (("--only", "no run"), ("--jobs", "0"), ("--threads", "0"), ("--threads", "65")):
            self.assertEqual(self.compare(*words)[0], 2, words)


if __name__ == "__main__":
    unittest.main()
