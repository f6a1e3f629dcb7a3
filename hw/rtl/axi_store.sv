// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// axi_memory with the bytes behind it: a memory of BYTES on the pins of AXI4.
module axi_store #(
    parameter DATA_WIDTH = 128,
    parameter BYTES = 65536
) (
    input logic clk,
    input logic rst_n,
    input logic aw_valid,
    output logic aw_ready,
    input logic [7:0] aw_id,
    input logic [63:0] aw_addr,
    input logic [7:0] aw_len,
    input logic [2:0] aw_size,
    input logic [1:0] aw_burst,
    input logic w_valid,
    output logic w_ready,
    input logic [DATA_WIDTH-1:0] w_data,
    input logic [DATA_WIDTH/8-1:0] w_strb,
    input logic w_last,
    output logic b_valid,
    input logic b_ready,
    output logic [7:0] b_id,
    output logic [1:0] b_resp,
    input logic ar_valid,
    output logic ar_ready,
    input logic [7:0] ar_id,
    input logic [63:0] ar_addr,
    input logic [7:0] ar_len,
    input logic [2:0] ar_size,
    input logic [1:0] ar_burst,
    output logic r_valid,
    input logic r_ready,
    output logic [7:0] r_id,
    output logic [DATA_WIDTH-1:0] r_data,
    output logic [1:0] r_resp,
    output logic r_last
);
  localparam LANES = DATA_WIDTH / 8;
  localparam ROWS = BYTES / LANES;
  localparam LANE_BITS = $clog2(LANES);
  localparam ROW_BITS = $clog2(ROWS);

  logic [DATA_WIDTH-1:0] bytes[ROWS];
  logic mem_read, mem_write;
  logic [DATA_WIDTH-1:0] mem_rdata, mem_wdata, written;
  logic [LANES-1:0] mem_wstrb;
  logic [ROW_BITS-1:0] read_row, write_row;
  /* verilator lint_off UNUSEDSIGNAL */
  logic idle;
  logic [31:0] mem_raddr, mem_waddr;
  /* verilator lint_on UNUSEDSIGNAL */

  axi_memory #(
      .DATA_WIDTH(DATA_WIDTH)
  ) port (
      .seed(32'd1),
      .*
  );

  assign read_row = mem_raddr[LANE_BITS+:ROW_BITS];
  assign write_row = mem_waddr[LANE_BITS+:ROW_BITS];
  always_comb begin
    written = bytes[write_row];
    for (int i = 0; i < LANES; i++) if (mem_wstrb[i]) written[8*i+:8] = mem_wdata[8*i+:8];
  end
  // A write and a read at one edge: the write comes first.
  always_ff @(posedge clk) begin
    if (mem_write) bytes[write_row] <= written;
    if (mem_read)
      mem_rdata <= mem_write && read_row == write_row ? written : bytes[read_row];
  end
endmodule
