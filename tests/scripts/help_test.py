# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Every script has --help, which does nothing else."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
TOOLS = ("cmake", "ctest", "dpkg-query", "clang-format", "git", "yosys", "apt-get")


def scripts():
    return [file for file in sorted(SCRIPTS.iterdir()) if file.is_file() and os.access(file, os.X_OK)]


class Help(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        shutil.copytree(SCRIPTS, self.tree / "scripts", symlinks=True)
        (self.tree / "bin").mkdir()
        for tool in TOOLS:
            (self.tree / "bin" / tool).write_text(f"#!/bin/sh\ntouch {self.tree}/called\n")
            (self.tree / "bin" / tool).chmod(0o755)

    def help_of(self, name, word):
        return subprocess.run([self.tree / "scripts" / name, word], capture_output=True, text=True, timeout=120,
                              env=dict(os.environ, PATH=f"{self.tree}/bin:{os.environ['PATH']}"), check=False)

    def test_of_every_script(self):
        self.assertGreater(len(scripts()), 25)
        for script in scripts():
            own = script.read_bytes().startswith(b"#!/usr/bin/env bash")  # not argparse's
            for word in ("--help", "-h") if own else ("--help",):
                with self.subTest(script=script.name, word=word):
                    done = self.help_of(script.name, word)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertGreater(len(done.stdout.split()), 10)
                    self.assertFalse((self.tree / "called").exists())

    def test_is_the_comment_of_a_script_of_bash(self):
        shown = self.help_of("test", "--help").stdout
        self.assertTrue(shown.startswith("Sets up (scripts/setup), builds everything"), shown)
        self.assertIn("`scripts/test -R isa`", shown)
        self.assertNotIn("pipefail", shown)


if __name__ == "__main__":
    unittest.main()
