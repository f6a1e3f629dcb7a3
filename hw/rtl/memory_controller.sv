// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Controller of a DRAM channel, for slot.memory_controller = rtl; docs/pins.md has the ports. Up to
// 16 requests of a line of 128 bytes; requests to one line are performed in their order. First
// ready, first come first served (Rixner et al., ISCA 2000): the oldest request to an open row goes
// first, else the oldest one whose bank is free; with fr_fcfs low, requests go in their order.
// The service of a request takes a bank for cl (a write: wl) + burst clocks, rcd more if no row of
// the bank is open, rp + rcd more if another row is open. Data of the channel are behind the
// memory_ port, which is asked when the service is over.
module memory_controller (
    input  logic          clk,
    input  logic          rst_n,
    // constant
    input  logic          fr_fcfs,
    input  logic [4:0]    queue_entries,  // 1 to 16
    input  logic [15:0]   pass_limit,     // requests that may pass the oldest one
    input  logic [7:0]    cl,
    input  logic [7:0]    wl,
    input  logic [7:0]    rcd,
    input  logic [7:0]    rp,
    input  logic [7:0]    burst,
    // from L2
    input  logic          request_valid,
    output logic          request_ready,
    input  logic [5:0]    request_id,
    input  logic          request_write,
    input  logic [31:0]   request_address,
    input  logic [127:0]  request_mask,
    input  logic [1023:0] request_data,
    output logic          response_valid,
    input  logic          response_ready,
    output logic [5:0]    response_id,
    output logic          response_error,
    output logic [1023:0] response_data,
    // to DRAM
    output logic          memory_request_valid,
    input  logic          memory_request_ready,
    output logic [5:0]    memory_request_id,
    output logic          memory_request_write,
    output logic [31:0]   memory_request_address,
    output logic [127:0]  memory_request_mask,
    output logic [1023:0] memory_request_data,
    input  logic          memory_response_valid,
    output logic          memory_response_ready,
    input  logic [5:0]    memory_response_id,
    input  logic          memory_response_error,
    input  logic [1023:0] memory_response_data
);
  localparam int SLOTS = 16;
  localparam int BANKS = 8;

  // A slot holds a request from its arrival until its response is on the pins. It waits, is served,
  // is due for the memory port, asked there, answered.
  logic [15:0]   used;
  logic [15:0]   waits;
  logic [15:0]   served;
  logic [15:0]   due;
  logic [15:0]   answered;
  logic [15:0]   writes;
  logic [15:0]   errors;
  logic [5:0]    ids[SLOTS];
  logic [31:0]   addresses[SLOTS];
  logic [127:0]  masks[SLOTS];
  logic [1023:0] data[SLOTS];
  logic [15:0]   older[SLOTS];     // slots with older requests
  logic [15:0]   same_line[SLOTS]; // those of them to the same line
  logic [9:0]    left[SLOTS];      // clocks of service

  logic [7:0]    open;             // a bit for each bank
  logic [7:0]    busy;
  logic [15:0]   rows[BANKS];
  logic [9:0]    bank_left[BANKS];
  logic [7:0]    bus_left;         // clocks until the next service may begin
  logic [15:0]   passed;           // requests that have passed the oldest one

  // ---- arrival
  logic [15:0] places;
  logic [3:0]  place;
  assign places = ~used & ((16'd1 << queue_entries) - 16'd1);
  assign request_ready = places != 16'd0;
  always_comb begin
    place = 4'd0;
    for (int i = SLOTS - 1; i >= 0; i--) if (places[i]) place = 4'(i);
  end
  logic        accepts;
  logic [15:0] mates;  // requests to the line of the one that arrives
  always_comb begin
    for (int i = 0; i < SLOTS; i++) begin
      mates[i] = used[i] && addresses[i][31:7] == request_address[31:7];
    end
  end
  assign accepts = request_valid && request_ready;

  // ---- choice of the next service
  logic [15:0] oldest_waiting;  // one bit
  logic [15:0] candidates;
  logic [15:0] hits;
  logic [15:0] choice;
  logic        too_old;
  logic        begins;
  logic [3:0]  chosen;
  logic [2:0]  bank;
  logic [15:0] row;
  logic [9:0]  service;
  assign too_old = !fr_fcfs || passed >= pass_limit;
  always_comb begin
    oldest_waiting = 16'd0;
    candidates = 16'd0;
    hits = 16'd0;
    for (int i = 0; i < SLOTS; i++) begin
      oldest_waiting[i] = waits[i] && (older[i] & waits) == 16'd0;
      candidates[i] = waits[i] && same_line[i] == 16'd0 && !busy[addresses[i][15:13]] &&
                      (!too_old || oldest_waiting[i]);
      hits[i] = candidates[i] && open[addresses[i][15:13]] &&
                rows[addresses[i][15:13]] == addresses[i][31:16];
    end
  end
  assign choice = hits != 16'd0 ? hits : candidates;
  always_comb begin
    chosen = 4'd0;
    for (int i = 0; i < SLOTS; i++) begin
      if (choice[i] && (older[i] & choice) == 16'd0) chosen = 4'(i);
    end
  end
  assign begins = candidates != 16'd0 && bus_left == 8'd0;
  assign bank = addresses[chosen][15:13];
  assign row = addresses[chosen][31:16];
  assign service = (writes[chosen] ? 10'(wl) : 10'(cl)) + 10'(burst) +
                   (!open[bank] ? 10'(rcd) : rows[bank] != row ? 10'(rp) + 10'(rcd) : 10'd0);

  // ---- memory port and responses: the oldest first
  logic       sends;
  logic       responds;
  logic [3:0] sent;
  logic [3:0] response;
  always_comb begin
    sent = 4'd0;
    response = 4'd0;
    for (int i = 0; i < SLOTS; i++) begin
      if (due[i] && (older[i] & due) == 16'd0) sent = 4'(i);
      if (answered[i] && (older[i] & answered) == 16'd0) response = 4'(i);
    end
  end
  assign sends = due != 16'd0 && (!memory_request_valid || memory_request_ready);
  assign responds = answered != 16'd0 && (!response_valid || response_ready);
  assign memory_response_ready = 1'b1;

  logic [15:0] freed;
  assign freed = responds ? 16'd1 << response : 16'd0;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      used <= 16'd0;
      waits <= 16'd0;
      served <= 16'd0;
      due <= 16'd0;
      answered <= 16'd0;
      open <= 8'd0;
      busy <= 8'd0;
      bus_left <= 8'd0;
      passed <= 16'd0;
      memory_request_valid <= 1'b0;
      response_valid <= 1'b0;
    end else begin
      // services go on
      if (bus_left != 8'd0) bus_left <= bus_left - 8'd1;
      for (int b = 0; b < BANKS; b++) begin
        bank_left[b] <= bank_left[b] - 10'd1;
        if (bank_left[b] == 10'd1) busy[b] <= 1'b0;
      end
      for (int i = 0; i < SLOTS; i++) begin
        left[i] <= left[i] - 10'd1;
        if (served[i] && left[i] == 10'd1) begin
          served[i] <= 1'b0;
          due[i] <= 1'b1;
        end
        older[i] <= older[i] & ~freed;
        same_line[i] <= same_line[i] & ~freed;
      end
      // the next one begins
      if (begins) begin
        waits[chosen] <= 1'b0;
        served[chosen] <= 1'b1;
        left[chosen] <= service;
        bank_left[bank] <= service;
        busy[bank] <= 1'b1;
        open[bank] <= 1'b1;
        rows[bank] <= row;
        bus_left <= burst - 8'd1;
        passed <= oldest_waiting[chosen] ? 16'd0 : passed + 16'd1;
      end
      // to DRAM
      if (memory_request_ready) memory_request_valid <= 1'b0;
      if (sends) begin
        due[sent] <= 1'b0;
        memory_request_valid <= 1'b1;
        memory_request_id <= {2'd0, sent};
        memory_request_write <= writes[sent];
        memory_request_address <= addresses[sent];
        memory_request_mask <= masks[sent];
        memory_request_data <= data[sent];
      end
      if (memory_response_valid) begin
        answered[memory_response_id[3:0]] <= 1'b1;
        errors[memory_response_id[3:0]] <= memory_response_error;
        data[memory_response_id[3:0]] <= memory_response_data;
      end
      // to L2
      if (response_ready) response_valid <= 1'b0;
      if (responds) begin
        used[response] <= 1'b0;
        answered[response] <= 1'b0;
        response_valid <= 1'b1;
        response_id <= ids[response];
        response_error <= errors[response];
        response_data <= data[response];
      end
      // from L2
      if (accepts) begin
        used[place] <= 1'b1;
        waits[place] <= 1'b1;
        writes[place] <= request_write;
        ids[place] <= request_id;
        addresses[place] <= request_address;
        masks[place] <= request_mask;
        data[place] <= request_data;
        older[place] <= used & ~freed;
        same_line[place] <= mates & ~freed;
      end
    end
  end

  wire unused = &{1'b0, memory_response_id[5:4]};
endmodule
