// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Instructions of class LONG: one lane after another goes through the lane unit. The instruction's
// warp waits; others execute meanwhile.
module smx_long #(
    parameter int LANES = 32
) (
    input  logic                clk,
    input  logic                rst_n,
    input  logic                start,  // only while `idle`
    input  logic [4:0]          op,
    input  logic [2:0]          kind,   // funct3: the rounding mode, too
    input  logic                minus_product,
    input  logic                minus_addend,
    input  logic                is_unsigned,
    input  logic                dynamic_mode,
    input  logic [LANES*3-1:0]  modes,
    input  logic [LANES-1:0]    lanes,
    input  logic [LANES*32-1:0] a,
    input  logic [LANES*32-1:0] b,
    input  logic [LANES*32-1:0] c,
    output logic                idle,
    output logic                done,   // until `take`
    input  logic                take,
    output logic [LANES*32-1:0] result
);
  localparam int L = $clog2(LANES);

  logic                running;
  logic [LANES-1:0]    left;
  logic [LANES*32-1:0] xs, ys, zs;
  logic [4:0]          my_op;
  logic [2:0]          my_kind, mode;
  logic                my_minus_product, my_minus_addend, my_unsigned, my_dynamic;
  logic [LANES*3-1:0]  my_modes;

  logic [L-1:0] lane;
  logic         lane_done;
  logic [31:0]  lane_result;
  always_comb begin
    lane = '0;
    for (int l = LANES - 1; l >= 0; l--) if (left[l]) lane = L'(l);
    mode = my_kind;
    for (int l = 0; l < LANES; l++) if (my_dynamic && lane == L'(l)) mode = my_modes[l*3+:3];
  end
  smx_lane_unit unit (
      .clk(clk), .rst_n(rst_n), .start(running), .op(my_op), .kind(my_kind),
      .minus_product(my_minus_product), .minus_addend(my_minus_addend),
      .is_unsigned(my_unsigned), .mode(mode), .a(xs[{27'(lane), 5'd0}+:32]),
      .b(ys[{27'(lane), 5'd0}+:32]), .c(zs[{27'(lane), 5'd0}+:32]), .done(lane_done),
      .result(lane_result));

  assign idle = !running && !done;
  always_ff @(posedge clk) begin
    if (!rst_n) begin
      running <= 1'b0;
      done <= 1'b0;
    end else if (start) begin
      running <= 1'b1;
    end else if (running && lane_done && (left & (left - 1'b1)) == '0) begin
      running <= 1'b0;
      done <= 1'b1;
    end else if (take) begin
      done <= 1'b0;
    end
  end
  always_ff @(posedge clk)
    if (start) begin
      left <= lanes;
      {xs, ys, zs} <= {a, b, c};
      {my_op, my_kind, my_modes} <= {op, kind, modes};
      {my_minus_product, my_minus_addend} <= {minus_product, minus_addend};
      {my_unsigned, my_dynamic} <= {is_unsigned, dynamic_mode};
    end else if (running && lane_done) begin
      left <= left & (left - 1'b1);
      result[{27'(lane), 5'd0}+:32] <= lane_result;
    end
endmodule
