// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A subordinate of AXI4 before a memory of 4 GiB: INCR bursts of any size up to the bus.
//
// It answers a write as soon as it has the write's last beat, and performs it later (early B). It
// answers bursts of different IDs in random order, those of one ID in their order. A read waits for
// the writes to its 4 KB that have been answered and not performed. `idle` is low while there is
// such a write.
//
// Addresses from 4 GiB on get DECERR, bursts that are not INCR get SLVERR; no byte is moved.
//
// The memory has a port for reads and one for writes, each of a beat a clock. What the ports ask at
// a rising edge of `clk` is done there; the bytes of a read are on mem_rdata behind it. A write and
// a read at one edge: the write comes first.
module axi_memory #(
    parameter DATA_WIDTH = 128
) (
    input logic clk,
    input logic rst_n,
    input logic [31:0] seed,  // read in reset
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
    output logic r_last,
    output logic idle,
    output logic mem_read,
    output logic [31:0] mem_raddr,
    input logic [DATA_WIDTH-1:0] mem_rdata,
    output logic mem_write,
    output logic [31:0] mem_waddr,
    output logic [DATA_WIDTH-1:0] mem_wdata,
    output logic [DATA_WIDTH/8-1:0] mem_wstrb
);
  localparam QUEUE = 8;  // bursts of each direction; read beats on their way
  localparam BEATS = 16;  // write beats that have not been performed
  localparam LANE_BITS = $clog2(DATA_WIDTH / 8);
  localparam [1:0] INCR = 2'd1;

  function automatic [1:0] resp_of(input logic [31:0] addr_high, input logic [1:0] burst);
    resp_of = addr_high != 32'd0 ? 2'd3 : burst != INCR ? 2'd2 : 2'd0;
  endfunction
  function automatic [31:0] next_beat(input logic [31:0] addr, input logic [2:0] size);
    next_beat = ((addr >> size) + 32'd1) << size;
  endfunction

  logic [7:0] unused;  // WLAST tells where a write ends
  assign unused = aw_len;

  // ---- random order ---------------------------------------------------------------------------
  logic [31:0] random;
  always_ff @(posedge clk) begin
    if (!rst_n) random <= seed == 32'd0 ? 32'd1 : seed;
    else random <= (random >> 1) ^ (random[0] ? 32'h80200003 : 32'd0);
  end

  // ---- writes: a ring of addresses, and one of beats ------------------------------------------
  // From `done` to `answered` they have been answered and not performed.
  logic [7:0] write_id[QUEUE];
  logic [31:0] write_addr[QUEUE];
  logic [2:0] write_size[QUEUE];
  logic [1:0] write_resp[QUEUE];
  logic [4:0] came, answered, done;  // how many; the lower bits are the place
  logic [DATA_WIDTH-1:0] beat_data[BEATS];
  logic [DATA_WIDTH/8-1:0] beat_strb[BEATS];
  logic beat_last[BEATS];
  logic [4:0] beats_came, beats_done;
  logic [4:0] bursts_whole;  // bursts whose last beat has come, without a response yet

  logic takes_aw, takes_w, performs, answers;
  logic [4:0] behind;
  assign aw_ready = came - answered != 5'd8 && came - done != 5'd8;
  assign w_ready = beats_came - beats_done != 5'd16 && bursts_whole != 5'd15;
  assign takes_aw = aw_valid && aw_ready;
  assign takes_w = w_valid && w_ready;
  assign performs = beats_came != beats_done && came != done && random[0];
  assign behind = answered - done;
  assign idle = (behind == 5'd0 || behind[4]) && !mem_write;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      came <= 5'd0;
      answered <= 5'd0;
      done <= 5'd0;
      beats_came <= 5'd0;
      beats_done <= 5'd0;
      bursts_whole <= 5'd0;
      mem_write <= 1'b0;
    end else begin
      if (takes_aw) begin
        write_id[came[2:0]] <= aw_id;
        write_addr[came[2:0]] <= aw_addr[31:0];
        write_size[came[2:0]] <= aw_size;
        write_resp[came[2:0]] <= resp_of(aw_addr[63:32], aw_burst);
        came <= came + 5'd1;
      end
      if (takes_w) begin
        beat_data[beats_came[3:0]] <= w_data;
        beat_strb[beats_came[3:0]] <= w_strb;
        beat_last[beats_came[3:0]] <= w_last;
        beats_came <= beats_came + 5'd1;
      end
      bursts_whole <= bursts_whole + (takes_w && w_last ? 5'd1 : 5'd0) - (answers ? 5'd1 : 5'd0);
      if (answers) answered <= answered + 5'd1;
      mem_write <= performs && write_resp[done[2:0]] == 2'd0;
      if (performs) begin
        write_addr[done[2:0]] <= next_beat(write_addr[done[2:0]], write_size[done[2:0]]);
        beats_done <= beats_done + 5'd1;
        if (beat_last[beats_done[3:0]]) done <= done + 5'd1;
      end
    end
    mem_waddr <= (write_addr[done[2:0]] >> LANE_BITS) << LANE_BITS;
    mem_wdata <= beat_data[beats_done[3:0]];
    mem_wstrb <= beat_strb[beats_done[3:0]];
  end

  // ---- responses to writes: the oldest is at place 0 ------------------------------------------
  logic [7:0] response_id[QUEUE+1];
  logic [1:0] response_code[QUEUE+1];
  logic [3:0] responses, response_end;
  logic response_found, sends_b;
  logic [3:0] response_pick, response_at;
  logic response_older;
  assign answers = bursts_whole != 5'd0 && came != answered && responses != 4'd8;
  assign sends_b = response_found && random[1] && (!b_valid || b_ready);
  assign response_end = responses - (sends_b ? 4'd1 : 4'd0);
  always_comb begin
    response_found = 1'b0;
    response_pick  = 4'd0;
    // the last one of the loop counts: places from a random one on, and round
    for (int k = QUEUE - 1; k >= 0; k--) begin
      response_at = {1'b0, 3'(k) + random[10:8]};
      response_older = 1'b0;
      for (int j = 0; j < QUEUE; j++)
        if (4'(j) < response_at && response_id[j] == response_id[response_at])
          response_older = 1'b1;
      if (response_at < responses && !response_older) begin
        response_found = 1'b1;
        response_pick  = response_at;
      end
    end
  end
  always_ff @(posedge clk) begin
    if (!rst_n) begin
      responses <= 4'd0;
      b_valid   <= 1'b0;
    end else begin
      if (b_ready) b_valid <= 1'b0;
      if (sends_b) begin
        b_valid <= 1'b1;
        b_id <= response_id[response_pick];
        b_resp <= response_code[response_pick];
        for (int i = 0; i < QUEUE; i++)
          if (4'(i) >= response_pick) begin
            response_id[i]   <= response_id[i+1];
            response_code[i] <= response_code[i+1];
          end
      end
      if (answers) begin
        response_id[response_end]   <= write_id[answered[2:0]];
        response_code[response_end] <= write_resp[answered[2:0]];
      end
      responses <= response_end + (answers ? 4'd1 : 4'd0);
    end
  end

  // ---- reads: the oldest is at place 0 --------------------------------------------------------
  logic [7:0] read_id[QUEUE+1];
  logic [31:0] read_addr[QUEUE+1];
  logic [7:0] read_len[QUEUE+1];
  logic [2:0] read_size[QUEUE+1];
  logic [1:0] read_resp[QUEUE+1];
  logic [3:0] reads, read_end;
  logic read_found, read_waits, starts, takes_ar;
  logic [3:0] read_pick, read_at;
  // the burst whose beats are being read
  logic active;
  logic [7:0] active_id, active_left;
  logic [31:0] active_addr;
  logic [2:0] active_size;
  logic [1:0] active_resp;
  logic reads_beat;
  assign ar_ready = reads != 4'd8;
  assign takes_ar = ar_valid && ar_ready;
  assign starts   = read_found && (!active || (reads_beat && active_left == 8'd0));
  assign read_end = reads - (starts ? 4'd1 : 4'd0);
  always_comb begin
    read_found = 1'b0;
    read_pick  = 4'd0;
    for (int k = QUEUE - 1; k >= 0; k--) begin
      read_at = {1'b0, 3'(k) + random[13:11]};
      read_waits = 1'b0;
      for (int j = 0; j < QUEUE; j++) begin
        if (4'(j) < read_at && read_id[j] == read_id[read_at]) read_waits = 1'b1;
        if (!behind[4] && 5'(j) < behind &&
            write_addr[done[2:0]+3'(j)][31:12] == read_addr[read_at][31:12])
          read_waits = 1'b1;
      end
      if (read_at < reads && !read_waits) begin
        read_found = 1'b1;
        read_pick  = read_at;
      end
    end
  end
  always_ff @(posedge clk) begin
    if (!rst_n) begin
      reads  <= 4'd0;
      active <= 1'b0;
    end else begin
      if (reads_beat) begin
        active <= active_left != 8'd0;
        active_left <= active_left - 8'd1;
        active_addr <= next_beat(active_addr, active_size);
      end
      if (starts) begin
        active <= 1'b1;
        active_id <= read_id[read_pick];
        active_addr <= read_addr[read_pick];
        active_left <= read_len[read_pick];
        active_size <= read_size[read_pick];
        active_resp <= read_resp[read_pick];
        for (int i = 0; i < QUEUE; i++)
          if (4'(i) >= read_pick) begin
            read_id[i]   <= read_id[i+1];
            read_addr[i] <= read_addr[i+1];
            read_len[i]  <= read_len[i+1];
            read_size[i] <= read_size[i+1];
            read_resp[i] <= read_resp[i+1];
          end
      end
      if (takes_ar) begin
        read_id[read_end]   <= ar_id;
        read_addr[read_end] <= ar_addr[31:0];
        read_len[read_end]  <= ar_len;
        read_size[read_end] <= ar_size;
        read_resp[read_end] <= resp_of(ar_addr[63:32], ar_burst);
      end
      reads <= read_end + (takes_ar ? 4'd1 : 4'd0);
    end
  end

  // ---- beats of reads: asked, on their way, in a ring before R --------------------------------
  logic [3:0] beats_open;  // asked and not taken by the manager
  logic ask_valid, ask_last, way_valid, way_last;
  logic [7:0] ask_id, way_id;
  logic [1:0] ask_resp, way_resp;
  logic [DATA_WIDTH-1:0] out_data[QUEUE];
  logic [7:0] out_id[QUEUE];
  logic [1:0] out_resp[QUEUE];
  logic out_last[QUEUE];
  logic [3:0] out_came, out_taken;
  logic takes_r;
  assign reads_beat = active && beats_open != 4'd8;
  assign r_valid = out_came != out_taken;
  assign takes_r = r_valid && r_ready;
  assign r_id = out_id[out_taken[2:0]];
  assign r_data = out_data[out_taken[2:0]];
  assign r_resp = out_resp[out_taken[2:0]];
  assign r_last = out_last[out_taken[2:0]];
  assign mem_read = ask_valid && ask_resp == 2'd0;
  always_ff @(posedge clk) begin
    if (!rst_n) begin
      beats_open <= 4'd0;
      ask_valid  <= 1'b0;
      way_valid  <= 1'b0;
      out_came   <= 4'd0;
      out_taken  <= 4'd0;
    end else begin
      beats_open <= beats_open + (reads_beat ? 4'd1 : 4'd0) - (takes_r ? 4'd1 : 4'd0);
      ask_valid  <= reads_beat;
      way_valid  <= ask_valid;
      if (way_valid) begin
        out_id[out_came[2:0]] <= way_id;
        out_data[out_came[2:0]] <= mem_rdata;
        out_resp[out_came[2:0]] <= way_resp;
        out_last[out_came[2:0]] <= way_last;
        out_came <= out_came + 4'd1;
      end
      if (takes_r) out_taken <= out_taken + 4'd1;
    end
    mem_raddr <= (active_addr >> LANE_BITS) << LANE_BITS;
    ask_id <= active_id;
    ask_resp <= active_resp;
    ask_last <= active_left == 8'd0;
    way_id <= ask_id;
    way_resp <= ask_resp;
    way_last <= ask_last;
  end
endmodule
