// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Load-store unit. It takes a memory instruction of a warp and makes its accesses: lanes in shared
// memory one after another, the others line by line. Lines are 128 bytes. While the answers of one
// instruction are under way it serves other warps.
module smx_lsu #(
    parameter int LANES = 32,
    parameter int WARPS = 16,
    parameter int SHARED_BYTES = 16384
) (
    input  logic                     clk,
    input  logic                     rst_n,
    // An instruction; its place has been checked. Only while `idle`.
    input  logic                     start,
    input  logic [$clog2(WARPS)-1:0] start_warp,
    input  logic [1:0]               start_kind,   // READ, WRITE, MODIFY
    input  logic [1:0]               start_size,
    input  logic                     start_signed,
    input  logic [5:0]               start_op,
    input  logic [4:0]               start_rd,
    input  logic [63:0]              start_n,
    input  logic [LANES-1:0]         start_lanes,
    input  logic [LANES-1:0]         start_shared,  // lanes in shared memory
    input  logic [LANES*32-1:0]      start_place,
    input  logic [LANES*32-1:0]      start_data,
    input  logic [LANES*32-1:0]      start_compare,
    input  logic [$clog2(SHARED_BYTES)-1:0] start_base,  // of the block in shared memory
    output logic                     idle,
    // Shared memory at the start of a block.
    input  logic                     clear,
    input  logic [$clog2(SHARED_BYTES/4)-1:0] clear_at,
    input  logic                     forget,
    input  logic [$clog2(WARPS)-1:0] forget_warp,
    // Values for registers.
    output logic                     deliver_valid,
    input  logic                     deliver_ready,
    output logic [$clog2(WARPS)-1:0] deliver_warp,
    output logic [4:0]               deliver_rd,
    output logic [63:0]              deliver_n,
    output logic [LANES-1:0]         deliver_lanes,
    output logic [LANES*32-1:0]      deliver_value,
    output logic                     deliver_error,  // memory refused the access
    output logic [WARPS-1:0]         busy,           // warps with an access that is not over
    // Memory.
    output logic                     request_valid,
    input  logic                     request_ready,
    output logic [2:0]               request_id,
    output logic [1:0]               request_kind,
    output logic [31:0]              request_address,
    output logic [127:0]             request_mask,
    output logic [1023:0]            request_data,
    output logic [5:0]               request_op,
    output logic [$clog2(WARPS)-1:0] request_warp,
    output logic [LANES-1:0]         request_lanes,
    output logic [LANES*5-1:0]       request_words,
    output logic [LANES*32-1:0]      request_compare,
    input  logic                     response_valid,
    output logic                     response_ready,
    input  logic [2:0]               response_id,
    input  logic                     response_error,
    input  logic [1023:0]            response_data
);
  localparam int L = $clog2(LANES);
  localparam int W = $clog2(WARPS);
  localparam int A = $clog2(SHARED_BYTES / 4);

  localparam logic [2:0] IDLE = 3'd0;
  localparam logic [2:0] CHOOSE = 3'd1;   // which lanes go next
  localparam logic [2:0] SHARED = 3'd2;   // a lane each clock
  localparam logic [2:0] DELIVER = 3'd3;
  localparam logic [2:0] SEND = 3'd4;     // a line

  logic [2:0]          state;
  logic [W-1:0]        warp;
  logic [1:0]          kind, size;
  logic                extend;
  logic [5:0]          op;
  logic [4:0]          rd;
  logic [63:0]         n;
  logic [LANES-1:0]    left, in_shared, group;
  logic [LANES-1:0]    walk;  // lanes of the group that have not been in shared memory yet
  logic [LANES*32-1:0] place, data, compare, value;
  logic [A+1:0]        base;
  assign idle = state == IDLE;

  // ---- the next lanes -------------------------------------------------------------------------

  logic [L-1:0] first;
  logic [31:7]  first_line;
  logic         first_shared;
  always_comb begin
    first = '0;
    for (int lane = LANES - 1; lane >= 0; lane--) if (left[lane]) first = L'(lane);
  end
  assign first_line = place[{27'(first), 5'd0}+7+:25];
  assign first_shared = in_shared[first];

  // The line of the first lane, and all lanes that are in it. Of several stores to one byte, that of
  // the highest lane stays.
  logic [LANES-1:0]   same;
  logic [LANES*7-1:0] offsets;
  logic [127:0]       mask;
  logic [1023:0]      line;
  logic [3:0]         word_masks[32];
  logic [31:0]        word_data[32];
  logic [31:0]        lane_place, shifted, kept;
  logic [3:0]         lane_bytes;
  always_comb begin
    same = '0;
    offsets = '0;
    mask = '0;
    line = '0;
    lane_place = 32'd0;
    shifted = 32'd0;
    kept = 32'd0;
    lane_bytes = 4'd0;
    for (int w = 0; w < 32; w++) begin
      word_masks[w] = 4'd0;
      word_data[w] = 32'd0;
    end
    if (state == CHOOSE) begin
      for (int lane = 0; lane < LANES; lane++) begin
        lane_place = place[lane*32+:32];
        offsets[lane*7+:7] = lane_place[6:0];
        if (left[lane] && in_shared[lane] == first_shared
            && (first_shared || lane_place[31:7] == first_line)) begin
          same[lane] = 1'b1;
          lane_bytes = ((size == 2'd0) ? 4'b0001 : (size == 2'd1) ? 4'b0011 : 4'b1111)
              << lane_place[1:0];
          shifted = data[lane*32+:32] << {lane_place[1:0], 3'd0};
          word_masks[lane_place[6:2]] = word_masks[lane_place[6:2]] | lane_bytes;
          kept = ~{{8{lane_bytes[3]}}, {8{lane_bytes[2]}}, {8{lane_bytes[1]}}, {8{lane_bytes[0]}}};
          word_data[lane_place[6:2]] = (word_data[lane_place[6:2]] & kept) | (shifted & ~kept);
        end
      end
      for (int w = 0; w < 32; w++) begin
        mask[w*4+:4] = word_masks[w];
        line[w*32+:32] = word_data[w];
      end
    end
  end

  // ---- shared memory --------------------------------------------------------------------------

  logic [L-1:0] shared_lane;
  logic [A+1:0] shared_place;
  logic [31:0]  shared_word, shared_value, lane_data;
  always_comb begin
    shared_lane = '0;
    for (int lane = LANES - 1; lane >= 0; lane--) if (walk[lane]) shared_lane = L'(lane);
  end
  assign shared_place = place[{27'(shared_lane), 5'd0}+:A+2] + base;
  assign lane_data = data[{27'(shared_lane), 5'd0}+:32];
  smx_shared #(.LANES(LANES), .WARPS(WARPS), .BYTES(SHARED_BYTES)) shared (
      .clk(clk), .rst_n(rst_n), .enable(state == SHARED || clear),
      .at(clear ? clear_at : shared_place[A+1:2]),
      .write(clear || kind == smx_is::WRITE),
      .bytes(clear ? 4'b1111 : (size == 2'd0) ? 4'b0001 << shared_place[1:0]
          : (size == 2'd1) ? 4'b0011 << shared_place[1:0] : 4'b1111),
      .data(clear ? 32'd0 : lane_data << {shared_place[1:0], 3'd0}),
      .modify(!clear && kind == smx_is::MODIFY), .op(op),
      .compare(compare[{27'(shared_lane), 5'd0}+:32]), .thread({warp, shared_lane}),
      .forget(forget), .forget_warp(forget_warp), .value(shared_word));
  always_comb begin
    shared_value = shared_word;
    if (kind == smx_is::READ) begin
      shared_value = shared_word >> {shared_place[1:0], 3'd0};
      if (size == 2'd0) shared_value = {{24{extend && shared_value[7]}}, shared_value[7:0]};
      if (size == 2'd1) shared_value = {{16{extend && shared_value[15]}}, shared_value[15:0]};
    end
  end

  // ---- lines under way ------------------------------------------------------------------------

  logic [LANES*7-1:0]  group_offsets;
  logic [127:0]        group_mask;
  logic [1023:0]       group_line;
  logic [31:0]         group_address;
  logic                free, has_value, take;
  logic [2:0]          free_id, id;  // id: of the request that is sent
  logic [W-1:0]        back_warp;
  logic [4:0]          back_rd;
  logic [63:0]         back_n;
  logic [LANES-1:0]    back_lanes;
  logic [LANES*32-1:0] back_value;
  logic [WARPS-1:0]    flying;
  smx_flights #(.LANES(LANES), .WARPS(WARPS), .FLIGHTS(8)) flights (
      .clk(clk), .rst_n(rst_n), .begin_part(request_valid && request_ready), .begin_id(id), .begin_warp(warp),
      .begin_kind(kind), .begin_size(size), .begin_signed(extend), .begin_rd(rd), .begin_n(n),
      .begin_lanes(group), .begin_offsets(group_offsets), .free(free), .free_id(free_id),
      .response_valid(response_valid), .response_id(response_id),
      .response_data(response_data), .take(take), .warp(back_warp), .has_value(has_value),
      .rd(back_rd), .n(back_n), .lanes(back_lanes), .value(back_value), .flying(flying));

  assign request_valid = state == SEND;
  assign request_id = id;
  assign request_kind = kind;
  assign request_address = group_address;
  assign request_mask = group_mask;
  assign request_op = op;
  assign request_warp = warp;
  assign request_lanes = group;
  assign request_compare = compare;
  always_comb begin
    request_words = '0;
    request_data = group_line;
    if (kind == smx_is::MODIFY) begin
      request_data = 1024'(data);
      for (int lane = 0; lane < LANES; lane++)
        request_words[lane*5+:5] = group_offsets[lane*7+2+:5];
    end
  end

  // Values from shared memory go first. A refused store also needs the way to the retire port.
  logic from_shared, reports;
  assign from_shared = state == DELIVER;
  assign reports = has_value || response_error;
  assign deliver_valid = from_shared || (response_valid && reports);
  assign deliver_warp = from_shared ? warp : back_warp;
  assign deliver_rd = from_shared ? rd : back_rd;
  assign deliver_n = from_shared ? n : back_n;
  assign deliver_lanes = from_shared ? group : back_lanes;
  assign deliver_value = from_shared ? value : back_value;
  assign deliver_error = !from_shared && response_error;
  assign response_ready = !reports || (!from_shared && deliver_ready);
  assign take = response_valid && response_ready;

  always_comb begin
    busy = flying;
    if (!idle) busy[warp] = 1'b1;
  end

  // ---- clock edges ----------------------------------------------------------------------------

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      state <= IDLE;
    end else begin
      case (state)
        IDLE: if (start) state <= CHOOSE;
        CHOOSE:
          if (left == '0) state <= IDLE;
          else if (first_shared) state <= SHARED;
          else if (free) state <= SEND;
        SHARED:
          if ((walk & (walk - 1'b1)) == '0) state <= (kind == smx_is::WRITE) ? CHOOSE : DELIVER;
        DELIVER: if (deliver_ready) state <= CHOOSE;
        default: if (request_ready) state <= CHOOSE;
      endcase
    end
  end
  always_ff @(posedge clk) begin
    case (state)
      IDLE:
        if (start) begin
          warp <= start_warp;
          kind <= start_kind;
          size <= start_size;
          extend <= start_signed;
          op <= start_op;
          rd <= start_rd;
          n <= start_n;
          left <= start_lanes;
          in_shared <= start_shared;
          place <= start_place;
          data <= start_data;
          compare <= start_compare;
          base <= start_base;
        end
      CHOOSE: begin
        group <= same;
        walk <= same;
        group_offsets <= offsets;
        group_mask <= mask;
        group_line <= line;
        group_address <= {first_line, 7'd0};
        id <= free_id;
        if (first_shared || free) left <= left & ~same;
      end
      SHARED: begin
        value[{27'(shared_lane), 5'd0}+:32] <= shared_value;
        walk <= walk & (walk - 1'b1);
      end
      default: ;
    endcase
  end
endmodule
