# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""scripts/cmake/lay_out_code.py with stand-ins for llvm-bolt, merge-fdata and the command."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/cmake/lay_out_code.py"
# With -instrument the program counts itself; else the profile is put behind it.
BOLT = """#!/bin/sh
program=$1; shift
[ "$1" = -instrument ] && counts=1 && shift
to=$2
cp "$program" "$to"
for option in "$@"; do
    case $option in
    --instrumentation-file=*) file=${option#*=} ;;
    --instrumentation-file-append-pid) file=$file.\\$\\$ ;;
    -data=*) [ -z "$counts" ] && sed 's/^/# /' "${option#*=}" >>"$to" ;;
    esac
done
[ -z "$counts" ] || echo "echo \\$* >$file" >>"$to"
"""
MERGE = """#!/bin/sh
for each in "$@"; do [ "$each" = -o ] && break; cat "$each"; done | sort >"$(eval echo \\${$#})"
"""
PROGRAM = "#!/bin/sh\n[ \"$2\" = broken ] && echo out of range && exit 3\n"


class LayoutTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)
        self.write("llvm-bolt", BOLT)
        self.write("merge-fdata", MERGE)
        self.write("heddle", PROGRAM)

    def write(self, name, text):
        (self.place / name).write_text(text)
        (self.place / name).chmod(0o755)

    def lay_out(self, runs):
        self.write("runs", runs)
        return subprocess.run([sys.executable, SCRIPT, self.place / "llvm-bolt", self.place / "heddle",
                               self.place / "runs"], capture_output=True, text=True)

    def text(self):
        return (self.place / "heddle").read_text()

    def left(self):
        return sorted(os.listdir(self.place))

    def test_lays_out_by_each_run(self):
        done = self.lay_out("# runs\n\nsaxpy --config tiny  # the smallest\nbfs --input a:b=1\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.text(), PROGRAM + "# run bfs --input a:b=1 --no-progress\n"
                                                "# run saxpy --config tiny --no-progress\n")
        self.assertTrue(os.access(self.place / "heddle", os.X_OK))
        self.assertEqual(self.left(), ["heddle", "llvm-bolt", "merge-fdata", "runs"])

    def test_a_run_that_fails_leaves_the_program(self):
        done = self.lay_out("saxpy\nbroken --config tiny\n")
        self.assertEqual(done.returncode, 1)
        for part in ("heddle.counting run broken --config tiny --no-progress", "out of range",
                     "It ended with 3.", "-DHEDDLE_LAYOUT=OFF"):
            self.assertIn(part, done.stderr)
        self.assertEqual(self.text(), PROGRAM)
        self.assertEqual(self.left(), ["heddle", "llvm-bolt", "merge-fdata", "runs"])

    def test_a_bolt_that_fails_leaves_the_program(self):
        self.write("llvm-bolt", BOLT.replace("to=$2", "[ \"$counts\" ] || exit 1\nto=$2"))
        done = self.lay_out("saxpy\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("llvm-bolt", done.stderr)
        self.assertEqual(self.text(), PROGRAM)


if __name__ == "__main__":
    unittest.main()
