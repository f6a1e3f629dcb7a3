// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// One instruction in all lanes, but for the lane-serial ones: its result, its addresses, where its
// lanes go, and why it may not be executed.
module smx_execute #(
    parameter int LANES = 32,
    parameter int PRIVATE_BYTES = 8192
) (
    input  logic                enable,
    input  logic                no_code,   // the instruction does not exist
    input  logic [31:0]         word,
    input  logic [31:0]         pc,
    input  logic [LANES-1:0]    lanes,
    input  logic [LANES-1:0]    live,
    input  logic [3:0]          unit,      // decoded
    input  logic [4:0]          op,
    input  logic [31:0]         immediate,
    input  logic                has_immediate,
    input  logic                from_pc,
    input  logic [1:0]          size,
    input  logic                is_call,
    input  logic                is_return,
    input  logic                dynamic_mode,
    input  logic [LANES*3-1:0]  modes,
    input  logic [LANES*32-1:0] a,
    input  logic [LANES*32-1:0] b,
    input  logic [LANES*32-1:0] csr,
    input  logic [31:0]         shared_bytes,
    input  logic [31:0]         region,
    output logic [7:0]          fault,     // 0: none
    output logic [LANES*32-1:0] result,
    output logic [LANES*32-1:0] address,   // of an access, or a jump's target
    output logic [LANES*32-1:0] place,
    output logic [LANES-1:0]    in_shared,
    output logic [2:0]          go,
    output logic [31:0]         target,
    output logic [LANES-1:0]    taken
);
  logic [LANES*32-1:0] first, second, sum, exchanged;
  logic [LANES-1:0]    condition;
  always_comb begin
    first = from_pc ? {LANES{pc}} : a;
    second = has_immediate ? {LANES{immediate}} : b;
  end
  smx_integer #(.LANES(LANES)) integers (.enable(enable), .op(op), .kind(word[14:12]), .a(first),
      .b(b), .operand(second), .result(sum), .condition(condition));
  smx_exchange #(.LANES(LANES)) exchange (.enable(enable && unit == smx_is::EXCHANGE),
      .shuffle(word[31]), .funct(word[29:25]), .active(lanes), .a(a), .b(b),
      .result(exchanged));

  logic access, misaligned, outside;
  assign access = unit == smx_is::LOAD || unit == smx_is::STORE || unit == smx_is::ATOMIC;
  smx_place #(.LANES(LANES), .PRIVATE_BYTES(PRIVATE_BYTES)) places (
      .enable(enable && access), .active(lanes), .address(sum), .size(size),
      .shared_bytes(shared_bytes), .region(region), .place(place), .in_shared(in_shared),
      .misaligned(misaligned), .outside(outside));
  assign address = (access || unit == smx_is::INDIRECT) ? sum : '0;

  always_comb begin
    case (unit)
      smx_is::JUMP, smx_is::INDIRECT: result = {LANES{pc + 32'd4}};
      smx_is::CSR: result = csr;
      smx_is::EXCHANGE: result = exchanged;
      default: result = sum;
    endcase
  end

  // Where the lanes go.
  logic bad_target;
  always_comb begin
    taken = (unit == smx_is::BRANCH) ? condition & lanes : '0;
    go = smx_is::GO_STRAIGHT;
    target = pc + 32'd4;
    bad_target = 1'b0;
    case (unit)
      smx_is::BRANCH: begin
        if (taken != '0) target = pc + immediate;
        if (taken != '0 && taken != lanes) go = smx_is::GO_APART;
        bad_target = target[1];
      end
      smx_is::JUMP: begin
        target = pc + immediate;
        if (is_call) go = smx_is::GO_CALL;
        bad_target = target[1];
      end
      smx_is::INDIRECT: begin
        go = is_call ? smx_is::GO_CALL_INDIRECT : is_return ? smx_is::GO_BACK : smx_is::GO_INDIRECT;
        for (int lane = 0; lane < LANES; lane++)
          if (lanes[lane] && sum[lane*32+1]) bad_target = 1'b1;
      end
      smx_is::EXIT: go = smx_is::GO_END;
      default: ;
    endcase
  end

  logic bad_mode;
  always_comb begin
    bad_mode = 1'b0;
    for (int lane = 0; lane < LANES; lane++)
      if (lanes[lane] && modes[lane*3+:3] > 3'd4) bad_mode = dynamic_mode;
    fault = 8'd0;
    if (no_code || bad_target) fault = smx_is::FAULT_TARGET;
    else if (unit == smx_is::ILLEGAL || bad_mode) fault = smx_is::FAULT_ILLEGAL;
    else if (unit == smx_is::REFUSED) fault = smx_is::FAULT_REFUSED;
    else if (unit == smx_is::BARRIER && lanes != live) fault = smx_is::FAULT_BARRIER;
    else if (misaligned) fault = smx_is::FAULT_MISALIGNED;
    else if (outside) fault = smx_is::FAULT_ACCESS;
  end

  logic unused;
  assign unused = &{1'b0, word[30], word[24:15], word[11:0]};
endmodule
