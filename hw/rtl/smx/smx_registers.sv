// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The registers of all warps: a row is a register in all lanes. Three rows are read, one is written.
module smx_registers #(
    parameter int LANES = 32,
    parameter int WARPS = 16
) (
    input  logic                     clk,
    input  logic [$clog2(WARPS)-1:0] warp,  // whose rows are read
    input  logic [4:0]               rs1,
    input  logic [4:0]               rs2,
    input  logic [4:0]               rs3,
    output logic [LANES*32-1:0]      a,
    output logic [LANES*32-1:0]      b,
    output logic [LANES*32-1:0]      c,
    input  logic                     write,
    input  logic [$clog2(WARPS)-1:0] write_warp,
    input  logic [4:0]               rd,     // 0: nothing is written but by `clear`
    input  logic                     clear,  // also x0, which reads 0 from then on
    input  logic [LANES-1:0]         lanes,
    input  logic [LANES*32-1:0]      value
);
  logic [LANES*32-1:0] rows[WARPS*32];
  assign a = rows[{warp, rs1}];
  assign b = rows[{warp, rs2}];
  assign c = rows[{warp, rs3}];
  always_ff @(posedge clk)
    if (write && (rd != 5'd0 || clear))
      for (int lane = 0; lane < LANES; lane++)
        if (lanes[lane]) rows[{write_warp, rd}][lane*32+:32] <= value[lane*32+:32];
endmodule
