// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// In the place of a core: records of one that were kept, in words of 32 bits (records.hex).
`include "heddle_retire.svh"

module core #(
    parameter int LANES = 32
) (
    input logic clk,
    input logic start,
    output logic done,
    output logic valid,
    output logic [`HEDDLE_RETIRED_BITS(LANES)-1:0] record
);
  localparam int WORDS = (`HEDDLE_RETIRED_BITS(LANES) + 31) / 32;
  localparam int MOST = 4096;
  logic [31:0] words[0:MOST*WORDS-1];
  logic [31:0] count;
  logic [32*WORDS-1:0] vector;
  integer next = 0;
  initial begin
    $readmemh("records.hex", words, 1);  // behind their number
    $readmemh("count.hex", words, 0, 0);
  end
  assign count = words[0];
  assign record = vector[`HEDDLE_RETIRED_BITS(LANES)-1:0];
  always @(negedge clk) begin
    valid <= start && next < count;
    done <= start && next == count;
    for (int w = 0; w < WORDS; w++) vector[32*w+:32] <= words[1+next*WORDS+w];
    if (start && next < count) next <= next + 1;
  end
endmodule
