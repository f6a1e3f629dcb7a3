// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Plays a trace of a slot's ports against a module in its shell, in any simulator: scripts/replay,
// scripts/verify-rtl. Defines: SHELL, the shell's module; INPUTS and OUTPUTS, the bits of its ports.
// Plus argument: +trace=FILE. The first difference ends the simulation with $fatal.
//
// With BUSY, the place of an output that is high as long as an operation is under way: the module
// may take other numbers of clocks than the trace. Then outputs count when it is done. With SET_VALID,
// SET_LOW and SET_HIGH: after each clock in which the output SET_VALID is high, those from SET_LOW to
// SET_HIGH are an element of a set, and an operation gives the set of the trace in any order.
// They are compared at the next step that is no clock of it: a trace ends with one.
`timescale 1ns / 1ns
module replay;
  localparam int most_clocks = 10000;  // of an operation

  logic                 clk = 1'b0;
  logic                 rst_n = 1'b1;
  logic                 enable = 1'b0;
  logic [ `INPUTS-1:0]  in = '0;
  logic [ `OUTPUTS-1:0] out;
  logic [ `INPUTS-1:0]  inputs;
  logic [ `OUTPUTS-1:0] expected;
  logic [ `OUTPUTS-1:0] counts;
  logic [8*1024-1:0]    text;
  logic [7:0]           step;
  logic [63:0]          ours = 64'd0;    // sets of the operation, as a sum over their elements
  logic [63:0]          theirs = 64'd0;
  logic                 clocked = 1'b0;  // the trace's last step had a clock of an operation
  integer               clocks;
  integer               version = 0;
  integer               input_bits;
  integer               output_bits;
  logic [8*256-1:0]     slot;
  logic [8*256-1:0]     instance_name;
  integer               trace;
  integer               line = 1;

  `SHELL block (
      .clk(clk),
      .rst_n(rst_n),
      .enable(enable),
      .in(in),
      .out(out)
  );

  function automatic logic is_busy(input logic [`OUTPUTS-1:0] outputs);
`ifdef BUSY
    is_busy = outputs[`BUSY] === 1'b1;
`else
    is_busy = 1'b0;
`endif
  endfunction

  function automatic logic [63:0] element(input logic [`OUTPUTS-1:0] outputs);
    element = 64'd0;
`ifdef SET_VALID
    if (outputs[`SET_VALID] !== 1'b0)
      element = (64'(outputs[`SET_HIGH:`SET_LOW]) + 64'd1) * 64'h9e3779b97f4a7c15;
`endif
  endfunction

`ifdef VERILATOR
  // Its $fscanf reads no more than 8192 bits. The next hexadecimal number of the trace.
  function automatic logic [`INPUTS-1:0] number(input integer digits);
    integer c;
    number = '0;
    c = $fgetc(trace);
    while (c == " ") c = $fgetc(trace);
    for (int digit = digits - 1; digit >= 0; digit--) begin
      number[4*digit+:4] = c >= "a" ? 4'(c - "a" + 10) : 4'(c - "0");
      c = $fgetc(trace);
    end
  endfunction
`endif

  task edge_of_clock(input logic with_enable);
    enable = with_enable;
    #1 clk = 1'b1;
    #1 clk = 1'b0;
    enable = 1'b0;
    #1;
  endtask

  task operation;
    ours = 64'd0;
    theirs = 64'd0;
    clocks = 0;
    do begin
      edge_of_clock(1'b1);
      ours = ours + element(out);
      clocks = clocks + 1;
      if (clocks == most_clocks)
        $fatal(1, "line %0d: the operation is busy for %0d clocks", line, clocks);
    end while (is_busy(out));
  endtask

  task compare;
    if (((out ^ expected) & counts) !== {`OUTPUTS{1'b0}})
      // In two parts: Verilator prints no more than 8192 bits of a vector.
      $fatal(1, "line %0d: inputs %h%h give %h; the trace has %h, of which count %h", line,
             in[`INPUTS-1:`INPUTS/2], in[`INPUTS/2-1:0], out, expected, counts);
    if (ours !== theirs)
      $fatal(1, "line %0d: the operation before it gives other elements of its set", line);
  endtask

  initial begin
    if ($value$plusargs("trace=%s", text) == 0) $fatal(1, "+trace=FILE is missing");
    trace = $fopen(text, "r");
    if (trace == 0) $fatal(1, "the trace can't be read");
    if ($fscanf(trace, "heddle-slot-trace %d %s %s %d %d", version, slot, instance_name,
                input_bits, output_bits) != 5)
      $fatal(1, "this is no trace");
    counts = {`OUTPUTS{1'b1}};
`ifdef VERILATOR
    while ($fscanf(trace, " %c", step) == 1) begin
      inputs = number((input_bits + 3) / 4);
      expected = `OUTPUTS'(number((output_bits + 3) / 4));
      if (version == 3) counts = `OUTPUTS'(number((output_bits + 3) / 4));
`else
    while ($fscanf(trace, " %c %h %h", step, inputs, expected) == 3) begin
      // One `if` in another: a simulator may call $fscanf on the right of && in any case.
      if (version == 3) begin
        if ($fscanf(trace, " %h", counts) != 1)
          $fatal(1, "line %0d has no fourth value", line + 1);
      end
`endif
      line = line + 1;
      if (step == "r") begin
        in = inputs;
        #1 rst_n = 1'b0;
        edge_of_clock(1'b1);
        rst_n = 1'b1;
        ours = 64'd0;
        theirs = 64'd0;
        clocked = 1'b0;
      end else begin
        if (clocked) theirs = theirs + element(expected);
        clocked = step == "c";
        if (!is_busy(expected)) begin
          in = inputs;
          #1 compare;
          if (step == "c") operation;
          if (step == "i") edge_of_clock(1'b0);
        end
      end
    end
    $display("%0d steps, no difference", line - 1);
    $finish;
  end
endmodule
