// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the SMX scheduler distributes next, for the slot kde_chain; docs/rtl.md has the ports. Wang
// et al., ISCA 2015, 4.1-4.2 and Fig. 5, steps 8 to 10: a mark and the registers first-time, NAGEI
// and LAGEI of each entry of the Kernel Distributor, and the order in which entries were marked.
module kde_chain (
    input  logic        clk,
    input  logic        rst_n,
    input  logic        enable,
    input  logic [6:0]  entries,
    input  logic [1:0]  op,
    input  logic [5:0]  entry,
    input  logic [31:0] rank,
    input  logic        stays,
    input  logic [31:0] group,
    output logic        accepted,
    output logic [31:0] linked,
    output logic        empty,
    output logic [5:0]  head,
    output logic [31:0] head_group,
    output logic [63:0] marks,
    output logic        first_time,
    output logic [31:0] next_group,
    output logic [31:0] last_group
);
  localparam logic [1:0] START = 2'd1;
  localparam logic [1:0] APPEND = 2'd2;
  localparam logic [1:0] ADVANCE = 2'd3;
  localparam logic [31:0] NOBODY = 32'hffff_ffff;

  logic [63:0] first;  // of each entry: its own kernel has blocks to distribute
  logic [31:0] next_of[0:63];  // NAGEI
  logic [31:0] last_of[0:63];  // LAGEI
  logic [31:0] rank_of[0:63];
  logic [5:0]  order  [0:63];  // marked entries, the head first
  logic [6:0]  size;

  logic        enters;  // the entry gets a mark
  logic [31:0] new_rank;
  logic [6:0]  kept;  // places at the front that it does not take
  logic [6:0]  place;
  logic [31:0] next_head;  // what the head's NAGEI becomes
  logic        leaves;  // the head loses its mark

  assign empty = size == 7'd0;
  assign head = empty ? 6'd0 : order[0];
  assign head_group = (empty || first[head]) ? NOBODY : next_of[head];
  assign first_time = first[entry];
  assign next_group = next_of[entry];
  assign last_group = last_of[entry];
  assign accepted = op == START && !marks[entry] && {1'b0, entry} < entries;
  // Without groups to distribute there is nothing to link: who joined last may have ended.
  assign linked = (op == APPEND && next_group != NOBODY) ? last_group : NOBODY;

  assign enters = accepted || (op == APPEND && !marks[entry]);
  assign new_rank = (op == START) ? rank : 32'd0;
  assign kept = (op == START && stays && !empty) ? 7'd1 : 7'd0;

  // Behind the last one that does not have a lower rank.
  always_comb begin
    place = kept;
    for (int i = 0; i < 64; i++) begin
      if (7'(i) >= kept && 7'(i) < size && rank_of[order[i]] >= new_rank) place = 7'(i) + 7'd1;
    end
  end

  assign next_head = first[head] ? next_of[head] : group;
  assign leaves = op == ADVANCE && !empty && next_head == NOBODY;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      marks <= 64'd0;
      first <= 64'd0;
      size <= 7'd0;
      for (int i = 0; i < 64; i++) begin
        next_of[i] <= NOBODY;
        last_of[i] <= NOBODY;
      end
    end else if (enable) begin
      if (enters) begin
        marks[entry] <= 1'b1;
        rank_of[entry] <= new_rank;
        size <= size + 7'd1;
        for (int i = 1; i < 64; i++) begin
          if (7'(i) > place) order[i] <= order[i-1];
        end
        order[place[5:0]] <= entry;
      end
      if (accepted) begin
        first[entry] <= 1'b1;
        next_of[entry] <= NOBODY;
        last_of[entry] <= NOBODY;
      end
      if (op == APPEND) begin
        if (next_group == NOBODY) next_of[entry] <= group;
        last_of[entry] <= group;
      end
      if (op == ADVANCE && !empty) begin
        first[head] <= 1'b0;
        next_of[head] <= next_head;
      end
      if (leaves) begin
        marks[head] <= 1'b0;
        size <= size - 7'd1;
        for (int i = 0; i < 63; i++) order[i] <= order[i+1];
      end
    end
  end
endmodule
