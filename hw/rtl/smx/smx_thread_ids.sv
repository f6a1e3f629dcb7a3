// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Indices in the block of the threads of a warp, from that of its first thread on, x fastest.
module smx_thread_ids #(
    parameter int LANES = 32
) (
    input  logic                enable,  // else the outputs are 0
    input  logic [31:0]         block_x,
    input  logic [31:0]         block_y,
    input  logic [31:0]         first_x,
    input  logic [31:0]         first_y,
    input  logic [31:0]         first_z,
    output logic [LANES*32-1:0] x,
    output logic [LANES*32-1:0] y,
    output logic [LANES*32-1:0] z,
    output logic [31:0]         next_x,  // of the warp behind
    output logic [31:0]         next_y,
    output logic [31:0]         next_z
);
  always_comb begin
    {x, y, z} = '0;
    {next_x, next_y, next_z} = {first_x, first_y, first_z};
    if (enable)
      for (int lane = 0; lane < LANES; lane++) begin
        x[lane*32+:32] = next_x;
        y[lane*32+:32] = next_y;
        z[lane*32+:32] = next_z;
        next_x = next_x + 32'd1;
        if (next_x == block_x) begin
          next_x = 32'd0;
          next_y = next_y + 32'd1;
          if (next_y == block_y) begin
            next_y = 32'd0;
            next_z = next_z + 32'd1;
          end
        end
      end
  end
endmodule
