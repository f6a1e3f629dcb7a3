# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""RTL outside of the model: other tools read it, proofs hold, and traces of slots play again."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = ["fr_fcfs_picker", "input_first_allocator", "queue_picker", "warp_scheduler"]
# Of each slot: an instance, and what chooses a policy that the RTL has.
SLOTS = {
    "warp_scheduler": ("gpu.smx_1.warp_scheduler_0.*", ["smx.scheduler=motrr_recency"]),
    "crossbar_allocator": ("gpu.crossbar.request.*", ["crossbar.allocator=input_first"]),
    "dram_scheduler": ("*_1*", ["dram.model=gddr", "dram.row_mask=2147418112"]),
    "queue_picker": ("*", []),
}


def run(*command):
    return subprocess.run([str(word) for word in command], cwd=ROOT, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


class RtlTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)

    def trace_of(self, slot, extra=()):
        """A trace of one instance of a slot, in a run of bfs."""
        where, settings = SLOTS[slot]
        file = self.place / slot
        sets = [f"slot.{slot}=shadow", f"slot.{slot}.where={where}", *settings, *extra]
        done = run(os.environ["HEDDLE_COMMAND"], "run", "bfs", "--config", "tiny", "--input",
                   "kronecker:scale=5,degree=4", "--slot-trace", file,
                   *[word for one in sets for word in ("--set", one)])
        self.assertEqual(done.returncode, 0, done.stdout)
        return file

    def replay(self, file, *options):
        return run("scripts/replay", file, *options)

    def test_icarus_compiles_each_module(self):
        for module in MODULES:
            done = run("iverilog", "-g2012", "-Wall", "-Wno-timescale", "-o", self.place / module,
                       f"hw/rtl/{module}.sv")
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_yosys_reads_each_module(self):
        for module in MODULES:
            done = run("yosys", "-q", "-p",
                       f"read_verilog -sv hw/rtl/{module}.sv; hierarchy -check -top {module}; proc")
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_promises_are_proven(self):
        done = run("scripts/prove", "queue_picker", "fr_fcfs_picker")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(re.findall("^proven +(.*)$", done.stdout, re.M),
                         ["queue_picker", "fr_fcfs_picker "])

    def test_each_slot_plays_again_in_icarus(self):
        for slot in SLOTS:
            file = self.trace_of(slot)
            lines = file.read_text().splitlines()[:200]  # Icarus takes its time
            file.write_text("\n".join(lines) + "\n")
            steps = len(lines) - 1
            self.assertGreaterEqual(steps, 5, slot)
            done = self.replay(file, "--simulator", "icarus")
            self.assertEqual((done.returncode, done.stdout),
                             (0, f"{steps} steps, no difference\n"))

    def test_a_slot_plays_again_in_verilator(self):
        done = self.replay(self.trace_of("queue_picker"))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("steps, no difference", done.stdout)

    def test_the_first_difference_is_shown(self):
        file = self.trace_of("queue_picker")
        lines = file.read_text().split("\n")
        at = next(n for n, line in enumerate(lines) if line.startswith("c "))
        step, inputs, outputs = lines[at].split(" ")
        lines[at] = f"{step} {inputs} {int(outputs, 16) ^ 1:02x}"
        file.write_text("\n".join(lines))
        done = self.replay(file, "--simulator", "icarus")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(f"line {at + 1}: inputs", done.stdout)

    def test_what_is_no_trace_is_refused(self):
        file = self.place / "other"
        file.write_text("cycle,warp\n1,2\n")
        done = self.replay(file)
        self.assertEqual((done.returncode, done.stdout),
                         (2, f"scripts/replay: {file}: is no slot trace\n"))

    def test_a_trace_has_one_instance_with_rtl(self):
        def refusal(*sets):
            return run(os.environ["HEDDLE_COMMAND"], "run", "bfs", "--config", "tiny",
                       "--slot-trace", self.place / "none",
                       *[word for one in sets for word in ("--set", one)])
        done = refusal()
        self.assertEqual(done.returncode, 2)
        self.assertIn("--slot-trace: no slot has RTL", done.stdout)
        done = refusal("slot.crossbar_allocator=rtl", "crossbar.allocator=input_first")
        self.assertEqual(done.returncode, 2)
        self.assertIn("gpu.crossbar.request.allocator_0 and "
                      "gpu.crossbar.response.allocator_0 have RTL", done.stdout)
        self.assertFalse((self.place / "none").exists())


if __name__ == "__main__":
    unittest.main()
