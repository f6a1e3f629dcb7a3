# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""scripts/verify-rtl: Heddle's modules are right, and faults of each kind are seen."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RTL = ROOT / "hw/rtl"
SLOTS = ["warp_scheduler", "formation", "crossbar_allocator", "dram_scheduler", "queue_picker",
         "kde_chain", "group_allocator", "tm_bank"]
PICKER = """module my_picker (
    input logic clk, input logic rst_n, input logic enable,
    input logic [63:0] ready, output logic [5:0] queue);
  logic [63:0] behind_last, turn;
  assign turn = ((ready & behind_last) != 64'd0) ? (ready & behind_last) : ready;
  always_comb begin
    queue = 6'd0;
    for (int i = 63; i >= 0; i--) if (turn[i]) queue = 6'(i);
  end
  always_ff @(posedge clk) begin
    if (!rst_n) behind_last <= ~64'd0;
    else if (enable) behind_last <= (~64'd0 << queue) << 1;
  end
endmodule
"""


def verify(*words):
    """Short runs; --simulator and --seeds in `words` count."""
    return subprocess.run([str(word) for word in ["scripts/verify-rtl", "--seeds", 1, "--simulator",
                                                  "verilator", *words]],
                          cwd=ROOT, text=True, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)


class VerifyCase(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)

    def picker(self, old="", new="", name="my_picker.sv"):
        """A file with the module, in which `new` is in the place of `old`."""
        self.assertEqual(PICKER.count(old), 1 if old else len(PICKER) + 1)
        file = self.place / name
        file.write_text(PICKER.replace(old, new) if old else PICKER)
        return file

    def faulty(self, module, old, new, *others):
        """Files of a module of hw/rtl with a fault."""
        text = (RTL / f"{module}.sv").read_text()
        self.assertEqual(text.count(old), 1, f"{module}: {old}")
        file = self.place / f"{module}.sv"
        file.write_text(text.replace(old, new))
        return [*(RTL / f"{other}.sv" for other in others), file]

    def expect_seen(self, done, *texts):
        self.assertEqual(done.returncode, 1, done.stdout)
        for text in texts:
            self.assertRegex(done.stdout, text)


class VerifySlots(VerifyCase):
    def test_all_modules_are_right_and_all_situations_are_reached(self):
        for slot in SLOTS:
            done = verify(slot)
            self.assertEqual(done.returncode, 0, f"{slot}\n{done.stdout}")
            self.assertIn("lint: no warning", done.stdout)
            self.assertRegex(done.stdout, r"verilator, seed 1: \d{4,} steps, no difference")
            self.assertNotIn("NOT REACHED", done.stdout, slot)

    def test_icarus_and_other_seeds(self):
        done = verify("group_allocator", "--simulator", "both", "--seeds", 2)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(re.findall(r"^(\w+), seed (\d): \d+ steps, no difference$", done.stdout, re.M),
                         [("verilator", "1"), ("verilator", "2"), ("icarus", "1")])

    def test_lines_that_are_never_executed_are_shown(self):
        file = self.picker("    if (!rst_n)", "    if (ready == 64'd0)\n      behind_last <= 64'd0;\n"
                                              "    else if (!rst_n)")
        done = verify("queue_picker", file, "--line-coverage")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"branches of the RTL: \d+ of \d+ were taken")
        self.assertRegex(done.stdout, r"\n  my_picker\.sv:12: behind_last <= 64'd0;")

    def test_folders_defines_parameters_lists_and_waivers(self):
        (self.place / "include").mkdir()
        (self.place / "include/most.svh").write_text("localparam int MOST = 63;\n")
        text = PICKER.replace("module my_picker (", "module my_picker #(parameter int LOWEST = 7) (")
        text = text.replace("  logic [63:0] behind", "  `include \"most.svh\"\n  wire spare = clk;\n"
                                                     "  logic [63:0] behind")
        text = text.replace("int i = 63; i >= 0", "int i = MOST; i >= LOWEST")
        text = text.replace("module", "`ifdef WANTED\nmodule", 1) + "`endif\n"
        (self.place / "other.sv").write_text(text)
        (self.place / "lists").mkdir()
        (self.place / "files.f").write_text("// of both simulators\n-F lists/more.f\n")
        (self.place / "lists/more.f").write_text("/* not\nnone.sv */ ../other.sv\n")
        (self.place / "known.vlt").write_text("`verilator_config\n"
                                              "lint_off -rule UNUSEDSIGNAL -file \"*other.sv\"\n"
                                              "lint_off -rule DECLFILENAME -file \"*other.sv\"\n")
        words = ["queue_picker", "-f", self.place / "files.f", "--module", "my_picker", "-I",
                 self.place / "include", "-D", "WANTED"]
        done = verify(*words, "-G", "LOWEST=0")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("UNUSEDSIGNAL", done.stdout)
        done = verify(*words, "-G", "LOWEST=0", "--waiver", self.place / "known.vlt",
                      "--simulator", "both")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("lint: no warning", done.stdout)
        self.expect_seen(verify(*words))


