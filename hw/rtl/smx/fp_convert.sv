// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Between single precision and integers of 32 bits; too large ones saturate.
module fp_convert (
    input  logic [31:0] value,
    input  logic        is_unsigned,
    input  logic [2:0]  mode,
    output logic [31:0] to_integer,
    output logic [31:0] from_integer
);
  logic sign, zero, infinite, nan;
  logic signed [15:0] exponent;
  logic [23:0] significand;
  fp_unpack unpack (.value(value), .sign(sign), .exponent(exponent), .significand(significand),
      .zero(zero), .infinite(infinite), .nan(nan));

  // 34 bits before the point, 26 behind it; the last stands for all below.
  logic [59:0] fixed;
  logic [33:0] whole;
  logic        half, rest, up;
  always_comb begin
    fixed = (exponent < -16'sd3) ? {59'd0, !zero} : {36'd0, significand} << (exponent + 16'sd3);
    half = fixed[25];
    rest = fixed[24:0] != '0;
    case (mode)
      3'd0: up = half && (rest || fixed[26]);
      3'd2: up = sign && (half || rest);
      3'd3: up = !sign && (half || rest);
      3'd4: up = half;
      default: up = 1'b0;
    endcase
    whole = fixed[59:26] + {33'd0, up};
    if (nan || (!sign && (infinite || exponent > 16'sd32)))
      to_integer = is_unsigned ? 32'hffff_ffff : 32'h7fff_ffff;
    else if (sign && (infinite || exponent > 16'sd32))
      to_integer = is_unsigned ? 32'd0 : 32'h8000_0000;
    else if (is_unsigned)
      to_integer = sign ? 32'd0 : (whole[33:32] != 2'd0) ? 32'hffff_ffff : whole[31:0];
    else if (sign) to_integer = (whole > 34'h0_8000_0000) ? 32'h8000_0000 : -whole[31:0];
    else to_integer = (whole[33:31] != 3'd0) ? 32'h7fff_ffff : whole[31:0];
  end

  logic        negative;
  logic [31:0] magnitude;
  assign negative = !is_unsigned && value[31];
  assign magnitude = negative ? -value : value;
  fp_round #(.W(34)) round (.sign(negative), .exponent(-16'sd2), .significand({magnitude, 2'd0}),
      .mode(mode), .result(from_integer));
endmodule
