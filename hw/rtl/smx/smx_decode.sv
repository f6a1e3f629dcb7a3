// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Decodes an instruction word: docs/isa.md has the encodings.
module smx_decode (
    input  logic [31:0] word,
    output logic [3:0]  unit,         // smx_is
    output logic [4:0]  op,           // of INTEGER or LONG
    output logic [31:0] immediate,
    output logic        has_immediate,  // in the place of rs2; it is added to rs1 for an address
    output logic        from_pc,        // the PC in the place of rs1
    output logic [4:0]  rd,             // 0: none
    output logic [4:0]  rs1,            // 0 if it is not read, as the next two
    output logic [4:0]  rs2,
    output logic [4:0]  rs3,
    output logic        minus_product,
    output logic        minus_addend,
    output logic        is_unsigned,
    output logic        dynamic_mode,   // the rounding mode comes from frm
    output logic [1:0]  size,           // of an access: log2 of its bytes
    output logic        sign_extends,
    output logic [5:0]  atomic,
    output logic        is_call,
    output logic        is_return
);
  logic [4:0] major;
  logic [2:0] f3;
  logic [6:0] f7;
  logic [4:0] field_rd, field_rs1, field_rs2;
  assign major = word[6:2];
  assign f3 = word[14:12];
  assign f7 = word[31:25];
  assign field_rd = word[11:7];
  assign field_rs1 = word[19:15];
  assign field_rs2 = word[24:20];

  logic [31:0] imm_i, imm_s, imm_b, imm_u, imm_j;
  assign imm_i = {{20{word[31]}}, word[31:20]};
  assign imm_s = {{20{word[31]}}, word[31:25], word[11:7]};
  assign imm_b = {{20{word[31]}}, word[7], word[30:25], word[11:8], 1'b0};
  assign imm_u = {word[31:12], 12'd0};
  assign imm_j = {{12{word[31]}}, word[19:12], word[20], word[30:21], 1'b0};

  logic has_rd, has_rs1, has_rs2, has_rs3, rounds, csr_known, csr_writable;

  // Control and status registers.
  always_comb begin
    csr_writable = word[31:20] == 12'h001 || word[31:20] == 12'h002 || word[31:20] == 12'h003;
    case (word[31:20])
      12'h001, 12'h002, 12'h003, 12'hc00, 12'hc01, 12'hc02, 12'hc80, 12'hc81, 12'hc82, 12'hcc0,
      12'hcc1, 12'hcc2, 12'hcc4, 12'hcc5, 12'hcc6, 12'hcc8, 12'hcc9, 12'hcca, 12'hccc, 12'hccd,
      12'hcce, 12'hcd0, 12'hcd1, 12'hcd2, 12'hcd3, 12'hcd4, 12'hcd5, 12'hcd6, 12'hcd7, 12'hcd8,
      12'hcd9, 12'hcdc, 12'hcdd, 12'hcde, 12'hcdf: csr_known = 1'b1;
      default: csr_known = 1'b0;
    endcase
  end

  always_comb begin
    unit = smx_is::ILLEGAL;
    op = smx_is::ADD;
    immediate = imm_i;
    has_immediate = 1'b0;
    from_pc = 1'b0;
    {has_rd, has_rs1, has_rs2, has_rs3, rounds} = 5'd0;
    minus_product = 1'b0;
    minus_addend = 1'b0;
    is_unsigned = 1'b0;
    size = f3[1:0];
    sign_extends = 1'b0;
    atomic = {1'b0, word[31:27]};
    is_call = 1'b0;
    is_return = 1'b0;

    if (word[1:0] == 2'b11)
      case (major)
        5'b01101, 5'b00101: begin  // lui, auipc
          unit = smx_is::INTEGER;
          op = major[3] ? smx_is::SECOND : smx_is::ADD;
          from_pc = 1'b1;
          immediate = imm_u;
          has_immediate = 1'b1;
          has_rd = 1'b1;
        end
        5'b11011: begin
          unit = smx_is::JUMP;
          immediate = imm_j;
          has_rd = 1'b1;
          is_call = field_rd == 5'd1 || field_rd == 5'd5;
        end
        5'b11001:
          if (f3 == 3'd0) begin
            unit = smx_is::INDIRECT;
            has_immediate = 1'b1;
            {has_rd, has_rs1} = 2'b11;
            is_call = field_rd == 5'd1 || field_rd == 5'd5;
            is_return = field_rd == 5'd0 && (field_rs1 == 5'd1 || field_rs1 == 5'd5);
          end
        5'b11000:
          if (f3[2:1] != 2'b01) begin
            unit = smx_is::BRANCH;
            immediate = imm_b;
            {has_rs1, has_rs2} = 2'b11;
          end
        5'b00000:
          if (f3 != 3'd3 && f3 < 3'd6) begin
            unit = smx_is::LOAD;
            has_immediate = 1'b1;
            sign_extends = !f3[2];
            {has_rd, has_rs1} = 2'b11;
          end
        5'b01000:
          if (f3 < 3'd3) begin
            unit = smx_is::STORE;
            has_immediate = 1'b1;
            immediate = imm_s;
            {has_rs1, has_rs2} = 2'b11;
          end
        5'b00100: begin
          op = {2'b00, f3};
          has_immediate = 1'b1;
          {has_rd, has_rs1} = 2'b11;
          if (f3[1:0] != 2'b01 || f7 == 7'h00) unit = smx_is::INTEGER;
          if (f3 == 3'd5 && f7 == 7'h20) begin
            unit = smx_is::INTEGER;
            op = smx_is::SRA;
          end
        end
        5'b01100: begin
          {has_rd, has_rs1, has_rs2} = 3'b111;
          op = {2'b00, f3};
          case (f7)
            7'h00: unit = smx_is::INTEGER;
            7'h20: begin
              if (f3 == 3'd0 || f3 == 3'd5) unit = smx_is::INTEGER;
              op = (f3 == 3'd0) ? smx_is::SUB : smx_is::SRA;
            end
            7'h01: begin
              unit = f3[2] ? smx_is::LONG : smx_is::INTEGER;
              op = f3[2] ? smx_is::DIV + {3'd0, f3[1:0]} : smx_is::MUL + {3'd0, f3[1:0]};
            end
            7'h07: begin
              if (f3 == 3'd5 || f3 == 3'd7) unit = smx_is::INTEGER;
              op = f3[1] ? smx_is::ZERO_IF_NOT : smx_is::ZERO_IF_ZERO;
            end
            default: ;
          endcase
        end
        5'b00011: if (f3 < 3'd2) unit = smx_is::FENCE;
        5'b11100:
          if (f3[1:0] != 2'd0) begin
            {has_rd, has_rs1} = {1'b1, !f3[2]};
            immediate = {20'd0, word[31:20]};
            if (csr_known && (csr_writable || (f3[1] && field_rs1 == 5'd0))) unit = smx_is::CSR;
          end else if (word == 32'h0000_0073 || word == 32'h0010_0073) begin
            unit = smx_is::REFUSED;
          end
        5'b01011:
          if (f3 == 3'd2) begin
            {has_rd, has_rs1, has_rs2} = 3'b111;
            case (atomic)
              smx_is::LR: begin
                if (field_rs2 == 5'd0) unit = smx_is::ATOMIC;
                has_rs2 = 1'b0;
              end
              smx_is::AMOCAS: begin
                unit = smx_is::ATOMIC;
                has_rs3 = 1'b1;
              end
              smx_is::AMOADD, smx_is::AMOSWAP, smx_is::SC, smx_is::AMOXOR, smx_is::AMOOR, smx_is::AMOAND, smx_is::AMOMIN, smx_is::AMOMAX, smx_is::AMOMINU, smx_is::AMOMAXU:
                unit = smx_is::ATOMIC;
              default: ;
            endcase
          end
        5'b10000, 5'b10001, 5'b10010, 5'b10011: begin
          {has_rd, has_rs1, has_rs2, has_rs3, rounds} = 5'b11111;
          op = smx_is::FMADD;
          minus_product = major[1];
          minus_addend = major[0];
          if (word[26:25] == 2'd0) unit = smx_is::LONG;
        end
        5'b10100: begin
          {has_rd, has_rs1, has_rs2} = 3'b111;
          case (f7)
            7'h00, 7'h04, 7'h08, 7'h0c: begin
              unit = smx_is::LONG;
              rounds = 1'b1;
              op = (f7[3:2] == 2'd3) ? smx_is::FDIV : (f7[3:2] == 2'd2) ? smx_is::FMUL : smx_is::FADD;
              minus_addend = f7 == 7'h04;
            end
            7'h2c, 7'h60, 7'h68: begin
              rounds = 1'b1;
              has_rs2 = 1'b0;
              op = (f7 == 7'h2c) ? smx_is::FSQRT : f7[3] ? smx_is::FROM_INTEGER : smx_is::TO_INTEGER;
              is_unsigned = field_rs2[0];
              if (field_rs2 == 5'd0 || (field_rs2 == 5'd1 && f7 != 7'h2c)) unit = smx_is::LONG;
            end
            7'h10: begin
              op = smx_is::SIGN;
              if (f3 < 3'd3) unit = smx_is::LONG;
            end
            7'h14: begin
              op = smx_is::MINMAX;
              if (f3 < 3'd2) unit = smx_is::LONG;
            end
            7'h50: begin
              op = smx_is::COMPARE;
              if (f3 < 3'd3) unit = smx_is::LONG;
            end
            7'h70: begin
              op = smx_is::CLASSIFY;
              has_rs2 = 1'b0;
              if (f3 == 3'd1 && field_rs2 == 5'd0) unit = smx_is::LONG;
            end
            default: ;
          endcase
        end
        5'b00010: begin  // custom-0
          case (f3)
            3'd0: begin
              if (word == 32'h0000_000b) unit = smx_is::BARRIER;
              if (word == 32'h0200_000b) unit = smx_is::JOIN;
              if (word == 32'h0400_000b) unit = smx_is::EXIT;
              if (f7[6:2] == 5'd2 && field_rs2 == 5'd0) begin
                unit = smx_is::EXCHANGE;
                {has_rd, has_rs1} = 2'b11;
              end
              if (f7[6] && !f7[5] && f7[2:0] != 3'd7) begin
                unit = smx_is::EXCHANGE;
                {has_rd, has_rs1, has_rs2} = 3'b111;
              end
            end
            3'd1: begin
              {has_rd, has_rs1} = 2'b11;
              op = smx_is::RCP + f7[4:0];
              if (f7 < 7'd6 && field_rs2 == 5'd0) unit = smx_is::LONG;
            end
            3'd2: begin
              {has_rd, has_rs1} = 2'b11;
              immediate = 32'd0;
              has_immediate = 1'b1;
              size = f7[1:0];
              sign_extends = !f7[2];
              if (field_rs2 == 5'd0 && f7[6:3] < 4'd3 && f7[2:0] != 3'd3 && f7[2:0] < 3'd6)
                unit = smx_is::LOAD;
              if (f7[6:5] != 2'd0) unit = smx_is::ILLEGAL;
            end
            3'd3: begin
              {has_rd, has_rs1, has_rs2} = 3'b111;
              atomic = {1'b1, word[31:27]};
              size = 2'd2;
              if (atomic == smx_is::AMOFADD || atomic == smx_is::AMOFMIN || atomic == smx_is::AMOFMAX) unit = smx_is::ATOMIC;
            end
            3'd4:
              if ((f7 == 7'd1) || (f7 < 7'd4 && field_rs2 == 5'd0) || word == 32'h0800_400b)
                unit = smx_is::REFUSED;
            3'd5: if (word == 32'h0000_500b || word == 32'h0200_500b) unit = smx_is::REFUSED;
            3'd6:
              if (field_rs2 == 5'd0
                  && (word == 32'h0000_600b || word == 32'h0600_600b
                      || ((f7 == 7'd1 || f7 == 7'd4) && field_rd == 5'd0)
                      || (f7 == 7'd2 && field_rs1 == 5'd0)))
                unit = smx_is::REFUSED;
            default: ;
          endcase
        end
        default: ;
      endcase
    if (unit == smx_is::ATOMIC) begin
      immediate = 32'd0;
      has_immediate = 1'b1;
    end
    if (rounds && (f3 == 3'd5 || f3 == 3'd6)) unit = smx_is::ILLEGAL;
  end

  assign rd = has_rd ? field_rd : 5'd0;
  assign rs1 = has_rs1 ? field_rs1 : 5'd0;
  assign rs2 = has_rs2 ? field_rs2 : 5'd0;
  assign rs3 = !has_rs3 ? 5'd0 : (unit == smx_is::ATOMIC) ? field_rd : word[31:27];
  assign dynamic_mode = rounds && f3 == 3'd7;
endmodule