class VerifyFaults(VerifyCase):
    """A kind each."""

    def test_a_failed_assertion(self):
        file = self.picker("endmodule", "  always_ff @(posedge clk)\n    if (rst_n && enable) "
                                        "assert (queue != 6'd5);\nendmodule")
        self.expect_seen(verify("queue_picker", file), r"my_picker\.sv:\d+: Assertion failed")

    def test_an_enable_that_is_ignored(self):
        self.expect_seen(verify("queue_picker", self.picker("else if (enable)", "else")),
                         "output queue = 0x")

    def test_x(self):
        file = self.picker("  always_comb begin\n    queue = 6'd0;",
                           "  logic never;\n  always_comb begin\n    queue = 6'd0;\n"
                           "    if (never) queue = 6'd0;")
        done = verify("queue_picker", file)
        self.assertEqual(done.returncode, 0, "an arm of an `if` that has no effect: " + done.stdout)
        file = self.picker("queue = 6'(i);", "queue = 6'(i) ^ {5'd0, never & ~never};\n")
        file.write_text(file.read_text().replace("  always_comb", "  logic never;\n  always_comb"))
        self.expect_seen(verify("queue_picker", file, "--simulator", "both"), "icarus, seed 1: FAILED",
                         "output queue = 0b.*x")

    def test_registers_without_a_reset(self):
        file = self.picker("if (!rst_n) behind_last <= ~64'd0;\n    else if (enable)", "if (enable)")
        self.expect_seen(verify("queue_picker", file), "output queue = 0x")

    def test_registers_that_nothing_loads(self):
        file = self.picker("queue = 6'(i);", "queue = 6'(i) ^ never;\n")
        file.write_text(file.read_text().replace("  always_comb", "  logic [5:0] never;\n  always_comb"))
        self.expect_seen(verify("queue_picker", file), "output queue = 0x")

    def test_half_of_the_queues(self):
        self.expect_seen(verify("queue_picker", self.picker("int i = 63", "int i = 31")),
                         r"input  ready = 0x", "output queue = 0x")

    def test_rows_beyond_some(self):
        files = self.faulty("tm_bank", "hash_0 = folded[2:0] ^ folded[5:3] ^ folded[8:6]",
                            "hash_0 = {1'b0, folded[1:0]} ^ folded[5:3] ^ folded[8:6]")
        self.expect_seen(verify("tm_bank", *files), r"output (lost|conflicts\[\d\]) = ")

    def test_words_that_do_not_come_back(self):
        files = self.faulty("tm_bank", "restored_word <= old[{slot, walked}]",
                            "restored_word <= {16'd0, old[{slot, walked}][15:0]}")
        self.expect_seen(verify("tm_bank", *files), "other elements of its set")

    def test_an_age_limit_that_is_reached(self):
        files = self.faulty("fr_fcfs_picker", "> age_limit", ">= age_limit")
        self.expect_seen(verify("dram_scheduler", *files, "--module", "fr_fcfs_picker"),
                         "output entry = 0x", "input  age_limit = 0x")

    def test_depths_of_recursion(self):
        files = self.faulty("pdom_stack", "next_group_depth = at_depth + 16'd1;",
                            "next_group_depth = 16'(5'(at_depth + 16'd1));")
        self.expect_seen(verify("formation", *files, "--module", "pdom_stack"), "output entry_depth = 0x")

    def test_a_chain_that_is_not_reset(self):
        files = self.faulty("kde_chain", "      size <= 7'd0;\n", "")
        self.expect_seen(verify("kde_chain", *files), "output ")

    def test_a_table_that_is_reset_in_part(self):
        files = self.faulty("group_allocator", "i < 64; i++) used[i]", "i < 63; i++) used[i]")
        self.expect_seen(verify("group_allocator", *files), "output granted = 0x0")

    def test_seeds_that_stand_for_others(self):
        files = self.faulty("input_first_allocator",
                            "row_state[n] <= (row_seed[n*32+:32] == 32'd0) ? 32'd1 : row_seed",
                            "row_state[n] <= row_seed", "lowest_bit")
        self.expect_seen(verify("crossbar_allocator", *files), r"output (column|granted)")

    def test_an_operation_without_end(self):
        files = self.faulty("tm_bank", "busy <= !last;", "busy <= 1'b1;")
        self.expect_seen(verify("tm_bank", *files), "the operation is busy for 10000 clocks")


