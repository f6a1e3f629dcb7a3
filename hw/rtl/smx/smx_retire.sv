// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The retire port: one record in a clock, of what has just been done (docs/rtl_smx.md).
module smx_retire #(
    parameter int LANES = 32
) (
    input  logic                step,      // an instruction
    input  logic                data,      // values of a load or an atomic
    input  logic                drained,
    input  logic                begins,    // a block
    input  logic                ends,
    input  logic                released,  // a block from its barrier
    input  logic [7:0]          warp_slot,
    input  logic [7:0]          block_slot,
    input  logic                apart,     // the step has values of its own
    input  logic [7:0]          step_fault,
    input  logic                data_fault,
    input  logic [63:0]         step_n,    // of the instruction that retires
    input  logic [63:0]         data_n,
    input  logic [LANES-1:0]    warps,     // that the block has got
    input  logic [LANES-1:0]    step_lanes,
    input  logic [LANES-1:0]    data_lanes,
    input  logic [4:0]          step_rd,
    input  logic [4:0]          data_rd,
    input  logic [LANES*32-1:0] step_value,
    input  logic [LANES*32-1:0] data_value,
    output logic                valid,
    output logic [3:0]          kind,
    output logic [7:0]          slot,
    output logic [63:0]         n,
    output logic [LANES-1:0]    lanes,
    output logic [4:0]          rd,
    output logic [LANES-1:0]    known,
    output logic [LANES*32-1:0] value,
    output logic [7:0]          fault
);
  always_comb begin
    valid = step || data || drained || begins || ends || released;
    slot = warp_slot;
    n = step_n;
    lanes = '0;
    rd = 5'd0;
    known = '0;
    value = '0;
    fault = 8'd0;
    kind = smx_is::STEP;
    if (step) begin
      lanes = step_lanes;
      rd = step_rd;
      if (apart) begin
        known = step_lanes;
        value = step_value;
      end
      fault = step_fault;
    end else if (data) begin
      kind = smx_is::DATA;
      n = data_n;
      rd = data_rd;
      known = data_lanes;
      value = data_value;
      fault = data_fault ? smx_is::FAULT_ACCESS : 8'd0;
    end else if (drained) begin
      kind = smx_is::DRAINED;
      n = step_n - 64'd1;  // the last one that has retired
    end else if (begins) begin
      kind = smx_is::BLOCK_BEGIN;
      slot = block_slot;
      lanes = warps;
    end else if (ends) begin
      kind = smx_is::BLOCK_END;
      slot = block_slot;
    end else if (released) begin
      kind = smx_is::BARRIER_RELEASE;
      slot = block_slot;
    end
  end
endmodule
