// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// 2^x, log2(x), sin(x), cos(x): runs the code of smx_special_code for one lane, an operation in a
// clock, a division in more.
module smx_special (
    input  logic        clk,
    input  logic        rst_n,
    input  logic        start,  // x and op stay until `done`
    input  logic [4:0]  op,     // EX2, LG2, SIN, COS of smx_is
    input  logic [31:0] x,
    output logic        done,   // high for one clock
    output logic [31:0] result
);
  // Where the code of each function starts.
  localparam logic [6:0] AT_EX2 = 7'd0;
  localparam logic [6:0] AT_LG2 = 7'd26;
  localparam logic [6:0] AT_SINE = 7'd50;
  localparam logic [6:0] AT_COSINE = 7'd76;

  // ---- the argument ---------------------------------------------------------------------------

  logic x_sign, x_zero, x_infinite, x_nan;
  logic signed [15:0] x_exponent;
  logic [23:0] x_significand;
  fp_unpack unpack (.value(x), .sign(x_sign), .exponent(x_exponent), .significand(x_significand),
      .zero(x_zero), .infinite(x_infinite), .nan(x_nan));

  logic [63:0] wide, argument, offset;
  always_comb begin
    wide = {x_sign, 11'(x_exponent + 16'sd1022), 52'd0}
        + {11'd0, x_significand, 29'd0};  // the leading one counts the exponent up
    if (x_zero) wide = {x_sign, 63'd0};
    if (x_infinite || x_nan) wide = {x_sign, 11'h7ff, x_significand[22:0], 29'd0};
    // log2: x = m * 2^e with m from sqrt(1/2) on.
    offset = wide - 64'h3fe6_a09e_0000_0000;
    argument = wide;
    case (op)
      smx_is::EX2:
        if (x[30:0] > 31'h4348_0000) argument = {x_sign, 63'h4069_0000_0000_0000};  // 200
      smx_is::LG2: argument = {12'd0, offset[51:0]} + 64'h3fe6_a09e_0000_0000;
      default: if (x[30:0] > 31'h5380_0000) argument = 64'd0;  // 2^40
    endcase
  end

  // ---- the machine ----------------------------------------------------------------------------

  logic [6:0]  at;
  logic [2:0]  code_op, rd, rs1, rs2;
  logic        has_constant;
  logic [63:0] constant;
  smx_special_code code (.at(at), .op(code_op), .rd(rd), .rs1(rs1), .rs2(rs2),
      .has_constant(has_constant), .constant(constant));

  logic [63:0] registers[5];
  logic [63:0] a, b, sum, quotient, value;
  logic [11:0] scale;
  logic        running, divides, divided;
  assign a = registers[rs1];
  assign b = has_constant ? constant : registers[rs2];
  fp_multiply_add #(.E(11), .M(52)) unit (
      .x(a), .y((code_op == 3'd2) ? b : 64'h3ff0_0000_0000_0000),
      .z((code_op == 3'd2) ? {a[63] ^ b[63], 63'd0} : {b[63] ^ code_op[0], b[62:0]}),
      .mode(3'd0), .result(sum));
  fp_divide_root #(.E(11), .M(52)) divider (.clk(clk), .rst_n(rst_n),
      .start(running && code_op == 3'd3 && !divides), .root(1'b0), .x(a), .y(b), .mode(3'd0),
      .done(divided), .result(quotient));

  assign scale = a[11:0] + 12'd1023;
  always_comb begin
    case (code_op)
      3'd3: value = quotient;
      3'd4: value = b;
      3'd5: value = {scale, 52'd0};
      default: value = sum;
    endcase
  end

  logic [1:0] quadrant;
  assign quadrant = registers[1][1:0] + {1'b0, op == smx_is::COS};

  always_ff @(posedge clk) begin
    done <= 1'b0;
    if (!rst_n) begin
      running <= 1'b0;
      divides <= 1'b0;
    end else if (start && !running && !done) begin
      running <= 1'b1;
      at <= (op == smx_is::EX2) ? AT_EX2 : (op == smx_is::LG2) ? AT_LG2 : AT_SINE;
      registers[0] <= argument;
      // An integer in the low bits of 2^52 + it.
      registers[4] <= {12'h433, 40'd0, 12'((offset + 64'h4000_0000_0000_0000) >> 52)};
    end else if (running) begin
      if (code_op == 3'd3) divides <= !divided;
      if (code_op == 3'd7) begin
        running <= 1'b0;
        done <= 1'b1;
      end else if (code_op == 3'd6) begin
        at <= quadrant[0] ? AT_COSINE : at + 7'd1;
      end else if (code_op != 3'd3 || divided) begin
        at <= at + 7'd1;
        registers[rd] <= value;
      end
    end
  end

  // ---- the result -----------------------------------------------------------------------------

  logic sign, zero, infinite, nan;
  logic signed [15:0] exponent;
  logic [52:0] significand;
  logic [63:0] final_value;
  logic [31:0] narrow;
  always_comb begin
    final_value = registers[3];
    if ((op == smx_is::SIN || op == smx_is::COS)
        && final_value[62:0] > 63'h3ff0_0000_0000_0000)
      final_value[62:0] = 63'h3ff0_0000_0000_0000;
  end
  fp_unpack #(.E(11), .M(52)) unpack_result (.value(final_value), .sign(sign),
      .exponent(exponent), .significand(significand), .zero(zero), .infinite(infinite), .nan(nan));
  fp_round #(.W(53)) round (.sign(sign), .exponent(exponent - 16'sd52),
      .significand(zero ? 53'd0 : significand), .mode(3'd0), .result(narrow));

  always_comb begin
    result = narrow;
    if (infinite) result = {sign, 31'h7f80_0000};
    if (nan) result = smx_is::CANONICAL_NAN;
    case (op)
      smx_is::EX2: ;
      smx_is::LG2: begin
        if (x_infinite) result = 32'h7f80_0000;
        if (x_sign || x_nan) result = smx_is::CANONICAL_NAN;
        if (x_zero) result = 32'hff80_0000;
      end
      default: begin
        result[31] = result[31] ^ quadrant[1];
        if (x_infinite || x_nan) result = smx_is::CANONICAL_NAN;
      end
    endcase
    if (x_nan) result = smx_is::CANONICAL_NAN;
  end
endmodule