class VerifyMemory(VerifyCase):
    def memory(self, old, new):
        return [*self.faulty("axi_memory", old, new), RTL / "axi_store.sv", "--module", "axi_store"]

    def test_our_memory_is_right_at_each_width(self):
        for width in 32, 512:
            done = verify("axi_memory", "--width", width, "--bursts", 1500)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertRegex(done.stdout, "1500 bursts answered in .* no rule is broken")

    def test_an_answer_with_an_unknown_id(self):
        done = verify("axi_memory", *self.memory("b_id <= response_id[response_pick]",
                                                 "b_id <= response_id[response_pick] ^ 8'h40"))
        self.expect_seen(done, "B of ID .*unknown_id|b_without_write: BID is the ID of a write under way")

    def test_answers_of_one_id_in_another_order(self):
        done = verify("axi_memory", *self.memory(
            "if (4'(j) < read_at && read_id[j] == read_id[read_at]) read_waits = 1'b1;", ";"))
        self.expect_seen(done, "same_id_order|rlast_early|rlast_missing|read_data")

    def test_pins_with_other_names(self):
        names = "aw w b ar r".split()
        text = (RTL / "axi_store.sv").read_text()
        head, body = text.split(");", 1)
        wires = []
        for channel, signal in re.findall(r"\b(aw|w|b|ar|r)_(\w+)[,\n]", head):
            head = re.sub(rf"\b{channel}_{signal}\b", f"s_axi_{channel}{signal}", head)
            wires.append((channel, signal))
        self.assertEqual({channel for channel, _ in wires}, set(names))
        for old, new in (" clk", " aclk"), (" rst_n", " aresetn"):
            head = head.replace(old, new)
        body = body.replace("      .*\n", ",\n".join(
            [f"      .{c}_{s}(s_axi_{c}{s})" for c, s in wires] + ["      .clk(aclk)", "      .rst_n(aresetn)"]
            + [f"      .{name}({name})" for name in ("idle", "mem_read", "mem_raddr", "mem_rdata", "mem_write",
                                                     "mem_waddr", "mem_wdata", "mem_wstrb")]) + "\n")
        file = self.place / "ram.sv"
        file.write_text(head.replace("module axi_store", "module ram") + ");"
                        + body.replace("posedge clk", "posedge aclk"))
        done = verify("axi_memory", RTL / "axi_memory.sv", file, "--pins", "s_axi_{c}{s}", "--clock",
                      "aclk", "--reset", "aresetn", "--bursts", 500)
        self.assertEqual(done.returncode, 0, done.stdout)

    # Wrong use

    def test_what_can_not_be_verified_is_named(self):
        picker = self.picker()
        broken = self.place / "broken.sv"
        broken.write_text("module broken (input logic clk;\n")
        for words, text in ((["nothing", picker], "no slot 'nothing' takes RTL; legal: warp_scheduler"),
                            (["queue_picker", picker, "--module", "other"], "has no module other; there are my_picker"),
                            (["queue_picker", broken], "Verilator can't compile the RTL"),
                            (["queue_picker", self.place / "none.sv"], "none.sv: no such file"),
                            (["queue_picker", picker, "-G", "X"], "'X' is no parameter; legal: NAME=VALUE"),
                            (["axi_memory", "--ids", 300], "--ids 300: legal are 1 to 256"),
                            (["queue_picker", picker, "--seeds", 0], "--seeds 0: expected at least 1")):
            done = verify(*words)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(text, done.stdout)


if __name__ == "__main__":
    unittest.main()
