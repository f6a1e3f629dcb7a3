// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Instructions: each warp has a buffer of one line. A line has LINE instructions, and for each the PC
// where its branch reconverges.
module smx_fetch #(
    parameter int WARPS = 16,
    parameter int LINE = 8
) (
    input  logic                     clk,
    input  logic                     rst_n,
    input  logic [$clog2(WARPS)-1:0] warp,
    input  logic [31:0]              pc,
    input  logic [31:0]              launch,
    input  logic                     wanted,   // the warp wants to execute
    input  logic                     forget,   // the warp begins: its buffer is empty
    output logic                     hit,
    output logic                     error,    // there is no such code
    output logic [31:0]              word,
    output logic [31:0]              reconvergence,
    output logic                     fetch_valid,
    input  logic                     fetch_ready,
    output logic [31:0]              fetch_launch,
    output logic [31:0]              fetch_address,
    input  logic                     line_valid,
    output logic                     line_ready,
    input  logic                     line_error,
    input  logic [LINE*32-1:0]       line_words,
    input  logic [LINE*32-1:0]       line_reconvergence
);
  localparam int W = $clog2(WARPS);
  localparam int B = $clog2(LINE) + 2;  // bits of an address in a line

  logic [LINE*32-1:0] words[WARPS];
  logic [LINE*32-1:0] joins[WARPS];
  logic [31:B]        tags[WARPS];
  logic [WARPS-1:0]   filled, refused;

  logic         asks, waits;  // a line is asked for; it has been accepted
  logic [W-1:0] asker;
  logic [31:B]  asked;

  logic [LINE*32-1:0] own_words, own_joins;
  assign own_words = words[warp];
  assign own_joins = joins[warp];
  assign hit = filled[warp] && tags[warp] == pc[31:B];
  assign error = refused[warp];
  assign word = own_words[{pc[B-1:2], 5'd0}+:32];
  assign reconvergence = own_joins[{pc[B-1:2], 5'd0}+:32];

  assign fetch_valid = asks && !waits;
  assign fetch_address = {asked, {B{1'b0}}};
  assign line_ready = waits;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      asks <= 1'b0;
      waits <= 1'b0;
      filled <= '0;
    end else begin
      if (forget) filled[warp] <= 1'b0;
      if (!asks) begin
        asks <= wanted && !hit;
      end else if (!waits) begin
        waits <= fetch_ready;
      end else if (line_valid) begin
        asks <= 1'b0;
        waits <= 1'b0;
        filled[asker] <= 1'b1;
      end
    end
  end
  always_ff @(posedge clk) begin
    if (!asks) begin
      asker <= warp;
      asked <= pc[31:B];
      fetch_launch <= launch;
    end
    if (waits && line_valid) begin
      words[asker] <= line_words;
      joins[asker] <= line_reconvergence;
      tags[asker] <= asked;
      refused[asker] <= line_error;
    end
  end

  logic unused;
  assign unused = &{1'b0, pc[1:0]};
endmodule
