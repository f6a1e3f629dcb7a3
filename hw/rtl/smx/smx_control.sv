// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The order of events in the SMX: a state for each step of an instruction and of a block's start.
// One thing happens at a time, but for memory and the lane-serial unit, which work beside it.
module smx_control (
    input  logic       clk,
    input  logic       rst_n,
    // What there is to do while no instruction is under way, the most urgent first.
    input  logic       delivers,    // memory has values for registers
    input  logic       delivers_error,
    input  logic       drains,      // the warp that is looked at has completed writes
    input  logic [1:0] at_barrier,  // blocks
    input  logic [1:0] finished,
    input  logic       long_done,
    input  logic       offered,     // a block that fits
    input  logic       issuable,    // the warp that is looked at
    // Of the instruction that is executed.
    input  logic       faults,
    input  logic       is_long,
    input  logic       path_done,
    input  logic       path_faults,
    // Of a block that starts or ends.
    input  logic       cleared,     // shared memory
    input  logic       last_row,
    input  logic       last_warp,
    input  logic       end_ready,
    output logic       looks,       // at one warp after another
    output logic       deliver,
    output logic       drain,
    output logic       release_block,
    output logic       which,       // block is released or ends
    output logic       take_long,
    output logic       take_block,
    output logic       issue,
    output logic       read,
    output logic       execute,
    output logic       finish,      // the result of the lane-serial unit is written
    output logic       path,
    output logic       retire,
    output logic       faulted,     // the retiring instruction
    output logic       clear,
    output logic       next_warp,
    output logic       rows,
    output logic       place,
    output logic       begin_block,
    output logic       end_block
);
  localparam logic [3:0] LOOK = 4'd0;
  localparam logic [3:0] READ = 4'd1;
  localparam logic [3:0] EXECUTE = 4'd2;
  localparam logic [3:0] FINISH = 4'd3;
  localparam logic [3:0] PATH = 4'd4;
  localparam logic [3:0] RETIRE = 4'd5;
  localparam logic [3:0] CLEAR = 4'd6;
  localparam logic [3:0] NEXT_WARP = 4'd7;
  localparam logic [3:0] ROWS = 4'd8;
  localparam logic [3:0] PLACE = 4'd9;
  localparam logic [3:0] BEGIN_BLOCK = 4'd10;
  localparam logic [3:0] END_BLOCK = 4'd11;
  localparam logic [3:0] HALT = 4'd12;  // a fault ends everything

  logic [3:0] state, next;
  logic       wrong, next_wrong, ending;

  always_comb begin
    {deliver, drain, release_block, which, take_long, take_block, issue} = 7'd0;
    next = state;
    next_wrong = wrong;
    case (state)
      LOOK: begin
        next_wrong = 1'b0;
        if (delivers) begin
          deliver = 1'b1;
          if (delivers_error) next = HALT;
        end else if (drains) begin
          drain = 1'b1;
        end else if (at_barrier != 2'd0) begin
          release_block = 1'b1;
          which = !at_barrier[0];
        end else if (finished != 2'd0) begin
          which = !finished[0];
          next = END_BLOCK;
        end else if (long_done) begin
          take_long = 1'b1;
          next = FINISH;
        end else if (offered) begin
          take_block = 1'b1;
          next = CLEAR;
        end else if (issuable) begin
          issue = 1'b1;
          next = READ;
        end
      end
      READ: next = EXECUTE;
      EXECUTE: begin
        next = faults ? RETIRE : is_long ? LOOK : PATH;
        next_wrong = faults;
      end
      FINISH: next = PATH;
      PATH:
        if (path_done) begin
          next = RETIRE;
          next_wrong = path_faults;
        end
      RETIRE: next = wrong ? HALT : LOOK;
      CLEAR: if (cleared) next = NEXT_WARP;
      NEXT_WARP: next = ROWS;
      ROWS: if (last_row) next = PLACE;
      PLACE: if (path_done) next = last_warp ? BEGIN_BLOCK : NEXT_WARP;
      BEGIN_BLOCK: begin
        release_block = 1'b1;
        next = LOOK;
      end
      END_BLOCK: begin
        which = ending;
        if (end_ready) next = LOOK;
      end
      default: next = HALT;
    endcase
  end

  assign looks = state == LOOK;
  assign read = state == READ;
  assign execute = state == EXECUTE;
  assign finish = state == FINISH;
  assign path = state == PATH;
  assign retire = state == RETIRE;
  assign faulted = wrong;
  assign clear = state == CLEAR;
  assign next_warp = state == NEXT_WARP;
  assign rows = state == ROWS;
  assign place = state == PLACE;
  assign begin_block = state == BEGIN_BLOCK;
  assign end_block = state == END_BLOCK;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      state <= LOOK;
      wrong <= 1'b0;
    end else begin
      state <= next;
      wrong <= next_wrong;
    end
    if (state == LOOK) ending <= which;
  end
endmodule
