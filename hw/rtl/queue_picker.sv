// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Picks the hardware work queue that the KMU dispatches from, for the slot queue_picker; docs/rtl.md
// builds it step by step. Wang et al., ISCA 2015, section 2.2: the queues take turns.
module queue_picker (
    input  logic        clk,
    input  logic        rst_n,
    input  logic        enable,
    input  logic [63:0] ready,
    output logic [5:0]  queue
);
  logic [63:0] behind_last;  // queues after the one that was taken last
  logic [63:0] turn;         // those that come before all others

  assign turn = ((ready & behind_last) != 64'd0) ? (ready & behind_last) : ready;

  always_comb begin
    queue = 6'd0;
    for (int i = 63; i >= 0; i--) begin
      if (turn[i]) queue = 6'(i);
    end
  end

  always_ff @(posedge clk) begin
    if (!rst_n) behind_last <= ~64'd0;
    else if (enable) behind_last <= (~64'd0 << queue) << 1;
  end

`ifdef VERILATOR
  // The KMU asks only if a queue is ready.
  always_ff @(posedge clk) if (rst_n && enable) assert (ready != 64'd0);
`endif

`ifdef FORMAL
  // Any queue that stays ready: how often it has been passed over, and how many come before it.
  (* anyconst *) logic [5:0] some;
  logic [6:0] passed;
  logic [5:0] last;
  logic [5:0] before;
  initial begin
    behind_last = ~64'd0;
    last = 6'd63;
    passed = 7'd0;
  end
  assign before = some - last - 6'd1;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      last <= 6'd63;
      passed <= 7'd0;
    end else if (enable) begin
      last <= queue;
      passed <= (ready[some] && queue != some) ? passed + 7'd1 : 7'd0;
    end
  end

  always_comb begin
    assume (!enable || ready != 64'd0);
    assert (behind_last == (~64'd0 << last) << 1 || (last == 6'd63 && behind_last == ~64'd0));
    if (ready != 64'd0) assert (ready[queue]);
    // No queue waits for more than the 63 others.
    if (passed != 7'd0) assert ({1'b0, passed} + {2'b0, before} <= 8'd63);
  end
`endif
endmodule
