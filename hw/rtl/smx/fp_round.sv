// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Rounds significand * 2^exponent to a binary float. The lowest bit of the significand may stand for
// all bits below it.
module fp_round #(
    parameter int E = 8,
    parameter int M = 23,
    parameter int W = 64
) (
    input  logic               sign,
    input  logic signed [15:0] exponent,     // of the lowest bit
    input  logic [W-1:0]       significand,  // 0: the result is a zero
    input  logic [2:0]         mode,
    output logic [E+M:0]       result
);
  localparam logic signed [15:0] BIAS = (16'sd1 <<< (E - 1)) - 16'sd1;
  localparam logic signed [15:0] LOWEST = 16'sd1 - BIAS;  // exponent of normal numbers

  logic [W-1:0]       bits, lost;
  logic signed [15:0] lead;  // exponent of the leading one
  logic [15:0]        right;
  logic [E+M-1:0]     magnitude;
  logic               half, rest, up, to_infinity;

  always_comb begin
    bits = significand;
    lead = exponent + 16'(W - 1);
    for (int k = 7; k >= 0; k--)
      if ((1 << k) < W && (bits >> (W - (1 << k))) == '0) begin
        bits = bits << (1 << k);
        lead = lead - 16'(1 << k);
      end
    right = 16'd0;
    lost = '0;
    if (lead < LOWEST) begin
      right = 16'(LOWEST - lead);
      if (right > 16'(W)) right = 16'(W);
      lost = ~('1 << right) & bits;
      bits = bits >> right;
    end
    half = bits[W-2-M];
    rest = bits[W-3-M:0] != '0 || lost != '0;
    magnitude = {(right != 16'd0) ? {E{1'b0}} : E'(lead + BIAS), bits[W-2-:M]};
    case (mode)
      3'd0: up = half && (rest || magnitude[0]);
      3'd2: up = sign && (half || rest);
      3'd3: up = !sign && (half || rest);
      3'd4: up = half;
      default: up = 1'b0;
    endcase
    to_infinity = mode == 3'd0 || mode == 3'd4 || (mode == 3'd2 && sign) || (mode == 3'd3 && !sign);
    if (significand == '0) result = {sign, {(E + M) {1'b0}}};
    else if (lead > BIAS)
      result = {sign, {(E - 1) {1'b1}}, to_infinity, {M{!to_infinity}}};
    else result = {sign, magnitude + {{(E + M - 1) {1'b0}}, up}};
  end
endmodule
