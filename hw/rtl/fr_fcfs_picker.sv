// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Picks the request that a free DRAM bank serves next, for the slot dram_scheduler; docs/rtl.md has
// the ports. First ready, first come first served (Rixner et al., ISCA 2000): the oldest request to
// the open row, else the oldest; the oldest in any case once it is older than the limit.
module fr_fcfs_picker (
    input  logic          clk,
    input  logic          rst_n,
    input  logic          enable,
    input  logic          open,
    input  logic [31:0]   open_row,
    input  logic [31:0]   now,
    input  logic [31:0]   age_limit,
    input  logic [127:0]  candidate,
    input  logic [4095:0] row,
    input  logic [4095:0] arrival,
    output logic          found,
    output logic [6:0]    entry
);
  logic [127:0] hits;  // candidates to the open row
  logic [6:0]   oldest;
  logic [6:0]   oldest_hit;
  logic         too_old;

  always_comb begin
    oldest = 7'd0;
    oldest_hit = 7'd0;
    hits = 128'd0;
    for (int i = 127; i >= 0; i--) begin
      if (candidate[i]) begin
        oldest = 7'(i);
        if (open && row[i*32+:32] == open_row) begin
          hits[i] = 1'b1;
          oldest_hit = 7'(i);
        end
      end
    end
  end

  assign found = candidate != 128'd0;
  assign too_old = (now - arrival[{oldest, 5'd0}+:32]) > age_limit;
  assign entry = (hits != 128'd0 && !too_old) ? oldest_hit : oldest;

  // Without registers it needs none of these.
  wire unused = &{1'b0, clk, rst_n, enable};

`ifdef FORMAL
  (* anyconst *) logic [6:0] some;  // any request
  logic some_hits;
  logic entry_hits;
  assign some_hits = open && row[{some, 5'd0}+:32] == open_row;
  assign entry_hits = open && row[{entry, 5'd0}+:32] == open_row;

  always_comb begin
    assert (found == (candidate != 128'd0));
    if (found) assert (candidate[entry]);
    if (candidate[some]) begin
      // An older request is passed by hits only, unless it hits itself, and for a while.
      if (some < entry) assert (entry_hits && !some_hits && !too_old);
      // A hit waits for older hits only, until the oldest request has waited too long.
      if (some_hits && !too_old) assert (entry_hits && entry <= some);
    end
  end
`endif
endmodule
