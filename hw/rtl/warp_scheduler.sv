// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Picks the warp that issues, for the slot warp_scheduler; docs/rtl.md has the ports. Policies:
// lrr, gto (Rogers et al., MICRO 2012), motrr_recency (Kim, Kim, Kim 2019, Fig. 4).
module warp_scheduler (
    input  logic        clk,
    input  logic        rst_n,
    input  logic        enable,
    input  logic [1:0]  policy,
    input  logic [1:0]  event_kind,
    input  logic [5:0]  event_warp,
    input  logic        issued,
    input  logic [5:0]  issued_warp,
    input  logic [63:0] issuable,
    input  logic [63:0] memory,
    output logic        valid,
    output logic [5:0]  warp
);
  localparam logic [1:0] GTO = 2'd1;
  localparam logic [1:0] MOTRR_RECENCY = 2'd2;
  localparam logic [1:0] GONE = 2'd1;
  localparam logic [1:0] STARTED = 2'd2;
  localparam logic [1:0] COMPLETED = 2'd3;
  localparam logic [5:0] LARGEST = 6'd63;

  logic [63:0] live;         // slots that hold a warp
  logic [6:0]  live_count;
  logic [63:0] older[64];    // of each slot: the slots whose warps are older
  logic [63:0] greedy;       // gto: the warp that issued last, one bit or none
  logic [63:0] behind_last;  // lrr, motrr: slots after the one that issued last
  logic [63:0] recent;       // the recency group
  logic [6:0]  recent_count;
  logic [5:0]  counter[64];  // completions of other warps since the last one of this

  // ---- the decision -------------------------------------------------------------------------

  logic [63:0] by_age;   // candidates, of which the oldest issues
  logic [63:0] by_turn;  // candidates that take turns; none if by_age has any
  logic [63:0] oldest;
  logic [63:0] behind;

  always_comb begin
    by_age = 64'd0;
    by_turn = issuable;
    case (policy)
      GTO: begin
        by_age = ((issuable & greedy) != 64'd0) ? (issuable & greedy) : issuable;
        by_turn = 64'd0;
      end
      MOTRR_RECENCY: begin
        by_age = issuable & memory;
        by_turn = ((issuable & recent) != 64'd0) ? (issuable & recent) : issuable;
      end
      default: ;
    endcase
  end

  always_comb begin
    oldest = 64'd0;
    if (by_age != 64'd0) begin
      for (int i = 0; i < 64; i++) begin
        oldest[i] = by_age[i] && ((older[i] & by_age) == 64'd0);
      end
    end
  end

  assign behind = by_turn & behind_last;
  assign valid = issuable != 64'd0;
  assign warp = !valid ? 6'd0
      : lowest_bit::of_64((by_age != 64'd0) ? oldest : (behind != 64'd0) ? behind : by_turn);

  // ---- the recency group --------------------------------------------------------------------

  logic        regroups;      // the event may change it
  logic [63:0] touched;       // the slot of the event
  logic [63:0] grouped;       // the group after the event, before it shrinks
  logic [6:0]  grouped_count;
  logic [6:0]  limit;
  logic [5:0]  largest;
  logic [63:0] victim;

  assign touched = 64'd1 << event_warp;

  always_comb begin
    regroups = enable && policy == MOTRR_RECENCY
        && (event_kind == GONE || event_kind == COMPLETED) && live[event_warp];
    grouped = (event_kind == GONE) ? (recent & ~touched) : (recent | touched);
    grouped_count = recent_count;
    limit = live_count >> 1;
    if (event_kind == GONE) begin
      limit = (live_count - 7'd1) >> 1;
      if (recent[event_warp]) grouped_count = recent_count - 7'd1;
    end else if (!recent[event_warp]) begin
      grouped_count = recent_count + 7'd1;
    end
    if (limit == 7'd0) limit = 7'd1;
    // one leaves: the slot with the largest counter, of several the highest; not that of the event
    largest = 6'd0;
    victim = 64'd0;
    if (regroups && grouped_count > limit) begin
      for (int i = 0; i < 64; i++) begin
        if (grouped[i] && !touched[i] && aged(counter[i]) >= largest) begin
          largest = aged(counter[i]);
          victim = 64'd1 << i;
        end
      end
    end
  end

  // A counter after the event.
  function automatic logic [5:0] aged(input logic [5:0] count);
    aged = (event_kind == COMPLETED && count != LARGEST) ? count + 6'd1 : count;
  endfunction

  // ---- registers ----------------------------------------------------------------------------

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      live <= 64'd0;
      live_count <= 7'd0;
      greedy <= 64'd0;
      behind_last <= ~64'd0;
      recent <= 64'd0;
      recent_count <= 7'd0;
    end else if (enable) begin
      if (event_kind == GONE && live[event_warp]) begin
        live <= live & ~touched;
        live_count <= live_count - 7'd1;
        greedy <= greedy & ~touched;
      end
      if (event_kind == STARTED) begin
        live <= live | touched;
        if (!live[event_warp]) live_count <= live_count + 7'd1;
      end
      if (issued) begin
        greedy <= 64'd1 << issued_warp;
        behind_last <= (~64'd0 << issued_warp) << 1;
      end
      if (regroups) begin
        recent <= grouped & ~victim;
        recent_count <= (victim != 64'd0) ? grouped_count - 7'd1 : grouped_count;
      end
    end
  end

  always_ff @(posedge clk) begin
    if (enable && event_kind == STARTED) begin
      for (int i = 0; i < 64; i++) begin
        older[i] <= (6'(i) == event_warp) ? (live & ~touched) : (older[i] & ~touched);
      end
    end
  end

  always_ff @(posedge clk) begin
    if (enable && event_kind == STARTED) begin
      counter[event_warp] <= LARGEST;
    end else if (regroups && event_kind == COMPLETED) begin
      for (int i = 0; i < 64; i++) begin
        counter[i] <= (6'(i) == event_warp) ? 6'd0 : aged(counter[i]);
      end
    end
  end

`ifdef FORMAL
  // What issues is issuable; of those by age one does, if their order is an order.
  always_comb begin
    assert (valid == (issuable != 64'd0));
    if (valid && (by_age == 64'd0 || oldest != 64'd0)) assert (issuable[warp]);
  end
`endif

`ifdef FORMAL_TURNS
  // Policy lrr: any warp that stays issuable, how often it has been passed over, and how many come
  // before it.
  (* anyconst *) logic [5:0] some;
  logic [6:0] passed;
  logic [5:0] last;
  logic [5:0] before;
  initial begin
    behind_last = ~64'd0;
    last = LARGEST;
    passed = 7'd0;
  end
  assign before = some - last - 6'd1;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      last <= LARGEST;
      passed <= 7'd0;
    end else if (enable && issued) begin
      last <= warp;
      passed <= (issuable[some] && warp != some) ? passed + 7'd1 : 7'd0;
    end
  end

  always_comb begin
    assume (!issued || (valid && issued_warp == warp));
    assert (behind_last == (~64'd0 << last) << 1 || (last == LARGEST && behind_last == ~64'd0));
    // No warp waits for more than the 63 others to issue.
    if (passed != 7'd0) assert ({1'b0, passed} + {2'b0, before} <= 8'd63);
  end
`endif
endmodule
