// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Where a warp goes on: an instruction's outcome as operations of its reconvergence stack.
module smx_path #(
    parameter int LANES = 32,
    parameter int WARPS = 16,
    parameter int STACK_ENTRIES = 128
) (
    input  logic                     clk,
    input  logic                     rst_n,
    input  logic                     start,   // the inputs stay until `done`
    input  logic [2:0]               go,      // smx_is
    input  logic [$clog2(WARPS)-1:0] warp,
    input  logic [31:0]              pc,      // of the instruction
    input  logic [31:0]              target,
    input  logic [LANES*32-1:0]      targets,  // of an indirect jump
    input  logic [31:0]              reconvergence,
    input  logic [LANES-1:0]         lanes,
    input  logic [LANES-1:0]         taken,
    output logic                     done,    // high for one clock, with the top of the stack:
    output logic [31:0]              next_pc,
    output logic [LANES-1:0]         next_lanes,  // none: the warp has ended
    output logic [7:0]               depth,
    output logic                     overflow
);
  // Operations of the stack.
  localparam logic [3:0] START = 4'd2;
  localparam logic [3:0] ADVANCE = 4'd3;
  localparam logic [3:0] PART = 4'd4;
  localparam logic [3:0] CALL = 4'd5;
  localparam logic [3:0] BACK = 4'd6;
  localparam logic [3:0] BACK_APART = 4'd7;
  localparam logic [3:0] GROUP = 4'd8;
  localparam logic [3:0] END = 4'd9;

  localparam logic [1:0] IDLE = 2'd0;
  localparam logic [1:0] RUN = 2'd1;   // an operation begins
  localparam logic [1:0] WAIT = 2'd2;  // until the stack is done with it

  logic [1:0]       state;
  logic [LANES-1:0] left;   // lanes whose group has not gone yet
  logic             later;  // a group has gone

  // ---- the next group -------------------------------------------------------------------------

  logic             indirect;
  logic [31:0]      group_pc;
  logic [LANES-1:0] group;
  logic [3:0]       op;
  assign indirect = go == smx_is::GO_INDIRECT || go == smx_is::GO_CALL_INDIRECT || go == smx_is::GO_BACK;
  always_comb begin
    group_pc = target;
    group = left;
    if (indirect && state != IDLE) begin
      for (int lane = LANES - 1; lane >= 0; lane--)
        if (left[lane]) group_pc = {targets[lane*32+1+:31], 1'b0};
      for (int lane = 0; lane < LANES; lane++)
        if ({targets[lane*32+1+:31], 1'b0} != group_pc) group[lane] = 1'b0;
    end
    if (go == smx_is::GO_APART) begin
      group = later ? taken : lanes & ~taken;
      if (!later) group_pc = pc + 32'd4;
    end
    case (go)
      smx_is::GO_STRAIGHT: op = ADVANCE;
      smx_is::GO_APART: op = PART;
      smx_is::GO_CALL, smx_is::GO_CALL_INDIRECT: op = CALL;
      smx_is::GO_INDIRECT: op = (group == lanes) ? ADVANCE : PART;
      smx_is::GO_BACK: op = (group == lanes) ? BACK : BACK_APART;
      smx_is::GO_END: op = END;
      default: op = START;
    endcase
    if (later) op = GROUP;
  end

  // ---- the stack ------------------------------------------------------------------------------

  logic        busy;
  logic [63:0] top_lanes;
  logic        unused_mark;
  logic [31:0] unused_limit, unused_pc;
  logic [15:0] unused_depth, unused_join_depth;
  pdom_stack stack (
      .clk(clk), .rst_n(rst_n), .enable(state == RUN || (state == WAIT && busy)),
      .entries(8'(STACK_ENTRIES)), .op(op), .warp(6'(warp)), .index(7'd0), .pc(group_pc),
      .reconvergence_pc((go == smx_is::GO_CALL || go == smx_is::GO_CALL_INDIRECT) ? pc + 32'd4 : reconvergence),
      .depth(16'd0), .reconvergence_depth(16'd0), .lanes(64'(group)), .busy(busy),
      .overflow(overflow), .at_mark(unused_mark), .size(depth), .limit(unused_limit),
      .entry_pc(next_pc), .entry_reconvergence_pc(unused_pc), .entry_depth(unused_depth),
      .entry_reconvergence_depth(unused_join_depth), .entry_lanes(top_lanes));
  assign next_lanes = top_lanes[LANES-1:0];
  assign done = state == WAIT && !busy && (overflow || (left & ~group) == '0);

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      state <= IDLE;
    end else begin
      case (state)
        IDLE: if (start) state <= RUN;
        RUN: state <= WAIT;
        default: if (!busy) state <= done ? IDLE : RUN;
      endcase
    end
  end
  always_ff @(posedge clk)
    if (state == IDLE) begin
      left <= lanes;
      later <= 1'b0;
    end else if (state == WAIT && !busy) begin
      left <= left & ~group;
      later <= 1'b1;
    end

  logic unused;
  assign unused = &{1'b0, unused_mark, unused_limit, unused_pc, unused_depth, unused_join_depth,
      top_lanes};
endmodule
