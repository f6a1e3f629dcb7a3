// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The resident blocks: what was dispatched with them, and where they lie in shared memory. Block 0
// lies at its begin, block 1 at its end, so that there is nothing to search.
module smx_blocks #(
    parameter int LANES = 32,
    parameter int WARPS = 16,
    parameter int SHARED_BYTES = 16384
) (
    input  logic        clk,
    input  logic        rst_n,
    input  logic [31:0] free_warps,
    // A block that is offered.
    input  logic [31:0] new_launch,
    input  logic [31:0] new_grid_id,
    input  logic [31:0] new_block,
    input  logic [31:0] new_entry,
    input  logic [31:0] new_parameters,
    input  logic [95:0] new_block_index,
    input  logic [95:0] new_block_size,
    input  logic [95:0] new_grid_size,
    input  logic [95:0] new_offset,
    input  logic [1:0]  new_dimensions,
    input  logic [31:0] new_shared_bytes,
    input  logic [31:0] new_dynamic_bytes,
    input  logic [31:0] new_region,
    output logic        fits,
    output logic        fits_slot,
    input  logic        take,
    input  logic        free,       // the block of slot `slot`
    input  logic        slot,       // that is shown
    output logic [1:0]  used,
    output logic [31:0] launch,
    output logic [31:0] grid_id,
    output logic [31:0] block,
    output logic [31:0] entry,
    output logic [31:0] parameters,
    output logic [95:0] block_index,
    output logic [95:0] block_size,
    output logic [95:0] grid_size,
    output logic [95:0] offset,
    output logic [1:0]  dimensions,
    output logic [31:0] shared_bytes,
    output logic [31:0] dynamic_bytes,
    output logic [31:0] region,     // of the first warp's private memory
    output logic [31:0] threads,
    output logic [31:0] warps,
    output logic [$clog2(SHARED_BYTES)-1:0] shared_base
);
  localparam int S = $clog2(SHARED_BYTES);
  localparam int BITS = 32 * 8 + 96 * 4 + 2;

  logic [BITS-1:0] payloads[2];
  logic [31:0]     needed, resident_bytes;

  assign needed = (new_block_size[31:0] * new_block_size[63:32] * new_block_size[95:64] + LANES - 1)
      / LANES;
  assign resident_bytes = (used == 2'd0) ? 32'd0 : other_bytes;
  assign fits_slot = used[0];
  assign fits = used != 2'b11 && needed <= free_warps && needed <= WARPS
      && new_shared_bytes <= SHARED_BYTES - resident_bytes;

  // Shared memory of the block that is resident, rounded up to words.
  logic [31:0] bytes[2];
  logic [31:0] other_bytes;
  assign other_bytes = used[0] ? bytes[0] : bytes[1];

  assign {launch, grid_id, block, entry, parameters, block_index, block_size, grid_size, offset,
      dimensions, shared_bytes, dynamic_bytes, region} = payloads[slot];
  assign threads = block_size[31:0] * block_size[63:32] * block_size[95:64];
  assign warps = (threads + LANES - 1) / LANES;
  assign shared_base = slot ? -bytes[1][S-1:0] : '0;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      used <= 2'd0;
    end else begin
      if (take) used[fits_slot] <= 1'b1;
      if (free) used[slot] <= 1'b0;
    end
  end
  always_ff @(posedge clk)
    if (take) begin
      payloads[fits_slot] <= {new_launch, new_grid_id, new_block, new_entry, new_parameters,
          new_block_index, new_block_size, new_grid_size, new_offset, new_dimensions,
          new_shared_bytes, new_dynamic_bytes, new_region};
      bytes[fits_slot] <= (new_shared_bytes + 32'd3) & ~32'd3;
    end
endmodule
