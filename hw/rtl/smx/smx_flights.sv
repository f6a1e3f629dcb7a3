// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Requests to memory that are under way, and what comes back of them: the values of a load, those
// that atomics found. Also counts the parts of each warp's memory instruction, of which there is one
// at a time.
module smx_flights #(
    parameter int LANES = 32,
    parameter int WARPS = 16,
    parameter int FLIGHTS = 8
) (
    input  logic                       clk,
    input  logic                       rst_n,
    // A part of an instruction begins.
    input  logic                       begin_part,
    input  logic [$clog2(FLIGHTS)-1:0] begin_id,    // a free one
    input  logic [$clog2(WARPS)-1:0]   begin_warp,
    input  logic [1:0]                 begin_kind,  // READ, WRITE, MODIFY of smx_is
    input  logic [1:0]                 begin_size,
    input  logic                       begin_signed,
    input  logic [4:0]                 begin_rd,
    input  logic [63:0]                begin_n,
    input  logic [LANES-1:0]           begin_lanes,
    input  logic [LANES*7-1:0]         begin_offsets,  // of the lanes in the line
    output logic                       free,
    output logic [$clog2(FLIGHTS)-1:0] free_id,
    // A response; it is taken when `take` is high.
    input  logic                       response_valid,
    input  logic [$clog2(FLIGHTS)-1:0] response_id,
    input  logic [1023:0]              response_data,
    input  logic                       take,
    output logic [$clog2(WARPS)-1:0]   warp,
    output logic                       has_value,
    output logic [4:0]                 rd,
    output logic [63:0]                n,
    output logic [LANES-1:0]           lanes,
    output logic [LANES*32-1:0]        value,
    // Warps with parts under way.
    output logic [WARPS-1:0]           flying
);
  localparam int F = $clog2(FLIGHTS);
  localparam int W = $clog2(WARPS);

  logic [FLIGHTS-1:0] used;
  logic [W-1:0]       warps[FLIGHTS];
  logic [1:0]         kinds[FLIGHTS];
  logic [1:0]         sizes[FLIGHTS];
  logic [FLIGHTS-1:0] extend;
  logic [4:0]         rds[FLIGHTS];
  logic [63:0]        ns[FLIGHTS];
  logic [LANES-1:0]   masks[FLIGHTS];
  logic [LANES*7-1:0] offsets[FLIGHTS];

  always_comb begin
    free_id = '0;
    for (int f = FLIGHTS - 1; f >= 0; f--) if (!used[f]) free_id = F'(f);
    flying = '0;
    for (int f = 0; f < FLIGHTS; f++) if (used[f]) flying[warps[f]] = 1'b1;
  end
  assign free = used != '1;

  logic [1:0]         size, kind;
  logic [LANES*7-1:0] line_offsets;
  logic [1055:0]      line;
  logic [31:0]        word;
  assign warp = warps[response_id];
  assign kind = kinds[response_id];
  assign size = sizes[response_id];
  assign has_value = kind != smx_is::WRITE;
  assign rd = rds[response_id];
  assign n = ns[response_id];
  assign lanes = masks[response_id];
  assign line_offsets = offsets[response_id];
  always_comb begin
    line = {32'd0, response_data};
    value = '0;
    word = 32'd0;
    if (response_valid)
      for (int lane = 0; lane < LANES; lane++) begin
        if (kind == smx_is::MODIFY) begin
          word = response_data[lane*32+:32];
        end else begin
          word = line[{1'b0, line_offsets[lane*7+:7], 3'd0}+:32];
          if (size == 2'd0) word = {{24{extend[response_id] && word[7]}}, word[7:0]};
          if (size == 2'd1) word = {{16{extend[response_id] && word[15]}}, word[15:0]};
        end
        value[lane*32+:32] = word;
      end
  end

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      used <= '0;
    end else begin
      if (take) used[response_id] <= 1'b0;
      if (begin_part) used[begin_id] <= 1'b1;
    end
  end
  always_ff @(posedge clk)
    if (begin_part) begin
      warps[begin_id] <= begin_warp;
      kinds[begin_id] <= begin_kind;
      sizes[begin_id] <= begin_size;
      extend[begin_id] <= begin_signed;
      rds[begin_id] <= begin_rd;
      ns[begin_id] <= begin_n;
      masks[begin_id] <= begin_lanes;
      offsets[begin_id] <= begin_offsets;
    end
endmodule
