// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Where the lanes of an access lie: checks their addresses, and finds private memory, whose words
// are interleaved by lanes in the region of the warp (models/simt/private_layout.h).
module smx_place #(
    parameter int LANES = 32,
    parameter int PRIVATE_BYTES = 8192
) (
    input  logic                enable,        // else the outputs are 0
    input  logic [LANES-1:0]    active,
    input  logic [LANES*32-1:0] address,
    input  logic [1:0]          size,          // log2 of the bytes
    input  logic [31:0]         shared_bytes,  // of the block
    input  logic [31:0]         region,        // of the warp
    output logic [LANES*32-1:0] place,         // in shared memory: as `address`
    output logic [LANES-1:0]    in_shared,
    output logic                misaligned,
    output logic                outside
);
  localparam logic [31:0] REGION_BYTES = PRIVATE_BYTES * LANES;
  localparam logic [31:0] ROWS = PRIVATE_BYTES / 4;
  localparam logic [31:0] PIECES = REGION_BYTES / 32'd256;

  // The first row is a hash of the region's number; REGION_BYTES is a power of two of at least 256.
  logic [31:0] hash, first_row, base;
  assign hash = (region * 32'h9e37_79b1) >> 16;
  assign first_row = (hash & (PIECES - 32'd1)) * (ROWS / PIECES);
  assign base = 32'd0 - (region + 32'd1) * REGION_BYTES;

  logic [31:0] at, offset, row;
  always_comb begin
    place = '0;
    in_shared = '0;
    misaligned = 1'b0;
    outside = 1'b0;
    {at, offset, row} = '0;
    if (enable)
      for (int lane = 0; lane < LANES; lane++) begin
        at = address[lane*32+:32];
        offset = {4'd0, at[27:0]};
        place[lane*32+:32] = at;
        if (active[lane]) begin
          if ((size != 2'd0 && at[0]) || (size == 2'd2 && at[1])) misaligned = 1'b1;
          if (at[31:28] == 4'd1) begin
            in_shared[lane] = 1'b1;
            if (offset + (32'd1 << size) > shared_bytes) outside = 1'b1;
          end
          if (at[31:28] == 4'd2) begin
            if (offset + (32'd1 << size) > PRIVATE_BYTES) outside = 1'b1;
            row = (offset >> 2) + first_row;
            if (row >= ROWS) row = row - ROWS;
            place[lane*32+:32] = base + (row * LANES + 32'(lane)) * 32'd4 + {30'd0, at[1:0]};
          end
        end
      end
  end
endmodule
