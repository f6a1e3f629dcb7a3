// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The Kernel Distributor (Wang et al., ISCA 2015, 2.3), for slot.kernel_distributor = rtl;
// docs/pins.md has the ports. Up to 32 entries. A kernel that is dispatched goes to the free entry
// with the lowest number; entries start in the order in which their kernels came. The SMX scheduler
// reports blocks by updates, one a clock. An entry whose blocks have all been distributed and ended,
// and that nothing holds, completes.
module kernel_distributor (
    input  logic        clk,
    input  logic        rst_n,
    // constant
    input  logic [5:0]  entries,          // 1 to 32
    // from the KMU
    input  logic        dispatch_valid,
    output logic        dispatch_ready,
    input  logic [31:0] dispatch_launch,
    input  logic [31:0] dispatch_entry_pc,
    input  logic [31:0] dispatch_grid_x,
    input  logic [31:0] dispatch_grid_y,
    input  logic [31:0] dispatch_grid_z,
    input  logic [31:0] dispatch_block_x,
    input  logic [31:0] dispatch_block_y,
    input  logic [31:0] dispatch_block_z,
    input  logic [31:0] dispatch_parameters,
    input  logic        dispatch_cooperative,
    // to the SMX scheduler
    output logic        start_valid,
    input  logic        start_ready,
    output logic [4:0]  start_kde,
    output logic [31:0] start_launch,
    output logic [31:0] start_entry_pc,
    output logic [31:0] start_grid_x,
    output logic [31:0] start_grid_y,
    output logic [31:0] start_grid_z,
    output logic [31:0] start_block_x,
    output logic [31:0] start_block_y,
    output logic [31:0] start_block_z,
    output logic [31:0] start_parameters,
    output logic        start_cooperative,
    // from the SMX scheduler
    input  logic        update_valid,
    output logic        update_credit,
    input  logic [2:0]  update_event,
    input  logic [4:0]  update_kde,
    input  logic [31:0] update_launch,
    input  logic        update_of_group,
    input  logic [31:0] update_next_group,
    input  logic [31:0] update_last_group,
    output logic        update_error,     // the update of the clock before does not fit its entry
    // to the KMU
    output logic        complete_valid,
    input  logic        complete_ready,
    output logic [4:0]  complete_kde,
    output logic [31:0] complete_launch
);
  localparam int ENTRIES = 32;
  localparam logic [2:0] BLOCK_STARTED = 3'd1;
  localparam logic [2:0] BLOCK_FINISHED = 3'd2;
  localparam logic [2:0] BLOCKS_EXHAUSTED = 3'd3;
  localparam logic [2:0] HOLD = 3'd4;
  localparam logic [2:0] RELEASE = 3'd5;

  // ---- the table
  logic [31:0] valid;        // the entry has a kernel
  logic [31:0] over;         // all of it has ended, and the KMU has not been told
  logic [31:0] exhausted;    // its last block has been distributed
  logic [31:0] held;         // groups join it
  logic [31:0] cooperative;
  logic [31:0] launch[ENTRIES];
  logic [31:0] entry_pc[ENTRIES];
  logic [31:0] grid_x[ENTRIES];
  logic [31:0] grid_y[ENTRIES];
  logic [31:0] grid_z[ENTRIES];
  logic [31:0] block_x[ENTRIES];
  logic [31:0] block_y[ENTRIES];
  logic [31:0] block_z[ENTRIES];
  logic [31:0] parameters[ENTRIES];
  logic [31:0] blocks_left[ENTRIES];
  logic [31:0] exebl[ENTRIES];
  // The chain of groups is the SMX scheduler's. Its ends are kept for who looks at the table.
  // verilator lint_off UNUSEDSIGNAL
  logic [31:0] nagei[ENTRIES];
  logic [31:0] lagei[ENTRIES];
  // verilator lint_on UNUSEDSIGNAL

  // ---- entries to start, and those that are over, each in their order
  logic [4:0] starts[ENTRIES];
  logic [4:0] first_start;
  logic [5:0] start_count;
  logic [4:0] ends[ENTRIES];
  logic [4:0] first_end;
  logic [5:0] end_count;

  // ---- dispatch
  logic [31:0] free;
  logic [4:0]  place;
  logic        takes;
  assign free = ~valid & (entries[5] ? 32'hffffffff : (32'd1 << entries[4:0]) - 32'd1);
  assign dispatch_ready = free != 32'd0;
  assign takes = dispatch_valid && dispatch_ready;
  always_comb begin
    place = 5'd0;
    for (int i = ENTRIES - 1; i >= 0; i--) if (free[i]) place = 5'(i);
  end

  // ---- start
  logic starts_one;
  assign start_valid = start_count != 6'd0;
  assign starts_one = start_valid && start_ready;
  assign start_kde = starts[first_start];
  assign start_launch = launch[start_kde];
  assign start_entry_pc = entry_pc[start_kde];
  assign start_grid_x = grid_x[start_kde];
  assign start_grid_y = grid_y[start_kde];
  assign start_grid_z = grid_z[start_kde];
  assign start_block_x = block_x[start_kde];
  assign start_block_y = block_y[start_kde];
  assign start_block_z = block_z[start_kde];
  assign start_parameters = parameters[start_kde];
  assign start_cooperative = cooperative[start_kde];

  // ---- update
  logic        fits;
  logic        is_exhausted;
  logic        is_held;
  logic [31:0] left;
  logic [31:0] executing;
  logic        ends_one;
  always_comb begin
    fits = valid[update_kde] && !over[update_kde] && launch[update_kde] == update_launch;
    is_exhausted = exhausted[update_kde];
    is_held = held[update_kde];
    left = blocks_left[update_kde];
    executing = exebl[update_kde];
    case (update_event)
      BLOCK_STARTED: begin
        if (!update_of_group && left == 32'd0) fits = 1'b0;
        if (!update_of_group) left = left - 32'd1;
        executing = executing + 32'd1;
      end
      BLOCK_FINISHED: begin
        if (executing == 32'd0) fits = 1'b0;
        executing = executing - 32'd1;
      end
      BLOCKS_EXHAUSTED: begin
        if (cooperative[update_kde]) left = 32'd0;
        if (is_exhausted || left != 32'd0) fits = 1'b0;
        is_exhausted = 1'b1;
      end
      HOLD: is_held = 1'b1;
      RELEASE: begin
        if (!is_held || !is_exhausted || executing != 32'd0) fits = 1'b0;
        is_held = 1'b0;
      end
      default: fits = 1'b0;
    endcase
  end
  assign ends_one = update_valid && fits && is_exhausted && !is_held && executing == 32'd0;

  // ---- complete
  logic completes;
  assign complete_valid = end_count != 6'd0;
  assign completes = complete_valid && complete_ready;
  assign complete_kde = ends[first_end];
  assign complete_launch = launch[complete_kde];

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      valid <= 32'd0;
      over <= 32'd0;
      first_start <= 5'd0;
      start_count <= 6'd0;
      first_end <= 5'd0;
      end_count <= 6'd0;
      update_credit <= 1'b0;
      update_error <= 1'b0;
    end else begin
      update_credit <= update_valid;
      update_error <= update_valid && !fits;
      if (update_valid && fits) begin
        exhausted[update_kde] <= is_exhausted;
        held[update_kde] <= is_held;
        blocks_left[update_kde] <= left;
        exebl[update_kde] <= executing;
        nagei[update_kde] <= update_next_group;
        lagei[update_kde] <= update_last_group;
      end
      if (ends_one) begin
        over[update_kde] <= 1'b1;
        ends[first_end + end_count[4:0]] <= update_kde;
      end
      if (completes) begin
        valid[complete_kde] <= 1'b0;
        over[complete_kde] <= 1'b0;
        first_end <= first_end + 5'd1;
      end
      end_count <= end_count + 6'(ends_one) - 6'(completes);
      if (takes) begin
        valid[place] <= 1'b1;
        exhausted[place] <= 1'b0;
        held[place] <= 1'b0;
        cooperative[place] <= dispatch_cooperative;
        launch[place] <= dispatch_launch;
        entry_pc[place] <= dispatch_entry_pc;
        grid_x[place] <= dispatch_grid_x;
        grid_y[place] <= dispatch_grid_y;
        grid_z[place] <= dispatch_grid_z;
        block_x[place] <= dispatch_block_x;
        block_y[place] <= dispatch_block_y;
        block_z[place] <= dispatch_block_z;
        parameters[place] <= dispatch_parameters;
        blocks_left[place] <= dispatch_grid_x * dispatch_grid_y * dispatch_grid_z;
        exebl[place] <= 32'd0;
        nagei[place] <= 32'hffffffff;
        lagei[place] <= 32'hffffffff;
        starts[first_start + start_count[4:0]] <= place;
      end
      if (starts_one) first_start <= first_start + 5'd1;
      start_count <= start_count + 6'(takes) - 6'(starts_one);
    end
  end
endmodule
