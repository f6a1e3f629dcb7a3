# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""The record in C, in bits, as text, and in SystemVerilog: two simulators read the bits and write the text."""
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import unittest

import heddle
from heddle import Retired, UsageError

RTL = pathlib.Path(os.environ["HEDDLE_RTL_FILES"])
BENCH = """
`include "heddle_retire.sv"
module bench;
  localparam int BITS = `HEDDLE_RETIRED_BITS({lanes});
  localparam int WORDS = (BITS + 31) / 32;
  logic clk = 0;
  logic [31:0] words[0:{count} * WORDS - 1];  // $readmemh of Verilator takes no words of thousands of bits
  logic [WORDS*32-1:0] vector;
  integer i = 0;
  logic started = 0;
  heddle_retire_text #(.LANES({lanes}), .FILE("retired.txt"))
      text(.clk(clk), .valid(started && i < {count}), .record(vector[BITS-1:0]));
  initial $readmemh("records.hex", words);
  always #1 clk = !clk;
  always @(negedge clk) begin
    started <= 1;
    for (int w = 0; w < WORDS; w++) vector[32*w +: 32] <= words[i * WORDS + w];
  end
  always @(posedge clk) if (started) i <= i + 1;
  always @(posedge clk) if (i == {count}) $finish;
endmodule
"""
MASKS = ("lanes", "known", "live", "next_lanes", "taken")


def drawn(stream, lanes):
    """A record with every bit of every field drawn."""
    record = Retired.empty()
    for name, kind in Retired._fields_[1:]:
        if name in MASKS:
            setattr(record, name, stream.getrandbits(lanes))
        elif hasattr(kind, "_length_"):
            for lane in range(lanes):
                getattr(record, name)[lane] = stream.getrandbits(32)
        else:
            setattr(record, name, stream.getrandbits(64))
    record.warp_size = lanes
    return record


def values(record):
    return {name: list(value) if hasattr(value := getattr(record, name), "__len__") else value
            for name, _ in Retired._fields_}


class FormsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.stream = random.Random(7)

    def test_bits_and_text_have_all_of_it(self):
        for lanes in range(1, 65):
            record = drawn(self.stream, lanes)
            self.assertEqual(values(Retired.unpacked(lanes, record.packed)), values(record))
            self.assertEqual(values(Retired.parsed(record.line)), values(record))

    def test_the_first_field_has_the_lowest_bits(self):
        record = Retired.empty()
        record.warp_size, record.cycle, record.n, record.lanes = 8, 5, 3, 0x81
        self.assertEqual(record.packed & (1 << 200) - 1, 5 | 3 << 128 | 0x81 << 192)

    def simulated(self, lanes, records):
        words = -(-Retired.packed_bits(lanes) // 32)
        lines = [f"{record.packed >> 32 * word & 0xffffffff:x}" for record in records for word in range(words)]
        (self.folder / "records.hex").write_text("\n".join(lines) + "\n")
        (self.folder / "bench.sv").write_text(BENCH.format(lanes=lanes, count=len(records)))

    def ran(self, *command):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False, timeout=200)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def expect_written(self, records):
        lines = (self.folder / "retired.txt").read_text().splitlines()
        self.assertEqual(len(lines), len(records))
        for line, record in zip(lines, records):
            self.assertEqual(values(Retired.parsed(line)), values(record))

    def test_icarus_writes_the_text(self):
        for lanes in (1, 8, 33, 64):
            records = [drawn(self.stream, lanes) for _ in range(20)]
            self.simulated(lanes, records)
            self.ran("iverilog", "-g2012", f"-I{RTL}", "-o", "bench", "bench.sv")
            self.ran("vvp", "-n", "bench")
            self.expect_written(records)

    def test_verilator_writes_the_text(self):
        records = [drawn(self.stream, 32) for _ in range(50)]
        self.simulated(32, records)
        self.ran("verilator", "--binary", f"-I{RTL}", "--top-module", "bench", "-O0", "-CFLAGS", "-O0", "bench.sv")
        self.ran("obj_dir/Vbench")
        self.expect_written(records)

    def test_what_is_no_record_is_named(self):
        record = drawn(self.stream, 8)
        for line, text in (("pc=00x0", "field 'pc' has the digit 'x'"), ("next=1", "no field 'next'"),
                           ("n=1 n=2", "'n' comes twice"), ("", "no field"), ("pc", "not NAME=HEXADECIMAL"),
                           ("pc=", "'pc' is empty"), ("pc=100000000", "more than 32 bits")):
            with self.assertRaisesRegex(UsageError, text):
                Retired.parsed(line)
        record.taken = 0x100
        with self.assertRaisesRegex(UsageError, "'taken' is 0x100, but a warp has 8 lanes"):
            _ = record.packed
        record.warp_size = 65
        with self.assertRaisesRegex(UsageError, "warps of 65 lanes; legal: 1 to 64"):
            _ = record.packed
        with self.assertRaisesRegex(UsageError, "a record of 1 words"):
            Retired.unpacked(8, 1, words=1)
        self.assertIn("event", repr(heddle.Retired.parsed("kind=2")).replace("drained", "event"))


if __name__ == "__main__":
    unittest.main()
