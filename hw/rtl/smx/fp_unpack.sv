// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A binary float: its significand with the leading one on top, also of a subnormal number.
module fp_unpack #(
    parameter int E = 8,
    parameter int M = 23
) (
    input  logic [E+M:0]       value,
    output logic               sign,
    output logic signed [15:0] exponent,     // of the leading one
    output logic [M:0]         significand,
    output logic               zero,
    output logic               infinite,
    output logic               nan
);
  localparam logic signed [15:0] BIAS = (16'sd1 <<< (E - 1)) - 16'sd1;

  logic [E-1:0] field;
  logic [M-1:0] fraction;
  assign field = value[E+M-1:M];
  assign fraction = value[M-1:0];
  assign sign = value[E+M];
  assign zero = field == '0 && fraction == '0;
  assign infinite = field == '1 && fraction == '0;
  assign nan = field == '1 && fraction != '0;

  always_comb begin
    exponent = $signed({{(16 - E){1'b0}}, field}) - BIAS;
    significand = {1'b1, fraction};
    if (field == '0) begin
      exponent = 16'sd1 - BIAS;
      significand = {1'b0, fraction};
      for (int k = 5; k >= 0; k--)
        if ((1 << k) <= M && (significand >> (M + 1 - (1 << k))) == '0) begin
          significand = significand << (1 << k);
          exponent = exponent - 16'(1 << k);
        end
    end
  end
endmodule
