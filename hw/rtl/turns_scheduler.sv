// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The warp scheduler with policy lrr, for scripts/prove: without the other policies, a proof over
// time has few registers to follow.
module turns_scheduler (
    input  logic        clk,
    input  logic        rst_n,
    input  logic        enable,
    input  logic [1:0]  event_kind,
    input  logic [5:0]  event_warp,
    input  logic        issued,
    input  logic [5:0]  issued_warp,
    input  logic [63:0] issuable,
    input  logic [63:0] memory,
    output logic        valid,
    output logic [5:0]  warp
);
  warp_scheduler scheduler (
      .clk(clk),
      .rst_n(rst_n),
      .enable(enable),
      .policy(2'd0),
      .event_kind(event_kind),
      .event_warp(event_warp),
      .issued(issued),
      .issued_warp(issued_warp),
      .issuable(issuable),
      .memory(memory),
      .valid(valid),
      .warp(warp)
  );
endmodule
