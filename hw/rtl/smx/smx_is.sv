// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Codes that the modules of the SMX share.
package smx_is;
  // What executes an instruction.
  localparam logic [3:0] ILLEGAL = 4'd0;
  localparam logic [3:0] INTEGER = 4'd1;
  localparam logic [3:0] LONG = 4'd2;      // one lane after another: floats, division
  localparam logic [3:0] LOAD = 4'd3;
  localparam logic [3:0] STORE = 4'd4;
  localparam logic [3:0] ATOMIC = 4'd5;
  localparam logic [3:0] BRANCH = 4'd6;
  localparam logic [3:0] JUMP = 4'd7;      // jal
  localparam logic [3:0] INDIRECT = 4'd8;  // jalr
  localparam logic [3:0] FENCE = 4'd9;
  localparam logic [3:0] CSR = 4'd10;
  localparam logic [3:0] BARRIER = 4'd11;
  localparam logic [3:0] JOIN = 4'd12;
  localparam logic [3:0] EXIT = 4'd13;
  localparam logic [3:0] EXCHANGE = 4'd14;  // votes and shuffles
  localparam logic [3:0] REFUSED = 4'd15;   // legal, but not on this SMX

  // Operations of INTEGER; 0 to 7 as funct3.
  localparam logic [4:0] ADD = 5'd0;
  localparam logic [4:0] SLL = 5'd1;
  localparam logic [4:0] SLT = 5'd2;
  localparam logic [4:0] SLTU = 5'd3;
  localparam logic [4:0] XOR = 5'd4;
  localparam logic [4:0] SRL = 5'd5;
  localparam logic [4:0] OR = 5'd6;
  localparam logic [4:0] AND = 5'd7;
  localparam logic [4:0] SUB = 5'd8;
  localparam logic [4:0] SRA = 5'd9;
  localparam logic [4:0] ZERO_IF_ZERO = 5'd10;
  localparam logic [4:0] ZERO_IF_NOT = 5'd11;
  localparam logic [4:0] SECOND = 5'd12;  // lui
  localparam logic [4:0] MUL = 5'd16;     // and mulh, mulhsu, mulhu behind it

  // Operations of LONG.
  localparam logic [4:0] DIV = 5'd0;  // and divu, rem, remu behind it
  localparam logic [4:0] FMADD = 5'd4;
  localparam logic [4:0] FADD = 5'd5;
  localparam logic [4:0] FMUL = 5'd6;
  localparam logic [4:0] FDIV = 5'd7;
  localparam logic [4:0] FSQRT = 5'd8;
  localparam logic [4:0] TO_INTEGER = 5'd9;
  localparam logic [4:0] FROM_INTEGER = 5'd10;
  localparam logic [4:0] SIGN = 5'd11;
  localparam logic [4:0] MINMAX = 5'd12;
  localparam logic [4:0] COMPARE = 5'd13;
  localparam logic [4:0] CLASSIFY = 5'd14;
  localparam logic [4:0] RCP = 5'd16;
  localparam logic [4:0] RSQ = 5'd17;
  localparam logic [4:0] EX2 = 5'd18;
  localparam logic [4:0] LG2 = 5'd19;
  localparam logic [4:0] SIN = 5'd20;
  localparam logic [4:0] COS = 5'd21;

  // Atomics: funct5 as in the A extension; lr and sc; floats have bit 5 set.
  localparam logic [5:0] AMOADD = 6'h00;
  localparam logic [5:0] AMOSWAP = 6'h01;
  localparam logic [5:0] LR = 6'h02;
  localparam logic [5:0] SC = 6'h03;
  localparam logic [5:0] AMOXOR = 6'h04;
  localparam logic [5:0] AMOCAS = 6'h05;
  localparam logic [5:0] AMOOR = 6'h08;
  localparam logic [5:0] AMOAND = 6'h0c;
  localparam logic [5:0] AMOMIN = 6'h10;
  localparam logic [5:0] AMOMAX = 6'h14;
  localparam logic [5:0] AMOMINU = 6'h18;
  localparam logic [5:0] AMOMAXU = 6'h1c;
  localparam logic [5:0] AMOFADD = 6'h20;
  localparam logic [5:0] AMOFMIN = 6'h30;
  localparam logic [5:0] AMOFMAX = 6'h34;

  // Why an instruction did not retire.
  localparam logic [7:0] FAULT_ILLEGAL = 8'd1;
  localparam logic [7:0] FAULT_MISALIGNED = 8'd2;
  localparam logic [7:0] FAULT_ACCESS = 8'd3;
  localparam logic [7:0] FAULT_TARGET = 8'd4;
  localparam logic [7:0] FAULT_BARRIER = 8'd5;
  localparam logic [7:0] FAULT_STACK = 8'd6;
  localparam logic [7:0] FAULT_REFUSED = 8'd7;

  // Kinds of retire records.
  localparam logic [3:0] STEP = 4'd0;
  localparam logic [3:0] DATA = 4'd1;
  localparam logic [3:0] DRAINED = 4'd2;
  localparam logic [3:0] BLOCK_BEGIN = 4'd4;
  localparam logic [3:0] BLOCK_END = 4'd5;
  localparam logic [3:0] BARRIER_RELEASE = 4'd9;

  // Requests to memory.
  localparam logic [1:0] READ = 2'd0;
  localparam logic [1:0] WRITE = 2'd1;
  localparam logic [1:0] MODIFY = 2'd2;

  // Where a warp goes after an instruction.
  localparam logic [2:0] GO_STRAIGHT = 3'd0;  // all lanes to the target
  localparam logic [2:0] GO_APART = 3'd1;     // the taken lanes to the target, the others on
  localparam logic [2:0] GO_CALL = 3'd2;
  localparam logic [2:0] GO_INDIRECT = 3'd3;
  localparam logic [2:0] GO_CALL_INDIRECT = 3'd4;
  localparam logic [2:0] GO_BACK = 3'd5;
  localparam logic [2:0] GO_END = 3'd6;
  localparam logic [2:0] GO_START = 3'd7;

  localparam logic [31:0] CANONICAL_NAN = 32'h7fc0_0000;
endpackage
