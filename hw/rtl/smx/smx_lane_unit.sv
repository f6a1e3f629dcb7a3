// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Floats and divisions of one lane: the operations of class LONG. Most take one clock.
module smx_lane_unit (
    input  logic        clk,
    input  logic        rst_n,
    input  logic        start,    // the inputs stay until `done`
    input  logic [4:0]  op,       // of class LONG in smx_is
    input  logic [2:0]  kind,     // funct3: of signs, minima, comparisons
    input  logic        minus_product,
    input  logic        minus_addend,
    input  logic        is_unsigned,
    input  logic [2:0]  mode,
    input  logic [31:0] a,
    input  logic [31:0] b,
    input  logic [31:0] c,
    output logic        done,     // with the result, at least one clock behind `start`
    output logic [31:0] result
);
  // ---- one clock ------------------------------------------------------------------------------

  logic [31:0] x, y, z, fused, to_integer, from_integer, sign, minmax, compare, class_of;
  always_comb begin
    x = a;
    y = b;
    z = c;
    if (op == smx_is::FADD) begin
      y = 32'h3f80_0000;
      z = b;
    end
    if (op == smx_is::FMUL) z = {a[31] ^ b[31], 31'd0};
    x[31] = x[31] ^ minus_product;
    z[31] = z[31] ^ minus_addend;
  end
  fp_multiply_add multiply_add (.x(x), .y(y), .z(z), .mode(mode), .result(fused));
  fp_convert convert (.value(a), .is_unsigned(is_unsigned), .mode(mode), .to_integer(to_integer),
      .from_integer(from_integer));
  fp_simple simple (.x(a), .y(b), .kind(kind), .sign(sign), .minmax(minmax), .compare(compare),
      .class_of(class_of));

  logic        signed_division;
  logic [31:0] numerator, divisor, quotient, remainder, divided;
  always_comb begin
    signed_division = !op[0];
    numerator = (signed_division && a[31]) ? -a : a;
    divisor = (signed_division && b[31]) ? -b : b;
    if (divisor == 32'd0) divisor = 32'd1;
    quotient = numerator / divisor;
    remainder = numerator % divisor;
    if (signed_division && a[31] != b[31]) quotient = -quotient;
    if (signed_division && a[31]) remainder = -remainder;
    if (b == 32'd0) begin
      quotient = 32'hffff_ffff;
      remainder = a;
    end
    divided = op[1] ? remainder : quotient;
  end

  // ---- several clocks -------------------------------------------------------------------------

  logic [1:0]  state;
  logic        rooted, root_done, special_done, by_root, by_special;
  logic [31:0] root_result, special_result, root_of_x;
  assign by_root = op == smx_is::FDIV || op == smx_is::FSQRT || op == smx_is::RCP || op == smx_is::RSQ;
  assign by_special = op >= smx_is::EX2;
  fp_divide_root divide_root (.clk(clk), .rst_n(rst_n), .start(state == 2'd1),
      .root(op == smx_is::FSQRT || (op == smx_is::RSQ && !rooted)),
      .x((op == smx_is::RCP) ? 32'h3f80_0000 : (op == smx_is::RSQ && rooted) ? 32'h3f80_0000 : a),
      .y((op == smx_is::RCP) ? a : (op == smx_is::RSQ) ? root_of_x : b),
      .mode((op == smx_is::RCP || op == smx_is::RSQ) ? 3'd0 : mode), .done(root_done), .result(root_result));
  smx_special special (.clk(clk), .rst_n(rst_n), .start(state == 2'd2), .op(op), .x(a),
      .done(special_done), .result(special_result));

  always_ff @(posedge clk) begin
    done <= 1'b0;
    if (!rst_n) begin
      state <= 2'd0;
    end else begin
      case (state)
        2'd0:
          if (start && !done) begin
            rooted <= 1'b0;
            if (by_root) state <= 2'd1;
            else if (by_special) state <= 2'd2;
            else done <= 1'b1;
          end
        2'd1:
          if (root_done) begin
            if (op == smx_is::RSQ && !rooted) begin
              rooted <= 1'b1;
              root_of_x <= root_result;
            end else begin
              state <= 2'd0;
              done <= 1'b1;
            end
          end
        default:
          if (special_done) begin
            state <= 2'd0;
            done <= 1'b1;
          end
      endcase
    end
  end

  always_comb begin
    case (op)
      smx_is::FMADD, smx_is::FADD, smx_is::FMUL: result = fused;
      smx_is::FDIV, smx_is::FSQRT, smx_is::RCP, smx_is::RSQ: result = root_result;
      smx_is::TO_INTEGER: result = to_integer;
      smx_is::FROM_INTEGER: result = from_integer;
      smx_is::SIGN: result = sign;
      smx_is::MINMAX: result = minmax;
      smx_is::COMPARE: result = compare;
      smx_is::CLASSIFY: result = class_of;
      smx_is::EX2, smx_is::LG2, smx_is::SIN, smx_is::COS: result = special_result;
      default: result = divided;
    endcase
  end
endmodule
