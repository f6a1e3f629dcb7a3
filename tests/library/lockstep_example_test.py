# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""The example of docs/lockstep.md: a core whose records go to the reference, by DPI and as text."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = pathlib.Path(os.environ["HEDDLE_LIBRARY"])
RTL = pathlib.Path(os.environ["HEDDLE_RTL_FILES"])


class ExampleTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        for file in (SOURCE / "docs/examples/lockstep").iterdir():
            shutil.copy(file, cls.folder)
        cls.good(sys.executable, "record.py")
        cls.right = (cls.folder / "records.txt").read_text()
        cls.bits = (cls.folder / "records.hex").read_text()
        cls.good("verilator", "--binary", "--timing", "-Wno-fatal", f"-I{RTL}", "--top-module", "testbench", "-O0",
                 "-CFLAGS", "-O0", "-LDFLAGS", f"{LIBRARY} -Wl,-rpath,{LIBRARY.parent}", "testbench.sv", "core.sv")

    @classmethod
    def ran(cls, *command):
        return subprocess.run(command, cwd=cls.folder, capture_output=True, text=True, check=False, timeout=200)

    @classmethod
    def good(cls, *command):
        done = cls.ran(*command)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def setUp(self):
        (self.folder / "records.txt").write_text(self.right)
        (self.folder / "records.hex").write_text(self.bits)

    def test_the_testbench_finds_it_equal(self):
        self.assertIn("equal: words[0] = 189", self.good("obj_dir/Vtestbench"))

    def test_the_testbench_stops_at_the_first_difference(self):
        words = self.bits.splitlines()
        of_record = len(words) // len(self.right.splitlines())
        # The lowest word of value[5], in the first step that writes a register in all lanes.
        lines = self.right.splitlines()
        which = next(i for i, line in enumerate(lines) if re.search(r"\bknown=ffffffff\b", line) and
                     " rd=" in line and "kind=" not in line and "access=" not in line)
        place = which * of_record + (3 * 64 + 32 + 10 * 32) // 32 + 5
        words[place] = f"{int(words[place], 16) ^ 1:x}"
        (self.folder / "records.hex").write_text("\n".join(words) + "\n")
        done = self.ran("obj_dir/Vtestbench")
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stdout + done.stderr, r"warp 0 of block 0, lane 5, n = \d+: '.*' leaves")
        self.assertIn("exchange.cpp:", done.stdout + done.stderr)

    def test_the_text_is_compared(self):
        self.assertRegex(self.good(sys.executable, "compare.py"), r"equal: \d+ instructions")
        wrong = re.sub(r"( data=[0-9a-f]*)[0-9a-f]\b", r"\1d", self.right, count=1)
        self.assertTrue(wrong != self.right)
        (self.folder / "records.txt").write_text(wrong)
        self.assertRegex(self.good(sys.executable, "compare.py"), r"lane 0, n = \d+: 'sw .*' has the operand 0x")


if __name__ == "__main__":
    unittest.main()
