// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Reconvergence stacks of an SMX's warps, for the slot formation; hw/cosim/formation_ports.h says
// what the ports mean. SIMD execution with immediate post-dominators: Fung, "Dynamic Warp
// Formation", 2008, section 3.2 and table 3.1, with calls and transactions.
//
// An entry holds {pc, join_pc, depth, join_depth, mask}: its lanes run from pc on and join the entry
// below at join_pc; depths count the enclosing calls. One entry is read and one is written in a
// clock. An operation that takes more clocks goes through the states.
module pdom_stack (
    input  logic        clk,
    input  logic        rst_n,
    input  logic        enable,
    input  logic [7:0]  entries,
    input  logic [3:0]  op,
    input  logic [5:0]  warp,
    input  logic [6:0]  index,
    input  logic [31:0] pc,
    input  logic [31:0] reconvergence_pc,
    input  logic [15:0] depth,
    input  logic [15:0] reconvergence_depth,
    input  logic [63:0] lanes,
    output logic        busy,
    output logic        overflow,
    output logic        at_mark,
    output logic [7:0]  size,
    output logic [31:0] limit,
    output logic [31:0] entry_pc,
    output logic [31:0] entry_reconvergence_pc,
    output logic [15:0] entry_depth,
    output logic [15:0] entry_reconvergence_depth,
    output logic [63:0] entry_lanes
);
  localparam int WARPS = 64;
  localparam int ENTRIES = 128;
  localparam logic [31:0] NEVER = 32'hffff_ffff;
  localparam logic [31:0] FUNCTION_EXIT = 32'hffff_fffe;

  localparam logic [3:0] READ = 4'd1;
  localparam logic [3:0] START = 4'd2;
  localparam logic [3:0] ADVANCE = 4'd3;
  localparam logic [3:0] PART = 4'd4;
  localparam logic [3:0] CALL = 4'd5;
  localparam logic [3:0] RETURN = 4'd6;
  localparam logic [3:0] RETURN_APART = 4'd7;
  localparam logic [3:0] GROUP = 4'd8;
  localparam logic [3:0] EXIT = 4'd9;
  localparam logic [3:0] LOAD = 4'd10;
  localparam logic [3:0] MARK = 4'd11;
  localparam logic [3:0] LEAVE = 4'd12;
  localparam logic [3:0] REWIND = 4'd13;
  localparam logic [3:0] RELEASE = 4'd14;

  localparam logic [2:0] IDLE = 3'd0;
  localparam logic [2:0] FINDING = 3'd1;   // down the stack: where the innermost call returns to
  localparam logic [2:0] MEETING = 3'd2;   // the top goes on where its groups meet
  localparam logic [2:0] POPPING = 3'd3;   // entries that are where they join the one below
  localparam logic [2:0] PUSHING = 3'd4;   // the first group
  localparam logic [2:0] ERASING = 3'd5;   // up the stack: lanes that end
  localparam logic [2:0] LEAVING = 3'd6;   // down to the mark: lanes that lose

  // ---- memories -----------------------------------------------------------------------------

  logic [31:0] pcs[WARPS*ENTRIES];
  logic [31:0] join_pcs[WARPS*ENTRIES];
  logic [15:0] depths[WARPS*ENTRIES];
  logic [15:0] join_depths[WARPS*ENTRIES];
  logic [63:0] masks[WARPS*ENTRIES];
  logic [7:0]  sizes[WARPS];

  // The top when the transaction began, with the PC where it starts again.
  logic [31:0] marked_pcs[WARPS];
  logic [31:0] marked_join_pcs[WARPS];
  logic [15:0] marked_depths[WARPS];
  logic [15:0] marked_join_depths[WARPS];
  logic [63:0] marked_masks[WARPS];
  logic [7:0]  marked_sizes[WARPS];  // entries then; 0: there is no transaction

  // ---- registers of an operation ------------------------------------------------------------

  logic [2:0]  state, next_state;
  logic [6:0]  walk, next_walk;  // the entry that is looked at
  logic [6:0]  kept, next_kept;  // erasing: where the next entry that stays goes
  logic        waits, next_waits;  // popping: the first group waits
  logic        next_overflow;
  logic [31:0] meet_pc, next_meet_pc;  // where the groups meet
  logic [15:0] meet_depth, next_meet_depth;
  logic [15:0] group_depth, next_group_depth;
  logic [7:0]  next_size, next_marked_size;

  // ---- the entry that is read ---------------------------------------------------------------

  logic [6:0]  top, at;
  logic        live;  // it exists
  logic [31:0] at_pc, at_join_pc;
  logic [15:0] at_depth, at_join_depth, returned_depth;
  logic [63:0] at_mask, left_mask;
  logic        joins;

  assign size = sizes[warp];
  assign top = 7'(size - 8'd1);
  assign at = (state == FINDING || state == ERASING || state == LEAVING) ? walk
      : (state == IDLE && op == READ) ? index : top;
  assign live = {1'b0, at} < size;
  assign at_pc = pcs[{warp, at}];
  assign at_join_pc = join_pcs[{warp, at}];
  assign at_depth = depths[{warp, at}];
  assign at_join_depth = join_depths[{warp, at}];
  assign at_mask = masks[{warp, at}];
  assign joins = live && at_pc == at_join_pc && at_depth == at_join_depth;
  assign left_mask = at_mask & ~lanes;
  assign returned_depth = (at_depth != 16'd0) ? at_depth - 16'd1 : at_depth;

  logic [31:0] marked_pc, marked_join_pc;
  logic [15:0] marked_depth, marked_join_depth;
  logic [63:0] marked_mask;
  logic [7:0]  marked_size;
  logic [6:0]  marked_top;

  assign marked_pc = marked_pcs[warp];
  assign marked_join_pc = marked_join_pcs[warp];
  assign marked_depth = marked_depths[warp];
  assign marked_join_depth = marked_join_depths[warp];
  assign marked_mask = marked_masks[warp];
  assign marked_size = marked_sizes[warp];
  assign marked_top = 7'(marked_size - 8'd1);

  assign busy = state != IDLE;
  assign at_mark = marked_size != 8'd0 && size == marked_size && at_depth == marked_depth
      && at_join_pc == marked_join_pc;
  assign limit = (live && at_depth == at_join_depth) ? at_join_pc : NEVER;
  assign entry_pc = live ? at_pc : 32'd0;
  assign entry_reconvergence_pc = live ? at_join_pc : NEVER;
  assign entry_depth = live ? at_depth : 16'd0;
  assign entry_reconvergence_depth = live ? at_join_depth : 16'd0;
  assign entry_lanes = live ? at_mask : 64'd0;

  // ---- what is written ----------------------------------------------------------------------

  logic        write;
  logic [6:0]  write_at;
  logic [31:0] new_pc, new_join_pc;
  logic [15:0] new_depth, new_join_depth;
  logic [63:0] new_mask;

  always_comb begin
    next_state = IDLE;
    next_walk = walk;
    next_kept = kept;
    next_waits = waits;
    next_overflow = overflow;
    next_meet_pc = meet_pc;
    next_meet_depth = meet_depth;
    next_group_depth = group_depth;
    next_size = size;
    next_marked_size = marked_size;
    // if anything: the entry that is read, with changes
    write = 1'b0;
    write_at = at;
    new_pc = at_pc;
    new_join_pc = at_join_pc;
    new_depth = at_depth;
    new_join_depth = at_join_depth;
    new_mask = at_mask;

    case (state)
      IDLE: begin
        next_overflow = 1'b0;
        next_waits = 1'b0;
        case (op)
          START: begin
            next_size = (lanes != 64'd0) ? 8'd1 : 8'd0;
            next_marked_size = 8'd0;
            write = 1'b1;
            write_at = 7'd0;
            new_pc = pc;
            new_join_pc = NEVER;
            new_depth = 16'd0;
            new_join_depth = 16'd0;
            new_mask = lanes;
          end
          ADVANCE, RETURN: begin
            write = 1'b1;
            new_pc = pc;
            if (op == RETURN) new_depth = returned_depth;
            next_state = POPPING;
          end
          PART: begin
            next_group_depth = at_depth;
            next_meet_pc = reconvergence_pc;
            next_meet_depth = at_depth;
            next_walk = top;
            next_state = (reconvergence_pc == FUNCTION_EXIT) ? FINDING : MEETING;
          end
          RETURN_APART: begin
            write = 1'b1;
            new_depth = returned_depth;
            next_group_depth = returned_depth;
            next_meet_pc = (returned_depth == at_join_depth) ? at_join_pc : NEVER;
            next_meet_depth = returned_depth;
            next_state = MEETING;
          end
          CALL: begin
            write = 1'b1;
            new_pc = reconvergence_pc;
            next_group_depth = at_depth + 16'd1;
            next_meet_pc = reconvergence_pc;
            next_meet_depth = at_depth;
            next_state = PUSHING;
          end
          EXIT: begin
            next_walk = 7'd0;
            next_kept = 7'd0;
            if (live) next_state = ERASING;
          end
          MARK: next_marked_size = size;
          LEAVE: begin
            next_walk = top;
            if (size >= marked_size) next_state = LEAVING;
          end
          REWIND, RELEASE: begin
            next_size = marked_size;
            write = 1'b1;
            write_at = marked_top;
            new_pc = marked_pc;
            new_join_pc = marked_join_pc;
            new_depth = marked_depth;
            new_join_depth = marked_join_depth;
            new_mask = marked_mask;
            if (op == REWIND) begin
              new_mask = marked_mask & lanes;
            end else begin
              new_pc = pc;
              next_marked_size = 8'd0;
              next_state = POPPING;
            end
          end
          default: ;
        endcase
      end
      FINDING:
        if (at_join_pc != NEVER && at_join_depth < group_depth) begin
          next_meet_pc = at_join_pc;
          next_meet_depth = at_join_depth;
          next_state = MEETING;
        end else if (walk != 7'd0) begin
          next_walk = walk - 7'd1;
          next_state = FINDING;
        end else begin
          next_meet_pc = NEVER;
          next_meet_depth = 16'd0;
          next_state = MEETING;
        end
      MEETING: begin
        write = 1'b1;
        if (meet_pc == NEVER) begin  // the top itself is the group that runs last
          new_pc = pc;
          new_mask = lanes;
        end else begin
          new_pc = meet_pc;
          new_depth = meet_depth;
          next_waits = 1'b1;
          next_state = POPPING;
        end
      end
      POPPING:
        // Lanes may lose while they wait on the other side of a branch: then nobody goes there.
        if (joins || (live && at_mask == 64'd0 && size > marked_size)) begin
          next_size = size - 8'd1;
          next_state = POPPING;
        end else if (waits) begin
          next_state = PUSHING;
        end
      ERASING: begin
        write_at = kept;
        new_mask = left_mask;
        if (left_mask != 64'd0) begin
          write = 1'b1;
          next_kept = kept + 7'd1;
        end
        next_walk = walk + 7'd1;
        next_state = ERASING;
        if (walk == top) begin
          next_size = {1'b0, kept} + ((left_mask != 64'd0) ? 8'd1 : 8'd0);
          next_state = POPPING;
        end
      end
      LEAVING: begin
        new_mask = left_mask;
        if (walk == top && size > marked_size && (left_mask == 64'd0 || joins)) begin
          next_size = size - 8'd1;
        end else begin
          write = 1'b1;
        end
        next_walk = walk - 7'd1;
        if (walk != marked_top) next_state = LEAVING;
      end
      default: ;
    endcase

    // A group that starts where it joins has nothing to run.
    if (state == PUSHING || (state == IDLE && (op == GROUP || op == LOAD))) begin
      write_at = 7'(size);
      new_pc = pc;
      new_join_pc = (op == LOAD) ? reconvergence_pc : meet_pc;
      new_depth = (op == LOAD) ? depth : group_depth;
      new_join_depth = (op == LOAD) ? reconvergence_depth : meet_depth;
      new_mask = lanes;
      if (op == LOAD || pc != meet_pc || group_depth != meet_depth) begin
        if (size < entries) begin
          write = 1'b1;
          next_size = size + 8'd1;
        end else begin
          next_overflow = 1'b1;
        end
      end
    end
  end

  // ---- clock edges --------------------------------------------------------------------------

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      state <= IDLE;
      overflow <= 1'b0;
      for (int w = 0; w < WARPS; w++) begin
        sizes[w] <= 8'd0;
        marked_sizes[w] <= 8'd0;
      end
    end else if (enable) begin
      state <= next_state;
      overflow <= next_overflow;
      sizes[warp] <= next_size;
      marked_sizes[warp] <= next_marked_size;
    end
  end

  always_ff @(posedge clk) begin
    if (enable) begin
      walk <= next_walk;
      kept <= next_kept;
      waits <= next_waits;
      meet_pc <= next_meet_pc;
      meet_depth <= next_meet_depth;
      group_depth <= next_group_depth;
    end
  end

  always_ff @(posedge clk) begin
    if (enable && write) begin
      pcs[{warp, write_at}] <= new_pc;
      join_pcs[{warp, write_at}] <= new_join_pc;
      depths[{warp, write_at}] <= new_depth;
      join_depths[{warp, write_at}] <= new_join_depth;
      masks[{warp, write_at}] <= new_mask;
    end
    if (enable && state == IDLE && op == MARK) begin
      marked_pcs[warp] <= pc;
      marked_join_pcs[warp] <= at_join_pc;
      marked_depths[warp] <= at_depth;
      marked_join_depths[warp] <= at_join_depth;
      marked_masks[warp] <= at_mask;
    end
  end
endmodule
