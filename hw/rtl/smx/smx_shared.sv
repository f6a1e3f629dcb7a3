// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Shared memory: one access to one word in a clock. Atomics execute here. A thread may hold the
// reservation of one word, until somebody writes it.
module smx_shared #(
    parameter int LANES = 32,
    parameter int WARPS = 16,
    parameter int BYTES = 16384
) (
    input  logic                           clk,
    input  logic                           rst_n,
    input  logic                           enable,
    input  logic [$clog2(BYTES/4)-1:0]     at,       // the word
    input  logic                           write,
    input  logic [3:0]                     bytes,    // that are written
    input  logic [31:0]                    data,
    input  logic                           modify,   // an atomic, with `data` as its operand
    input  logic [5:0]                     op,
    input  logic [31:0]                    compare,
    input  logic [$clog2(WARPS*LANES)-1:0] thread,
    input  logic                           forget,   // the reservations of `forget_warp`
    input  logic [$clog2(WARPS)-1:0]       forget_warp,
    output logic [31:0]                    value     // the word; of sc: 0 if it has been written
);
  localparam int A = $clog2(BYTES / 4);
  localparam int L = $clog2(LANES);

  logic [31:0]            words[BYTES/4];
  logic [WARPS*LANES-1:0] reserved;
  logic [A-1:0]           reserved_word[WARPS*LANES];

  logic [31:0] old, next;
  logic        holds, stores;
  assign old = words[at];
  assign holds = reserved[thread] && reserved_word[thread] == at;
  assign stores = enable && (write || (modify && op != smx_is::LR && (op != smx_is::SC || holds)));
  assign value = (modify && op == smx_is::SC) ? {31'd0, !holds} : old;
  smx_atomic atomic (.op(op), .old(old), .operand(data), .compare(compare), .next(next));

  always_ff @(posedge clk)
    if (stores)
      for (int b = 0; b < 4; b++)
        if (modify || bytes[b]) words[at][b*8+:8] <= modify ? next[b*8+:8] : data[b*8+:8];

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      reserved <= '0;
    end else begin
      if (forget) reserved[{forget_warp, {L{1'b0}}}+:LANES] <= '0;
      if (stores && reserved != '0)
        for (int t = 0; t < WARPS * LANES; t++)
          if (reserved_word[t] == at) reserved[t] <= 1'b0;
      if (enable && modify && op == smx_is::LR) begin
        reserved[thread] <= 1'b1;
        reserved_word[thread] <= at;
      end
      if (enable && modify && op == smx_is::SC) reserved[thread] <= 1'b0;
    end
  end
endmodule
