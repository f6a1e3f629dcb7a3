// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A memory of lines of 128 bytes: the module that link_replay.sv drives with a recorded link, if
// you have none of your own. It knows which of its bytes have been written, as the trace of a link
// does not have what the host wrote. It answers in the same cycle.
module line_memory #(
    parameter int INDEX_BITS = 14
) (
    input  logic          clk,
    input  logic          write,
    input  logic [31:0]   address,   // of a line: a multiple of 128
    input  logic [127:0]  mask,      // bytes that are written
    input  logic [1023:0] data,      // byte 0 in the lowest bits
    output logic [1023:0] line,
    output logic [127:0]  known,     // bytes of `line` that have been written
    output logic          occupied   // another line is in the place of this one
);
  localparam int LINES = 1 << INDEX_BITS;

  logic [1023:0] lines[LINES];
  logic [127:0]  written[LINES];
  logic [24:0]   numbers[LINES];  // of the line that is there

  initial for (int i = 0; i < LINES; i++) written[i] = 128'd0;

  logic [INDEX_BITS-1:0] index;
  logic used;
  logic here;
  // Programs, buffers and the runtime reserve, from 0, 0x40000000 and 0xc0000000 on, don't meet.
  assign index = {address[31:30], address[7+:INDEX_BITS-2]};
  assign used = written[index] != 128'd0;
  assign here = used && numbers[index] == address[31:7];
  assign occupied = used && !here;
  assign known = here ? written[index] : 128'd0;
  assign line = lines[index];

  logic [1023:0] bits;  // of the bytes that are written
  for (genvar b = 0; b < 128; b++) begin : bytes
    assign bits[b*8+:8] = {8{mask[b]}};
  end

  always_ff @(posedge clk) begin
    if (write && !occupied) begin
      numbers[index] <= address[31:7];
      written[index] <= known | mask;
      lines[index] <= (line & ~bits) | (data & bits);
    end
  end

  wire unused = &{1'b0, address[6:0]};
endmodule
