// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// x * y + z, rounded once (IEEE 754-2019, section 5.4.1). Every NaN is the canonical one.
//
// Product and addend meet in a window of which the product's lowest bit is bit GUARD. Of an addend
// that lies below the window one bit is left, and of a product far below the addend, too.
module fp_multiply_add #(
    parameter int E = 8,
    parameter int M = 23
) (
    input  logic [E+M:0] x,
    input  logic [E+M:0] y,
    input  logic [E+M:0] z,
    input  logic [2:0]   mode,
    output logic [E+M:0] result
);
  localparam int GUARD = M + 5;
  localparam int FAR = M + 4;     // the addend's exponent may be as much larger
  localparam int W = 4 * M + 12;

  logic xs, ys, zs, x_zero, y_zero, z_zero, x_infinite, y_infinite, z_infinite, x_nan, y_nan, z_nan;
  logic signed [15:0] xe, ye, ze;
  logic [M:0] xm, ym, zm;
  fp_unpack #(.E(E), .M(M)) unpack_x (.value(x), .sign(xs), .exponent(xe), .significand(xm),
      .zero(x_zero), .infinite(x_infinite), .nan(x_nan));
  fp_unpack #(.E(E), .M(M)) unpack_y (.value(y), .sign(ys), .exponent(ye), .significand(ym),
      .zero(y_zero), .infinite(y_infinite), .nan(y_nan));
  fp_unpack #(.E(E), .M(M)) unpack_z (.value(z), .sign(zs), .exponent(ze), .significand(zm),
      .zero(z_zero), .infinite(z_infinite), .nan(z_nan));

  logic               product_sign, no_product, sign;
  logic signed [15:0] product_exponent, distance, place, lowest;
  logic [2*M+1:0]     product;
  logic [W-1:0]       product_window, addend_window, sum;

  always_comb begin
    product_sign = xs ^ ys;
    no_product = x_zero || y_zero;
    product_exponent = xe + ye;
    product = {{(M + 1) {1'b0}}, xm} * {{(M + 1) {1'b0}}, ym};
    distance = ze - product_exponent;
    place = distance + 16'(M + GUARD);  // of the addend's lowest bit
    lowest = product_exponent - 16'(2 * M + GUARD);
    if (no_product || (!z_zero && distance > 16'(FAR))) begin
      product_window = {{(W - 1) {1'b0}}, !no_product};
      addend_window = W'(zm) << (GUARD + M + FAR);
      lowest = ze - 16'(2 * M + GUARD + FAR);
    end else begin
      product_window = W'(product) << GUARD;
      addend_window = (place >= 16'sd0) ? W'(zm) << place : W'(1'b1);
    end
    if (z_zero) addend_window = '0;

    sign = product_sign;
    if (product_sign == zs) begin
      sum = product_window + addend_window;
    end else if (product_window >= addend_window) begin
      sum = product_window - addend_window;
    end else begin
      sum = addend_window - product_window;
      sign = zs;
    end
    // An exact zero is +0, but where it rounds down; zeros of one sign keep it.
    if (sum == '0 && product_sign != zs) sign = mode == 3'd2;
  end

  logic [E+M:0] rounded;
  fp_round #(.E(E), .M(M), .W(W)) round (.sign(sign), .exponent(lowest), .significand(sum),
      .mode(mode), .result(rounded));

  always_comb begin
    result = rounded;
    if (x_nan || y_nan || z_nan || (x_infinite && y_zero) || (x_zero && y_infinite)
        || ((x_infinite || y_infinite) && z_infinite && product_sign != zs))
      result = {1'b0, {(E + 1) {1'b1}}, {(M - 1) {1'b0}}};
    else if (x_infinite || y_infinite) result = {product_sign, {E{1'b1}}, {M{1'b0}}};
    else if (z_infinite) result = z;
  end
endmodule
