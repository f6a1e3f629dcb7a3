// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// x / y, or the square root of x: one bit of the result in a clock. Restoring division and root.
module fp_divide_root #(
    parameter int E = 8,
    parameter int M = 23
) (
    input  logic         clk,
    input  logic         rst_n,
    input  logic         start,   // x, y, root and mode stay until `done`
    input  logic         root,
    input  logic [E+M:0] x,
    input  logic [E+M:0] y,
    input  logic [2:0]   mode,
    output logic         done,    // high for one clock
    output logic [E+M:0] result
);
  localparam int N = M + 4;  // bits of a quotient; a root has one less

  logic xs, ys, x_zero, y_zero, x_infinite, y_infinite, x_nan, y_nan;
  logic signed [15:0] xe, ye;
  logic [M:0] xm, ym;
  fp_unpack #(.E(E), .M(M)) unpack_x (.value(x), .sign(xs), .exponent(xe), .significand(xm),
      .zero(x_zero), .infinite(x_infinite), .nan(x_nan));
  fp_unpack #(.E(E), .M(M)) unpack_y (.value(y), .sign(ys), .exponent(ye), .significand(ym),
      .zero(y_zero), .infinite(y_infinite), .nan(y_nan));

  logic               running;
  logic [7:0]         left;
  logic [N-1:0]       bits, next_bits;
  logic [N+2:0]       remainder, shifted, trial, next_remainder;
  logic [2*N-3:0]     radicand;
  logic               fits, odd;
  logic signed [15:0] even_exponent;

  // The root of 2^2k * r is 2^k * root of r.
  assign odd = xe[0];
  assign even_exponent = odd ? xe - 16'sd1 : xe;

  always_comb begin
    if (root) begin
      shifted = {remainder[N:0], radicand[2*N-3-:2]};
      trial = {1'b0, bits, 2'b01};
    end else begin
      shifted = remainder;
      trial = (N + 3)'(ym);
    end
    fits = shifted >= trial;
    next_bits = {bits[N-2:0], fits};
    next_remainder = fits ? shifted - trial : shifted;
    if (!root) next_remainder = next_remainder << 1;
  end

  always_ff @(posedge clk) begin
    done <= 1'b0;
    if (!rst_n) begin
      running <= 1'b0;
    end else if (start && !running && !done) begin
      running <= 1'b1;
      left <= root ? 8'(N - 2) : 8'(N - 1);
      bits <= '0;
      remainder <= root ? '0 : (N + 3)'(xm);
      radicand <= (2 * N - 2)'(xm) << (odd ? M + 5 : M + 4);
    end else if (running) begin
      left <= left - 8'd1;
      bits <= next_bits;
      remainder <= next_remainder;
      radicand <= radicand << 2;
      if (left == 8'd0) begin
        running <= 1'b0;
        done <= 1'b1;
      end
    end
  end

  logic [E+M:0]       rounded;
  logic signed [15:0] lowest;
  logic               sign;
  assign sign = root ? xs : xs ^ ys;
  assign lowest = (root ? (even_exponent >>> 1) - 16'(N - 2) : xe - ye - 16'(N - 1)) - 16'sd1;
  fp_round #(.E(E), .M(M), .W(N + 1)) round (.sign(sign), .exponent(lowest),
      .significand({bits, remainder != '0}), .mode(mode), .result(rounded));

  always_comb begin
    result = rounded;
    if (x_nan || (root ? xs && !x_zero
        : y_nan || (x_infinite && y_infinite) || (x_zero && y_zero)))
      result = {1'b0, {(E + 1) {1'b1}}, {(M - 1) {1'b0}}};
    else if (x_infinite || (!root && y_zero)) result = {sign, {E{1'b1}}, {M{1'b0}}};
    else if (x_zero || (!root && y_infinite)) result = {sign, {(E + M) {1'b0}}};
  end
endmodule
