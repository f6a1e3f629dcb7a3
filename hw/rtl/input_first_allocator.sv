// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Matches rows (input buffers) with columns (outputs) in one pass, for the slot
// crossbar_allocator; docs/rtl.md has the ports. Fung, "Dynamic Warp Formation", 2008, section
// 5.1.2: each row bids for one column that it requests, each column takes one of its bidders, both
// at random.
module input_first_allocator (
    input  logic          clk,
    input  logic          rst_n,
    input  logic          enable,
    input  logic [5:0]    rows,
    input  logic [5:0]    columns,
    input  logic [1023:0] row_seed,
    input  logic [1023:0] column_seed,
    input  logic [1023:0] request,
    output logic [31:0]   granted,
    output logic [159:0]  column
);
  // Shift registers of the arbiters, one each: x^32 + x^22 + x^2 + x + 1, right-shifting.
  logic [31:0] row_state[32];
  logic [31:0] column_state[32];
  logic [31:0] row_next[32];
  logic [31:0] column_next[32];
  logic [159:0] bid;       // of each row: the column that it picks
  logic [31:0]  bids[32];  // of each column: the rows that have picked it
  logic [159:0] winner;    // of each column: the row that it picks

  function automatic logic [31:0] step(input logic [31:0] state);
    step = {1'b0, state[31:1]} ^ (state[0] ? 32'h8020_0003 : 32'd0);
  endfunction

  // A member of a set that is not empty: the first at or after a random place of `places`.
  function automatic logic [4:0] pick(input logic [31:0] set, input logic [15:0] drawn,
                                      input logic [5:0] places);
    logic [4:0]  start;
    logic [31:0] from_there;
    start = 5'(({6'd0, drawn} * {16'd0, places}) >> 16);
    from_there = set & (32'hffff_ffff << start);
    pick = lowest_bit::of_32((from_there != 32'd0) ? from_there : set);
  endfunction

  for (genvar r = 0; r < 32; r++) begin : rows_bid
    assign row_next[r] = step(row_state[r]);
    assign bid[r*5+:5] = pick(request[r*32+:32], row_next[r][31:16], columns);
  end

  for (genvar c = 0; c < 32; c++) begin : columns_choose
    for (genvar r = 0; r < 32; r++) begin : bidders
      assign bids[c][r] = request[r*32+:32] != 32'd0 && bid[r*5+:5] == 5'(c);
    end
    assign column_next[c] = step(column_state[c]);
    assign winner[c*5+:5] = pick(bids[c], column_next[c][31:16], rows);
  end

  for (genvar r = 0; r < 32; r++) begin : grants
    assign granted[r] = request[r*32+:32] != 32'd0 && winner[{3'd0, bid[r*5+:5]}*5+:5] == 5'(r);
    assign column[r*5+:5] = granted[r] ? bid[r*5+:5] : 5'd0;
  end

  always_ff @(posedge clk) begin
    for (int n = 0; n < 32; n++) begin
      if (!rst_n) begin
        row_state[n] <= (row_seed[n*32+:32] == 32'd0) ? 32'd1 : row_seed[n*32+:32];
        column_state[n] <= (column_seed[n*32+:32] == 32'd0) ? 32'd1 : column_seed[n*32+:32];
      end else if (enable) begin
        if (request[n*32+:32] != 32'd0) row_state[n] <= row_next[n];
        if (bids[n] != 32'd0) column_state[n] <= column_next[n];
      end
    end
  end

`ifdef FORMAL
  // Any two rows, with the registers in any state.
  (* anyconst *) logic [4:0] one;
  (* anyconst *) logic [4:0] other;

  always_comb begin
    assume (rows != 6'd0 && rows <= 6'd32 && columns != 6'd0 && columns <= 6'd32);
    for (int r = 0; r < 32; r++)
      for (int c = 0; c < 32; c++)
        if (6'(r) >= rows || 6'(c) >= columns) assume (!request[r*32+c]);
    // A matching: who is granted has asked for it, and no column is granted twice.
    if (granted[one]) assert (request[{one, column[one*5+:5]}]);
    if (granted[one] && granted[other] && one != other)
      assert (column[one*5+:5] != column[other*5+:5]);
    if (request != 1024'd0) assert (granted != 32'd0);
  end
`endif
endmodule
