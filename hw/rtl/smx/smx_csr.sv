// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Control and status registers of a warp's threads, and their rounding modes.
module smx_csr #(
    parameter int LANES = 32,
    parameter int WARPS = 16
) (
    input  logic                     clk,
    input  logic                     enable,  // an instruction reads: else `old` is 0
    input  logic [$clog2(WARPS)-1:0] warp,
    input  logic                     start,   // the warp begins: its threads round to nearest even
    input  logic                     write,   // the instruction takes effect
    input  logic [31:12]             word,    // the instruction
    input  logic [LANES-1:0]         lanes,
    input  logic [LANES*32-1:0]      a,       // rs1
    input  logic [63:0]              clock,
    input  logic [63:0]              instructions,  // of the warp, with this one
    input  logic [LANES*32-1:0]      thread_x,
    input  logic [LANES*32-1:0]      thread_y,
    input  logic [LANES*32-1:0]      thread_z,
    input  logic [31:0]              index_in_block,
    input  logic [31:0]              warps_of_block,
    input  logic [7:0]               smx_id,
    input  logic [95:0]              block_index,  // x in the lowest bits, as in the next three
    input  logic [95:0]              block_size,
    input  logic [95:0]              grid_size,
    input  logic [95:0]              offset,
    input  logic [31:0]              dimensions,
    input  logic [31:0]              grid_id,
    input  logic [31:0]              shared_base,  // dynamic
    input  logic [31:0]              shared_size,
    output logic [LANES*32-1:0]      old,
    output logic [LANES*3-1:0]       modes
);
  logic [LANES*3-1:0] frm[WARPS];
  assign modes = frm[warp];

  logic [11:0] number;
  logic [31:0] uniform;
  assign number = word[31:20];

  always_comb begin
    case (number)
      12'hc00, 12'hc01, 12'hcd8: uniform = clock[31:0];
      12'hc80, 12'hc81, 12'hcd9: uniform = clock[63:32];
      12'hc02: uniform = instructions[31:0];
      12'hc82: uniform = instructions[63:32];
      12'hcc4: uniform = block_index[31:0];
      12'hcc5: uniform = block_index[63:32];
      12'hcc6: uniform = block_index[95:64];
      12'hcc8: uniform = block_size[31:0];
      12'hcc9: uniform = block_size[63:32];
      12'hcca: uniform = block_size[95:64];
      12'hccc: uniform = grid_size[31:0];
      12'hccd: uniform = grid_size[63:32];
      12'hcce: uniform = grid_size[95:64];
      12'hcd1: uniform = index_in_block;
      12'hcd2: uniform = warps_of_block;
      12'hcd3: uniform = {24'd0, smx_id};
      12'hcd4: uniform = LANES;
      12'hcd5: uniform = grid_id;
      12'hcd6: uniform = shared_base;
      12'hcd7: uniform = shared_size;
      12'hcdc: uniform = offset[31:0];
      12'hcdd: uniform = offset[63:32];
      12'hcde: uniform = offset[95:64];
      12'hcdf: uniform = dimensions;
      default: uniform = 32'd0;  // fflags
    endcase
  end

  logic [LANES*3-1:0]  next_modes;
  logic [31:0]         now;
  logic [2:0]          given, next;
  always_comb begin
    old = '0;
    next_modes = modes;
    now = '0;
    {given, next} = '0;
    if (enable)
      for (int lane = 0; lane < LANES; lane++) begin
        case (number)
          12'h002: now = {29'd0, modes[lane*3+:3]};
          12'h003: now = {24'd0, modes[lane*3+:3], 5'd0};
          12'hcc0: now = thread_x[lane*32+:32];
          12'hcc1: now = thread_y[lane*32+:32];
          12'hcc2: now = thread_z[lane*32+:32];
          12'hcd0: now = 32'(lane);
          default: now = uniform;
        endcase
        old[lane*32+:32] = now;
        // The part of the operand that goes to frm; of fcsr it is bits 5 to 7.
        if (number == 12'h003) given = word[14] ? 3'd0 : a[lane*32+5+:3];
        else given = word[14] ? word[17:15] : a[lane*32+:3];
        case (word[13:12])
          2'd1: next = given;
          2'd2: next = modes[lane*3+:3] | given;
          default: next = modes[lane*3+:3] & ~given;
        endcase
        if (lanes[lane] && (word[13:12] == 2'd1 || word[19:15] != 5'd0)
            && (number == 12'h002 || number == 12'h003))
          next_modes[lane*3+:3] = next;
      end
  end

  always_ff @(posedge clk) begin
    if (start) frm[warp] <= '0;
    else if (write) frm[warp] <= next_modes;
  end
endmodule
