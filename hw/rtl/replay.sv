// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Plays a file of `heddle run --slot-trace` against a module in its shell, in any simulator:
// scripts/replay. Defines: SHELL, the shell's module; INPUTS and OUTPUTS, the bits of its ports.
// Plus argument: +trace=FILE. The first difference ends the simulation with $fatal.
`timescale 1ns / 1ns
module replay;
  logic                 clk = 1'b0;
  logic                 rst_n = 1'b1;
  logic                 enable = 1'b0;
  logic [ `INPUTS-1:0]  in = '0;
  logic [ `OUTPUTS-1:0] out;
  logic [ `INPUTS-1:0]  inputs;
  logic [ `OUTPUTS-1:0] expected;
  logic [8*1024-1:0]    text;
  logic [7:0]           step;
  integer               trace;
  integer               line = 1;

  `SHELL block (
      .clk(clk),
      .rst_n(rst_n),
      .enable(enable),
      .in(in),
      .out(out)
  );

  initial begin
    if ($value$plusargs("trace=%s", text) == 0) $fatal(1, "+trace=FILE is missing");
    trace = $fopen(text, "r");
    if (trace == 0) $fatal(1, "the trace can't be read");
    if ($fgets(text, trace) == 0) $fatal(1, "the trace is empty");
    while ($fscanf(trace, " %c %h %h", step, inputs, expected) == 3) begin
      line = line + 1;
      in = inputs;
      #1;
      if (step == "r") rst_n = 1'b0;
      else if (out !== expected)
        $fatal(1, "line %0d: inputs %h give %h; the trace has %h", line, in, out, expected);
      if (step != "e") begin
        enable = step != "i";
        #1 clk = 1'b1;
        #1 clk = 1'b0;
        enable = 1'b0;
        rst_n = 1'b1;
      end
      #1;
    end
    $display("%0d steps, no difference", line - 1);
    $finish;
  end
endmodule
