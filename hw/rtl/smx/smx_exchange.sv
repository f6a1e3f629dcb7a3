// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Votes and shuffles: what a lane gets of the others. A segment of a shuffle has `last` + 1 lanes.
module smx_exchange #(
    parameter int LANES = 32
) (
    input  logic                enable,   // else the output is 0
    input  logic                shuffle,
    input  logic [4:0]          funct,    // of funct7
    input  logic [LANES-1:0]    active,
    input  logic [LANES*32-1:0] a,
    input  logic [LANES*32-1:0] b,
    output logic [LANES*32-1:0] result
);
  localparam int B = $clog2(LANES);

  logic [LANES-1:0] set;
  logic [63:0]      ballot;
  logic [31:0]      vote, operand;
  logic [6:0]       asked;
  logic [B-1:0]     last, self, source, place;  // place: of the lane in its segment
  always_comb begin
    result = '0;
    set = '0;
    vote = 32'd0;
    operand = 32'd0;
    self = '0;
    source = '0;
    place = '0;
    asked = 7'd1 << funct[2:0];
    last = (32'(asked) < LANES) ? B'(asked - 7'd1) : B'(LANES - 1);
    if (enable)
      for (int lane = 0; lane < LANES; lane++)
        set[lane] = active[lane] && a[lane*32+:32] != 32'd0;
    ballot = 64'(set);
    case (funct[1:0])
      2'd0: vote = {31'd0, set != '0};
      2'd1: vote = {31'd0, set == active};
      2'd2: vote = ballot[31:0];
      default: vote = ballot[63:32];
    endcase
    if (enable)
      for (int lane = 0; lane < LANES; lane++) begin
        self = B'(lane);
        operand = b[lane*32+:32];
        place = self & last;
        source = self;
        case (funct[4:3])
          2'd0: source = (self & ~last) | (B'(operand) & last);
          2'd1: if (operand <= 32'(place)) source = self - B'(operand);
          2'd2: if (operand <= 32'(last) - 32'(place)) source = self + B'(operand);
          default: if ((self ^ B'(operand)) <= (self | last)) source = self ^ B'(operand);
        endcase
        result[lane*32+:32] = shuffle ? a[32'(source)*32+:32] : vote;
      end
  end
endmodule
