// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the special functions compute, in double precision: models/isa/special_functions.h, an
// instruction for each of its operations in its order. Registers: 0 the argument, then S, T, P, N.
module smx_special_code (
    input  logic [6:0]  at,
    output logic [2:0]  op,  // 0 add, 1 subtract, 2 multiply, 3 divide, 4 move, 5 scale, 6 split, 7 end
    output logic [2:0]  rd,
    output logic [2:0]  rs1,
    output logic [2:0]  rs2,
    output logic        has_constant,  // in the place of rs2
    output logic [63:0] constant
);
  logic [5:0] index;
  always_comb begin
    case (at)
      // EX2
      7'd0: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd1, 3'd0, 3'd0, 1'b1, 6'd0};
      7'd1: {op, rd, rs1, rs2, has_constant, index} = {3'd1, 3'd2, 3'd1, 3'd0, 1'b1, 6'd0};
      7'd2: {op, rd, rs1, rs2, has_constant, index} = {3'd1, 3'd2, 3'd0, 3'd2, 1'b0, 6'd0};
      7'd3: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd2, 3'd2, 3'd0, 1'b1, 6'd1};
      7'd4: {op, rd, rs1, rs2, has_constant, index} = {3'd4, 3'd3, 3'd0, 3'd0, 1'b1, 6'd10};
      7'd5: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd6: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd4};
      7'd7: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd8: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd5};
      7'd9: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd10: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd6};
      7'd11: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd12: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd7};
      7'd13: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd14: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd8};
      7'd15: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd16: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd9};
      7'd17: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd18: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd3};
      7'd19: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd20: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd2};
      7'd21: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd22: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd2};
      7'd23: {op, rd, rs1, rs2, has_constant, index} = {3'd5, 3'd2, 3'd1, 3'd1, 1'b0, 6'd0};
      7'd24: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd25: {op, rd, rs1, rs2, has_constant, index} = {3'd7, 3'd3, 3'd3, 3'd3, 1'b0, 6'd0};
      // LG2
      7'd26: {op, rd, rs1, rs2, has_constant, index} = {3'd1, 3'd4, 3'd4, 3'd0, 1'b1, 6'd11};
      7'd27: {op, rd, rs1, rs2, has_constant, index} = {3'd1, 3'd2, 3'd0, 3'd0, 1'b1, 6'd2};
      7'd28: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd1, 3'd0, 3'd0, 1'b1, 6'd2};
      7'd29: {op, rd, rs1, rs2, has_constant, index} = {3'd3, 3'd2, 3'd2, 3'd1, 1'b0, 6'd0};
      7'd30: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd1, 3'd2, 3'd2, 1'b0, 6'd0};
      7'd31: {op, rd, rs1, rs2, has_constant, index} = {3'd4, 3'd3, 3'd0, 3'd0, 1'b1, 6'd18};
      7'd32: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd1, 1'b0, 6'd0};
      7'd33: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd12};
      7'd34: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd1, 1'b0, 6'd0};
      7'd35: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd13};
      7'd36: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd1, 1'b0, 6'd0};
      7'd37: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd14};
      7'd38: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd1, 1'b0, 6'd0};
      7'd39: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd15};
      7'd40: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd1, 1'b0, 6'd0};
      7'd41: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd16};
      7'd42: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd1, 1'b0, 6'd0};
      7'd43: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd17};
      7'd44: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd1, 1'b0, 6'd0};
      7'd45: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd2};
      7'd46: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd2, 3'd2, 3'd3, 1'b0, 6'd0};
      7'd47: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd2, 3'd2, 3'd0, 1'b1, 6'd19};
      7'd48: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd4, 3'd2, 1'b0, 6'd0};
      7'd49: {op, rd, rs1, rs2, has_constant, index} = {3'd7, 3'd3, 3'd3, 3'd3, 1'b0, 6'd0};
      // SINE
      7'd50: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd1, 3'd0, 3'd0, 1'b1, 6'd20};
      7'd51: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd1, 3'd1, 3'd0, 1'b1, 6'd0};
      7'd52: {op, rd, rs1, rs2, has_constant, index} = {3'd1, 3'd4, 3'd1, 3'd0, 1'b1, 6'd0};
      7'd53: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd2, 3'd4, 3'd0, 1'b1, 6'd21};
      7'd54: {op, rd, rs1, rs2, has_constant, index} = {3'd1, 3'd0, 3'd0, 3'd2, 1'b0, 6'd0};
      7'd55: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd2, 3'd4, 3'd0, 1'b1, 6'd22};
      7'd56: {op, rd, rs1, rs2, has_constant, index} = {3'd1, 3'd0, 3'd0, 3'd2, 1'b0, 6'd0};
      7'd57: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd2, 3'd4, 3'd0, 1'b1, 6'd23};
      7'd58: {op, rd, rs1, rs2, has_constant, index} = {3'd1, 3'd0, 3'd0, 3'd2, 1'b0, 6'd0};
      7'd59: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd2, 3'd0, 3'd0, 1'b0, 6'd0};
      7'd60: {op, rd, rs1, rs2, has_constant, index} = {3'd6, 3'd2, 3'd2, 3'd2, 1'b0, 6'd0};
      7'd61: {op, rd, rs1, rs2, has_constant, index} = {3'd4, 3'd3, 3'd0, 3'd0, 1'b1, 6'd25};
      7'd62: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd63: {op, rd, rs1, rs2, has_constant, index} = {3'd1, 3'd3, 3'd3, 3'd0, 1'b1, 6'd24};
      7'd64: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd65: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd10};
      7'd66: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd67: {op, rd, rs1, rs2, has_constant, index} = {3'd1, 3'd3, 3'd3, 3'd0, 1'b1, 6'd5};
      7'd68: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd69: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd7};
      7'd70: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd71: {op, rd, rs1, rs2, has_constant, index} = {3'd1, 3'd3, 3'd3, 3'd0, 1'b1, 6'd9};
      7'd72: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd73: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd2};
      7'd74: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd0, 1'b0, 6'd0};
      7'd75: {op, rd, rs1, rs2, has_constant, index} = {3'd7, 3'd3, 3'd3, 3'd3, 1'b0, 6'd0};
      // COSINE
      7'd76: {op, rd, rs1, rs2, has_constant, index} = {3'd4, 3'd3, 3'd0, 3'd0, 1'b1, 6'd28};
      7'd77: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd78: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd26};
      7'd79: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd80: {op, rd, rs1, rs2, has_constant, index} = {3'd1, 3'd3, 3'd3, 3'd0, 1'b1, 6'd27};
      7'd81: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd82: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd4};
      7'd83: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd84: {op, rd, rs1, rs2, has_constant, index} = {3'd1, 3'd3, 3'd3, 3'd0, 1'b1, 6'd6};
      7'd85: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd86: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd8};
      7'd87: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd88: {op, rd, rs1, rs2, has_constant, index} = {3'd1, 3'd3, 3'd3, 3'd0, 1'b1, 6'd3};
      7'd89: {op, rd, rs1, rs2, has_constant, index} = {3'd2, 3'd3, 3'd3, 3'd2, 1'b0, 6'd0};
      7'd90: {op, rd, rs1, rs2, has_constant, index} = {3'd0, 3'd3, 3'd3, 3'd0, 1'b1, 6'd2};
      7'd91: {op, rd, rs1, rs2, has_constant, index} = {3'd7, 3'd3, 3'd3, 3'd3, 1'b0, 6'd0};
      default: {op, rd, rs1, rs2, has_constant, index} = {3'd7, 9'd0, 1'b0, 6'd0};
    endcase

    case (index)
      6'd0: constant = 64'h4338_0000_0000_0000;  // 3 * 2^51: rounds to an integer
      6'd1: constant = 64'h3fe6_2e42_fefa_39ef;  // ln 2
      6'd2: constant = 64'h3ff0_0000_0000_0000;  // 1
      6'd3: constant = 64'h3fe0_0000_0000_0000;  // 1 / 2
      6'd4: constant = 64'h3efa_01a0_1a01_a01a;  // 1 / 40320
      6'd5: constant = 64'h3f2a_01a0_1a01_a01a;  // 1 / 5040
      6'd6: constant = 64'h3f56_c16c_16c1_6c17;  // 1 / 720
      6'd7: constant = 64'h3f81_1111_1111_1111;  // 1 / 120
      6'd8: constant = 64'h3fa5_5555_5555_5555;  // 1 / 24
      6'd9: constant = 64'h3fc5_5555_5555_5555;  // 1 / 6
      6'd10: constant = 64'h3ec7_1de3_a556_c734;  // 1 / 362880
      6'd11: constant = 64'h4330_0000_0000_0400;  // 2^52 + 1024
      6'd12: constant = 64'h3fb3_b13b_13b1_3b14;  // 1 / 13
      6'd13: constant = 64'h3fb7_45d1_745d_1746;  // 1 / 11
      6'd14: constant = 64'h3fbc_71c7_1c71_c71c;  // 1 / 9
      6'd15: constant = 64'h3fc2_4924_9249_2492;  // 1 / 7
      6'd16: constant = 64'h3fc9_9999_9999_999a;  // 1 / 5
      6'd17: constant = 64'h3fd5_5555_5555_5555;  // 1 / 3
      6'd18: constant = 64'h3fb1_1111_1111_1111;  // 1 / 15
      6'd19: constant = 64'h4007_1547_652b_82fe;  // 2 / ln 2
      6'd20: constant = 64'h3fe4_5f30_6dc9_c883;  // 2 / pi
      6'd21: constant = 64'h3ff9_21fb_5440_0000;  // pi / 2, the first 33 bits
      6'd22: constant = 64'h3dd0_b461_1a60_0000;  // the next 33 bits
      6'd23: constant = 64'h3ba3_198a_2e03_7073;  // the rest
      6'd24: constant = 64'h3e5a_e645_67f5_44e4;  // 1 / 39916800
      6'd25: constant = 64'h3de6_1246_13a8_6d09;  // 1 / 6227020800
      6'd26: constant = 64'h3e21_eed8_eff8_d898;  // 1 / 479001600
      6'd27: constant = 64'h3e92_7e4f_b778_9f5c;  // 1 / 3628800
      6'd28: constant = 64'hbda9_3974_a8c0_7c9d;  // -1 / 87178291200
      default: constant = 64'd0;
    endcase
  end
endmodule
