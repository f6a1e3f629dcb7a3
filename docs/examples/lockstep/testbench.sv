// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A core in lock-step with Heddle: one launch of exchange.cpp.
`include "heddle_lockstep.sv"

module testbench;
  import heddle_lockstep_dpi::*;
  localparam int LANES = 32;
  logic clk = 0;
  logic start = 0;
  logic done, valid;
  logic [`HEDDLE_RETIRED_BITS(LANES)-1:0] record;
  int words, launch;

  initial begin
    machine = heddle_dpi_create("tiny", 0, 0, 1, 1);
    if (machine == null) $fatal(1, "%s", heddle_dpi_text(null));
    expect_good(heddle_dpi_load(machine, "exchange.cpp"));
    words = heddle_dpi_allocate(machine, "words", 256);
    launch = heddle_dpi_launch(machine, "exchange", 1, 64, $sformatf("%0d", words));
    if (launch == 0) $fatal(1, "%s", heddle_dpi_text(machine));
    // The core's memory: heddle_dpi_fetch(machine, launch, address) for each word of it.
    $display("launch %0d begins at PC 0x%h", launch, heddle_dpi_entry(machine, launch));
    start = 1;
  end

  always #1 clk = !clk;

  core #(.LANES(LANES)) dut (.*);
  heddle_lockstep #(.LANES(LANES)) check (.*);

  always @(posedge clk) begin
    if (done) begin
      // heddle_dpi_memory(machine, address, word) for each word of the core's memory.
      expect_good(heddle_dpi_finish(machine));
      $display("equal: words[0] = %0d", heddle_dpi_read(machine, words));
      $finish;
    end
  end
endmodule
