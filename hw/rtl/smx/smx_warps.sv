// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What is known of each warp: its block, its threads, where it is, and what it waits for.
module smx_warps #(
    parameter int LANES = 32,
    parameter int WARPS = 16
) (
    input  logic                     clk,
    input  logic                     rst_n,
    input  logic [$clog2(WARPS)-1:0] warp,  // that is shown and changed
    // The warp gets threads of a block; it executes from `release` of the block on.
    input  logic                     start,
    input  logic                     start_slot,
    input  logic [31:0]              start_index,  // in the block
    input  logic [95:0]              start_thread,
    input  logic [LANES-1:0]         start_lanes,
    // Its instruction retires.
    input  logic                     retire,
    input  logic                     arrives,   // at the barrier
    input  logic [LANES-1:0]         ending,    // threads
    input  logic                     accesses,  // memory
    input  logic [4:0]               loads_to,  // register that waits for it
    input  logic                     writes,    // memory
    // It goes on at the top of its stack, also after `start`.
    input  logic                     go,
    input  logic [31:0]              next_pc,
    input  logic [LANES-1:0]         next_lanes,
    // Its writes have been performed.
    input  logic                     drain,
    // All warps of a block go on, or are given back.
    input  logic                     release_block,
    input  logic                     end_block,
    input  logic                     which_block,
    input  logic [WARPS-1:0]         busy,      // with memory
    output logic                     ready,
    output logic                     slot,
    output logic [31:0]              index,
    output logic [95:0]              thread,    // the first one's index in the block
    output logic [LANES-1:0]         live,
    output logic [LANES-1:0]         lanes,
    output logic [31:0]              pc,
    output logic [63:0]              count,     // instructions that have retired
    output logic [4:0]               waits_for,  // register
    output logic                     undrained,  // writes have been performed, and it is not known
    output logic [$clog2(WARPS)-1:0] free,
    output logic [31:0]              free_count,
    output logic [1:0]               at_barrier,  // all threads of the block
    output logic [1:0]               finished
);
  localparam int W = $clog2(WARPS);

  localparam logic [1:0] FREE = 2'd0;
  localparam logic [1:0] READY = 2'd1;
  localparam logic [1:0] WAITING = 2'd2;  // at the barrier, or before the block begins
  localparam logic [1:0] ENDED = 2'd3;

  logic [1:0]       states[WARPS];
  logic [WARPS-1:0] slots, wrote;
  logic [31:0]      indices[WARPS];
  logic [95:0]      threads[WARPS];
  logic [LANES-1:0] lives[WARPS];
  logic [LANES-1:0] actives[WARPS];
  logic [31:0]      pcs[WARPS];
  logic [63:0]      counts[WARPS];
  logic [4:0]       loading[WARPS];

  assign ready = states[warp] == READY;
  assign slot = slots[warp];
  assign index = indices[warp];
  assign thread = threads[warp];
  assign live = lives[warp];
  assign lanes = actives[warp];
  assign pc = pcs[warp];
  assign count = counts[warp];
  assign waits_for = busy[warp] ? loading[warp] : 5'd0;
  assign undrained = wrote[warp] && !busy[warp];

  logic [1:0] some_wait;
  always_comb begin
    free = '0;
    free_count = 32'd0;
    some_wait = '0;
    at_barrier = '1;
    finished = '1;
    for (int w = WARPS - 1; w >= 0; w--) begin
      if (states[w] == FREE) begin
        free = W'(w);
        free_count = free_count + 32'd1;
      end else begin
        if (states[w] == WAITING) some_wait[slots[w]] = 1'b1;
        if (states[w] == READY) at_barrier[slots[w]] = 1'b0;
        // A warp that ends has nothing under way.
        if (states[w] != ENDED) finished[slots[w]] = 1'b0;
      end
    end
    at_barrier = at_barrier & some_wait;
  end

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      for (int w = 0; w < WARPS; w++) states[w] <= FREE;
      wrote <= '0;
    end else begin
      if (start) states[warp] <= WAITING;
      if (retire) begin
        if (arrives) states[warp] <= WAITING;
        if (next_lanes == '0) states[warp] <= ENDED;
        if (writes) wrote[warp] <= 1'b1;
      end
      if (drain) wrote[warp] <= 1'b0;
      for (int w = 0; w < WARPS; w++)
        if (states[w] != FREE && slots[w] == which_block) begin
          if (release_block && states[w] == WAITING) states[w] <= READY;
          if (end_block) states[w] <= FREE;
        end
    end
  end
  always_ff @(posedge clk) begin
    if (start) begin
      slots[warp] <= start_slot;
      indices[warp] <= start_index;
      threads[warp] <= start_thread;
      lives[warp] <= start_lanes;
      counts[warp] <= 64'd0;
    end
    if (retire) begin
      lives[warp] <= live & ~ending;
      counts[warp] <= count + 64'd1;
      if (accesses) loading[warp] <= loads_to;
    end
    if (go) begin
      pcs[warp] <= next_pc;
      actives[warp] <= next_lanes;
    end
  end
endmodule
