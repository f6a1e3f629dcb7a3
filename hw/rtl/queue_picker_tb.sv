// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Compares a queue picker with Heddle's C++ part, which it calls over DPI-C; docs/rtl.md has the
// command. Define: MODULE, the module. An example of how the functions of heddle_reference are used.
`timescale 1ns / 1ns
module queue_picker_tb;
  import heddle_reference::*;

  localparam int CYCLES = 20000;

  logic        clk = 1'b0;
  logic        rst_n = 1'b0;
  logic        enable = 1'b1;
  logic [63:0] ready = '1;
  logic [5:0]  queue;
  bit [5:0]    expected;
  chandle      reference;

  `MODULE picker (
      .clk(clk),
      .rst_n(rst_n),
      .enable(enable),
      .ready(ready),
      .queue(queue)
  );

  initial begin
    reference = heddle_queue_picker_create();
    heddle_queue_picker_decide(reference, ready, expected);
    heddle_queue_picker_reset(reference);
    #1 clk = 1'b1;
    #1 clk = 1'b0;
    rst_n = 1'b1;
    for (int cycle = 0; cycle < CYCLES; cycle++) begin
      ready = {$urandom, $urandom} & {$urandom, $urandom} & {$urandom, $urandom};
      if (ready == 64'd0) ready = 64'd1;
      enable = $urandom % 4 != 0;
      heddle_queue_picker_decide(reference, ready, expected);
      #1;
      if (queue != expected)
        $fatal(1, "cycle %0d: queue is %0d, the reference says %0d; ready %h", cycle, queue,
               expected, ready);
      if (enable) heddle_queue_picker_edge(reference);
      #1 clk = 1'b1;
      #1 clk = 1'b0;
    end
    heddle_queue_picker_destroy(reference);
    $display("%0d cycles, no difference", CYCLES);
    $finish;
  end
endmodule
