// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Compares an allocator of the crossbar with Heddle's C++ part, as queue_picker_tb.sv does. Define:
// MODULE, the module.
`timescale 1ns / 1ns
module input_first_allocator_tb;
  import heddle_reference::*;

  localparam int CYCLES = 2000;
  localparam int ROWS = 9;
  localparam int COLUMNS = 5;

  logic          clk = 1'b0;
  logic          rst_n = 1'b0;
  logic          enable = 1'b1;
  logic [1023:0] row_seed;
  logic [1023:0] column_seed;
  logic [1023:0] request = '0;
  logic [1023:0] wanted = '0;
  logic [31:0]   granted;
  logic [159:0]  column;
  bit [31:0]     expected;
  bit [159:0]    expected_column;
  chandle        reference;

  `MODULE allocator (
      .clk(clk),
      .rst_n(rst_n),
      .enable(enable),
      .rows(6'(ROWS)),
      .columns(6'(COLUMNS)),
      .row_seed(row_seed),
      .column_seed(column_seed),
      .request(request),
      .granted(granted),
      .column(column)
  );

  task decide;
    begin
      heddle_crossbar_allocator_decide(reference, 6'(ROWS), 6'(COLUMNS), row_seed, column_seed,
                                       request, expected, expected_column);
      #1;
    end
  endtask

  initial begin
    reference = heddle_crossbar_allocator_create();
    for (int n = 0; n < 32; n++) begin
      row_seed[n*32+:32] = $urandom;
      column_seed[n*32+:32] = $urandom;
    end
    decide;
    heddle_crossbar_allocator_reset(reference);
    #1 clk = 1'b1;
    #1 clk = 1'b0;
    rst_n = 1'b1;
    for (int cycle = 0; cycle < CYCLES; cycle++) begin
      for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) wanted[r*32+c] = $urandom % 3 == 0;
      request = wanted;
      enable = $urandom % 4 != 0;
      decide;
      if (granted != expected || column != expected_column)
        $fatal(1, "cycle %0d: granted %h, columns %h; the reference says %h and %h", cycle,
               granted, column, expected, expected_column);
      if (enable) heddle_crossbar_allocator_edge(reference);
      #1 clk = 1'b1;
      #1 clk = 1'b0;
    end
    heddle_crossbar_allocator_destroy(reference);
    $display("%0d cycles, no difference", CYCLES);
    $finish;
  end
endmodule
