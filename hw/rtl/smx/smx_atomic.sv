// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What an atomic leaves in memory, given the word that it finds there.
module smx_atomic (
    input  logic [5:0]  op,  // smx_is
    input  logic [31:0] old,
    input  logic [31:0] operand,
    input  logic [31:0] compare,
    output logic [31:0] next
);
  logic [31:0] sum, minmax, unused_sign, unused_compare, unused_class;
  fp_multiply_add add (.x(old), .y(32'h3f80_0000), .z(operand), .mode(3'd0), .result(sum));
  fp_simple simple (.x(old), .y(operand), .kind({2'd0, op == smx_is::AMOFMAX}), .sign(unused_sign),
      .minmax(minmax), .compare(unused_compare), .class_of(unused_class));

  logic less, less_unsigned;
  assign less = $signed(old) < $signed(operand);
  assign less_unsigned = old < operand;

  always_comb begin
    case (op)
      smx_is::AMOADD: next = old + operand;
      smx_is::AMOXOR: next = old ^ operand;
      smx_is::AMOAND: next = old & operand;
      smx_is::AMOOR: next = old | operand;
      smx_is::AMOMIN: next = less ? old : operand;
      smx_is::AMOMAX: next = less ? operand : old;
      smx_is::AMOMINU: next = less_unsigned ? old : operand;
      smx_is::AMOMAXU: next = less_unsigned ? operand : old;
      smx_is::AMOCAS: next = (old == compare) ? operand : old;
      smx_is::AMOFADD: next = sum;
      smx_is::AMOFMIN, smx_is::AMOFMAX: next = minmax;
      smx_is::LR: next = old;
      default: next = operand;  // amoswap, sc
    endcase
  end

  logic unused;
  assign unused = &{1'b0, unused_sign, unused_compare, unused_class};
endmodule
