# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Tests of scripts/docs_examples with a page and a heddle command of their own."""
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "docs_examples"
FAKE = """#!/bin/sh
case $1 in
  read) cat "$2";;
  fail) exit 3;;
  *) printf 'kernel: saxpy\\ncycles                 562\\nIPC                  23.80\\nhost time            0.123  s\\n';;
esac
"""


class docs_examples(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.tree = pathlib.Path(self.folder.name)
        (self.tree / "build/release").mkdir(parents=True)
        (self.tree / "docs").mkdir()
        heddle = self.tree / "build/release/heddle"
        heddle.write_text(FAKE)
        heddle.chmod(0o755)

    def tearDown(self):
        self.folder.cleanup()

    def run_page(self, text, *options):
        """(exit code, output, the page afterwards)"""
        page = self.tree / "docs/page.md"
        page.write_text(text)
        run = subprocess.run([SCRIPT, "--tree", self.tree, *options, "docs/page.md"], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr, page.read_text()

    @staticmethod
    def block(*lines, mark=""):
        return "\n".join(["text", *([f"<!-- example: {mark} -->"] if mark else []), "```", *lines, "```", ""])

    RIGHT = ("$ heddle run", "kernel: saxpy", "cycles                 562", "IPC                  23.80",
             "host time            9.9  s")

    def test_a_right_page_passes_and_host_times_may_differ(self):
        self.assertEqual(self.run_page(self.block(*self.RIGHT))[0], 0)

    def test_a_wrong_cycle_number_fails_with_page_and_line(self):
        code, output, _ = self.run_page(self.block(*self.RIGHT).replace("562", "563"))
        self.assertEqual(code, 1)
        self.assertIn("docs/page.md:3: heddle run", output)
        self.assertIn("-cycles                 563", output)
        self.assertIn("+cycles                 562", output)

    def test_a_line_that_is_missing_fails_without_an_elision(self):
        lines = self.RIGHT[:1] + self.RIGHT[2:]
        self.assertEqual(self.run_page(self.block(*lines))[0], 1)
        self.assertEqual(self.run_page(self.block(*lines, mark="part"))[0], 0)
        self.assertEqual(self.run_page(self.block(lines[0], "...", *lines[1:]))[0], 0)

    def test_an_elision_hides_no_wrong_number(self):
        for mark, lines in (("part", ()), ("", ("...",))):
            text = self.block("$ heddle run", *lines, "cycles                 563", *lines, mark=mark)
            code, _, page = self.run_page(text, "--update")
            self.assertEqual(code, 0)
            self.assertEqual(page, text.replace("563", "562"))
            self.assertEqual(self.run_page(text)[0], 1)

    def test_a_line_that_the_program_no_longer_prints_fails(self):
        text = self.block("$ heddle run", "cycles                 562", "racing loads  7", mark="part")
        self.assertEqual(self.run_page(text)[0], 1)

    def test_an_elision_within_a_line(self):
        self.assertEqual(self.run_page(self.block(*self.RIGHT).replace("kernel: saxpy", "ker...py"))[0], 0)
        self.assertEqual(self.run_page(self.block(*self.RIGHT).replace("kernel: saxpy", "ker...px"))[0], 1)

    def test_output_of_another_kind_is_an_error_and_never_written(self):
        text = self.block("$ heddle run", "vertices: 7000")
        code, output, page = self.run_page(text, "--update")
        self.assertEqual((code, page), (1, text))
        self.assertIn("leaves this one to you", output)

    def test_a_command_without_output_must_end_well(self):
        self.assertEqual(self.run_page(self.block("$ heddle run"))[0], 0)
        self.assertEqual(self.run_page(self.block("$ heddle fail"))[0], 1)

    def test_a_file_of_the_page(self):
        text = self.block("seven", mark="file a.txt") + self.block("$ heddle read a.txt", "seven")
        self.assertEqual(self.run_page(text)[0], 0)
        self.assertEqual(self.run_page(text.replace("a.txt\nseven", "a.txt\neight"))[0], 1)

    def test_long_ones_only_with_all_and_others_never(self):
        wrong = [line.replace("562", "563") for line in self.RIGHT]
        self.assertEqual(self.run_page(self.block(*wrong, mark="long"))[0], 0)
        self.assertEqual(self.run_page(self.block(*wrong, mark="long"), "--all")[0], 1)
        self.assertEqual(self.run_page(self.block(*wrong, mark="no, why"), "--all")[0], 0)


if __name__ == "__main__":
    unittest.main()
