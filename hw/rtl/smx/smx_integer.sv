// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Integer operations, conditions of branches, and addresses, of all lanes in one clock.
module smx_integer #(
    parameter int LANES = 32
) (
    input  logic                enable,  // else the outputs are 0
    input  logic [4:0]          op,      // of INTEGER in smx_is
    input  logic [2:0]          kind,    // funct3 of a branch
    input  logic [LANES*32-1:0] a,
    input  logic [LANES*32-1:0] b,
    input  logic [LANES*32-1:0] operand,  // b, or the immediate
    output logic [LANES*32-1:0] result,
    output logic [LANES-1:0]    condition
);
  logic [31:0] x, y, z;
  logic [63:0] product;
  logic        holds;
  always_comb begin
    result = '0;
    condition = '0;
    {x, y, z} = '0;
    product = '0;
    holds = 1'b0;
    if (enable)
      for (int lane = 0; lane < LANES; lane++) begin
        x = a[lane*32+:32];
        y = operand[lane*32+:32];
        // mulh: signed * signed, mulhsu: signed * unsigned, mulhu: unsigned * unsigned
        product = {{32{op[1:0] != 2'd3 && x[31]}}, x} * {{32{!op[1] && y[31]}}, y};
        case (op)
          smx_is::ADD: z = x + y;
          smx_is::SUB: z = x - y;
          smx_is::SLL: z = x << y[4:0];
          smx_is::SLT: z = {31'd0, $signed(x) < $signed(y)};
          smx_is::SLTU: z = {31'd0, x < y};
          smx_is::XOR: z = x ^ y;
          smx_is::SRL: z = x >> y[4:0];
          smx_is::SRA: z = $signed(x) >>> y[4:0];
          smx_is::OR: z = x | y;
          smx_is::AND: z = x & y;
          smx_is::ZERO_IF_ZERO: z = (y == 32'd0) ? 32'd0 : x;
          smx_is::ZERO_IF_NOT: z = (y != 32'd0) ? 32'd0 : x;
          smx_is::SECOND: z = y;
          smx_is::MUL: z = product[31:0];
          default: z = product[63:32];
        endcase
        result[lane*32+:32] = z;

        y = b[lane*32+:32];
        case (kind[2:1])
          2'd0: holds = x == y;
          2'd2: holds = $signed(x) < $signed(y);
          default: holds = x < y;
        endcase
        condition[lane] = holds != kind[0];
      end
  end
endmodule
