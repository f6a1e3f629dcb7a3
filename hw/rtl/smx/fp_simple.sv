// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Operations of single precision that only look at bits: signs, order, classes.
module fp_simple (
    input  logic [31:0] x,
    input  logic [31:0] y,
    input  logic [2:0]  kind,  // funct3
    output logic [31:0] sign,
    output logic [31:0] minmax,
    output logic [31:0] compare,
    output logic [31:0] class_of
);
  logic x_nan, y_nan, equal, less;
  assign x_nan = x[30:0] > 31'h7f80_0000;
  assign y_nan = y[30:0] > 31'h7f80_0000;
  assign equal = x == y || (x[30:0] == 31'd0 && y[30:0] == 31'd0);

  always_comb begin
    if (x[31] != y[31]) less = x[31];
    else less = x[31] ? x[30:0] > y[30:0] : x[30:0] < y[30:0];

    case (kind)
      3'd0: sign = {y[31], x[30:0]};
      3'd1: sign = {!y[31], x[30:0]};
      default: sign = {x[31] ^ y[31], x[30:0]};
    endcase

    if (x_nan && y_nan) minmax = smx_is::CANONICAL_NAN;
    else if (x_nan) minmax = y;
    else if (y_nan) minmax = x;
    else minmax = (less != kind[0]) ? x : y;  // of -0 and +0, -0 is the less

    case (kind)
      3'd0: compare = {31'd0, less || equal};
      3'd1: compare = {31'd0, less && !equal};
      default: compare = {31'd0, equal};
    endcase
    if (x_nan || y_nan) compare = 32'd0;

    class_of = 32'd0;
    if (x_nan) class_of[x[22] ? 9 : 8] = 1'b1;
    else if (x[30:0] == 31'h7f80_0000) class_of[x[31] ? 0 : 7] = 1'b1;
    else if (x[30:0] == 31'd0) class_of[x[31] ? 3 : 4] = 1'b1;
    else if (x[30:23] == 8'd0) class_of[x[31] ? 2 : 5] = 1'b1;
    else class_of[x[31] ? 1 : 6] = 1'b1;
  end
endmodule
