// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Which entries of the Aggregated Group Table are in use, for the slot group_allocator; docs/rtl.md
// has the ports. Wang et al., ISCA 2015, 4.2, steps 6 and 12: the hardware thread's number mod the
// size is the only entry that its group may have; the group keeps it until all its blocks have been
// distributed and have ended.
module group_allocator (
    input  logic        clk,
    input  logic        rst_n,
    input  logic        enable,
    input  logic [11:0] mask,
    input  logic [2:0]  op,
    input  logic [11:0] thread,
    input  logic [11:0] entry,
    output logic        granted,
    output logic [11:0] index,
    output logic        released,
    output logic [31:0] executing
);
  localparam logic [2:0] ALLOCATE = 3'd1;
  localparam logic [2:0] START_BLOCK = 3'd2;
  localparam logic [2:0] EXHAUST = 3'd3;
  localparam logic [2:0] END_BLOCK = 3'd4;

  logic [63:0] used[0:63];  // a bit for each entry, in words
  logic        exhausted[0:4095];  // all blocks have been distributed
  logic [31:0] blocks[0:4095];  // ExeBL

  logic [63:0] word;  // of `used`
  logic [63:0] one;  // the entry's bit of it
  logic        in_use;

  assign index = (op == ALLOCATE) ? thread & mask : entry;
  assign word = used[index[11:6]];
  assign one = 64'd1 << index[5:0];
  assign in_use = (word & one) != 64'd0;
  assign executing = in_use ? blocks[index] : 32'd0;
  assign granted = op == ALLOCATE && !in_use;
  assign released = (op == EXHAUST && executing == 32'd0)
      || (op == END_BLOCK && exhausted[index] && executing == 32'd1);

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      for (int i = 0; i < 64; i++) used[i] <= 64'd0;
    end else if (enable) begin
      if (granted) begin
        used[index[11:6]] <= word | one;
        exhausted[index] <= 1'b0;
        blocks[index] <= 32'd0;
      end
      if (released) used[index[11:6]] <= word & ~one;
      if (op == EXHAUST) exhausted[index] <= 1'b1;
      if (op == START_BLOCK) blocks[index] <= executing + 32'd1;
      if (op == END_BLOCK) blocks[index] <= executing - 32'd1;
    end
  end
endmodule
