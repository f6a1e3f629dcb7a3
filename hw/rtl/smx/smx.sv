// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A small streaming multiprocessor: right first, never fast. docs/rtl_smx.md has its structure and
// its ports. It looks at one warp after another, and executes an instruction of a warp that can go
// on, for all its lanes.
module smx #(
    parameter int LANES = 32,
    parameter int WARPS = 16,
    parameter int SHARED_BYTES = 16384,
    parameter int PRIVATE_BYTES = 8192,
    parameter int STACK_ENTRIES = 128
) (
    input  logic                clk,
    input  logic                rst_n,
    input  logic [7:0]          smx_id,  // constant
    // A block.
    input  logic                dispatch_valid,
    output logic                dispatch_ready,
    input  logic [31:0]         dispatch_launch,
    input  logic [31:0]         dispatch_grid_id,
    input  logic [31:0]         dispatch_block,
    input  logic [31:0]         dispatch_entry_pc,
    input  logic [31:0]         dispatch_parameters,
    input  logic [31:0]         dispatch_index_x,
    input  logic [31:0]         dispatch_index_y,
    input  logic [31:0]         dispatch_index_z,
    input  logic [31:0]         dispatch_block_x,
    input  logic [31:0]         dispatch_block_y,
    input  logic [31:0]         dispatch_block_z,
    input  logic [31:0]         dispatch_grid_x,
    input  logic [31:0]         dispatch_grid_y,
    input  logic [31:0]         dispatch_grid_z,
    input  logic [31:0]         dispatch_offset_x,
    input  logic [31:0]         dispatch_offset_y,
    input  logic [31:0]         dispatch_offset_z,
    input  logic [1:0]          dispatch_dimensions,
    input  logic [31:0]         dispatch_shared_bytes,
    input  logic [31:0]         dispatch_dynamic_bytes,
    input  logic [31:0]         dispatch_region,
    input  logic                dispatch_first,  // block of its launch here: for an L1
    // A block has ended.
    output logic                done_valid,
    input  logic                done_ready,
    output logic [31:0]         done_launch,
    output logic [31:0]         done_block,
    // Lines of instructions.
    output logic                fetch_valid,
    input  logic                fetch_ready,
    output logic [31:0]         fetch_launch,
    output logic [31:0]         fetch_address,
    input  logic                line_valid,
    output logic                line_ready,
    input  logic                line_error,
    input  logic [255:0]        line_words,
    input  logic [255:0]        line_reconvergence,
    // Lines of data.
    output logic                request_valid,
    input  logic                request_ready,
    output logic [5:0]          request_id,
    output logic [1:0]          request_kind,
    output logic [31:0]         request_launch,
    output logic [31:0]         request_address,
    output logic [127:0]        request_mask,
    output logic [1023:0]       request_data,
    output logic [5:0]          request_op,
    output logic [7:0]          request_warp,
    output logic [LANES-1:0]    request_lanes,
    output logic [LANES*5-1:0]  request_words,
    output logic [LANES*32-1:0] request_compare,
    input  logic                response_valid,
    output logic                response_ready,
    input  logic [5:0]          response_id,
    input  logic                response_error,
    input  logic [1023:0]       response_data,
    // What has been done.
    output logic                retire_valid,
    output logic [3:0]          retire_kind,
    output logic [63:0]         retire_time,
    output logic [7:0]          retire_core,
    output logic [7:0]          retire_slot,
    output logic [63:0]         retire_launch,
    output logic [31:0]         retire_block,
    output logic [7:0]          retire_warp,
    output logic [63:0]         retire_n,
    output logic [31:0]         retire_pc,
    output logic [31:0]         retire_word,
    output logic [LANES-1:0]    retire_lanes,
    output logic [LANES-1:0]    retire_live,
    output logic [LANES-1:0]    retire_next_lanes,
    output logic [31:0]         retire_next_pc,
    output logic [7:0]          retire_depth,
    output logic [LANES-1:0]    retire_taken,
    output logic [4:0]          retire_rd,
    output logic [LANES-1:0]    retire_known,
    output logic [LANES*32-1:0] retire_value,
    output logic [LANES*32-1:0] retire_address,
    output logic [LANES*32-1:0] retire_data,
    output logic [LANES*32-1:0] retire_compare,
    output logic [3:0]          retire_event,
    output logic [LANES-1:0]    retire_event_lanes,
    output logic [7:0]          retire_fault
);
  localparam int W = $clog2(WARPS);
  localparam int R = LANES * 32;  // bits of a row

  // ---- control --------------------------------------------------------------------------------

  logic       looks, deliver, drain, release_block, which, take_long, take_block, issue, read;
  logic       execute, finish, path, retire, faulted, clear, next_warp, rows, place, begin_block;
  logic       end_block, deliver_valid, deliver_error, undrained, long_done, fits, issuable;
  logic       faults, path_done, overflow, lsu_idle, is_access;
  logic [LANES-1:0] i_lanes;
  logic [1:0] at_barrier, finished, used;
  logic [31:0] fill, shared_bytes, warps_of_block, start_index;  // fill: words, or rows
  logic [3:0] unit;
  smx_control control (
      .clk(clk), .rst_n(rst_n), .delivers(deliver_valid), .delivers_error(deliver_error),
      .drains(undrained), .at_barrier(at_barrier), .finished(finished & used),
      .long_done(long_done), .offered(dispatch_valid && fits && lsu_idle), .issuable(issuable),
      .faults(faults), .is_long(unit == smx_is::LONG), .path_done(path_done), .path_faults(overflow),
      .cleared(fill * 32'd4 >= shared_bytes), .last_row(fill == 32'd31),
      .last_warp(start_index + 32'd1 == warps_of_block), .end_ready(done_ready), .looks(looks),
      .deliver(deliver), .drain(drain), .release_block(release_block), .which(which),
      .take_long(take_long), .take_block(take_block), .issue(issue), .read(read),
      .execute(execute), .finish(finish), .path(path), .retire(retire), .faulted(faulted),
      .clear(clear), .next_warp(next_warp), .rows(rows), .place(place),
      .begin_block(begin_block), .end_block(end_block));
  assign dispatch_ready = take_block;
  assign done_valid = end_block;

  // ---- blocks and warps -----------------------------------------------------------------------

  logic [W-1:0] looked, current, warp, free_warp, deliver_warp, long_warp;
  logic         start_slot, start_slot_next, warp_slot, slot, ready, starting;
  logic [31:0]  free_warps, launch, grid_id, block, entry, parameters, dynamic_bytes, region;
  logic [31:0]  threads, index, warp_pc;
  logic [$clog2(SHARED_BYTES)-1:0] shared_base;
  logic [95:0]  block_index, block_size, grid_size, offset, warp_thread, start_thread;
  logic [1:0]   dimensions;
  logic [63:0]  count, now;
  logic [LANES-1:0] live, warp_lanes, start_lanes, next_lanes;
  logic [31:0]  next_pc;
  logic [4:0]   waits_for, rd, rs1, rs2, rs3;
  logic [WARPS-1:0] busy;

  assign starting = clear || next_warp || rows || place || begin_block;
  assign warp = !looks ? current : deliver_valid ? deliver_warp : looked;
  assign slot = starting ? start_slot : (end_block || release_block) ? which : warp_slot;
  smx_blocks #(.LANES(LANES), .WARPS(WARPS), .SHARED_BYTES(SHARED_BYTES)) blocks (
      .clk(clk), .rst_n(rst_n), .free_warps(free_warps), .new_launch(dispatch_launch),
      .new_grid_id(dispatch_grid_id), .new_block(dispatch_block), .new_entry(dispatch_entry_pc),
      .new_parameters(dispatch_parameters),
      .new_block_index({dispatch_index_z, dispatch_index_y, dispatch_index_x}),
      .new_block_size({dispatch_block_z, dispatch_block_y, dispatch_block_x}),
      .new_grid_size({dispatch_grid_z, dispatch_grid_y, dispatch_grid_x}),
      .new_offset({dispatch_offset_z, dispatch_offset_y, dispatch_offset_x}),
      .new_dimensions(dispatch_dimensions), .new_shared_bytes(dispatch_shared_bytes),
      .new_dynamic_bytes(dispatch_dynamic_bytes), .new_region(dispatch_region), .fits(fits),
      .fits_slot(start_slot_next), .take(take_block), .free(end_block && done_ready),
      .slot(slot), .used(used), .launch(launch), .grid_id(grid_id), .block(block),
      .entry(entry), .parameters(parameters), .block_index(block_index),
      .block_size(block_size), .grid_size(grid_size), .offset(offset),
      .dimensions(dimensions), .shared_bytes(shared_bytes), .dynamic_bytes(dynamic_bytes),
      .region(region), .threads(threads), .warps(warps_of_block), .shared_base(shared_base));
  assign done_launch = launch;
  assign done_block = block;

  smx_warps #(.LANES(LANES), .WARPS(WARPS)) warps (
      .clk(clk), .rst_n(rst_n), .warp(warp), .start(place && path_done),
      .start_slot(start_slot), .start_index(start_index), .start_thread(start_thread),
      .start_lanes(start_lanes), .retire(retire && !faulted), .arrives(unit == smx_is::BARRIER),
      .ending((unit == smx_is::EXIT) ? i_lanes : '0), .accesses(is_access), .loads_to(rd),
      .writes(unit == smx_is::STORE), .go((retire && !faulted) || (place && path_done)),
      .next_pc(next_pc), .next_lanes(next_lanes), .drain(drain),
      .release_block(release_block), .end_block(end_block && done_ready),
      .which_block(begin_block ? start_slot : which), .busy(busy), .ready(ready),
      .slot(warp_slot), .index(index), .thread(warp_thread), .live(live), .lanes(warp_lanes),
      .pc(warp_pc), .count(count), .waits_for(waits_for), .undrained(undrained),
      .free(free_warp), .free_count(free_warps), .at_barrier(at_barrier),
      .finished(finished));

  // A block starts: shared memory, then the registers and the stack of each warp.
  logic [R-1:0] thread_x, thread_y, thread_z;
  logic [95:0]  next_thread;
  logic [31:0]  start_left;
  assign start_left = threads - start_index * LANES;
  assign start_lanes = (start_left >= LANES) ? '1 : ~('1 << start_left);
  smx_thread_ids #(.LANES(LANES)) thread_ids (
      .enable(place || (execute && unit == smx_is::CSR)), .block_x(block_size[31:0]),
      .block_y(block_size[63:32]), .first_x(place ? start_thread[31:0] : warp_thread[31:0]),
      .first_y(place ? start_thread[63:32] : warp_thread[63:32]),
      .first_z(place ? start_thread[95:64] : warp_thread[95:64]), .x(thread_x), .y(thread_y),
      .z(thread_z), .next_x(next_thread[31:0]), .next_y(next_thread[63:32]),
      .next_z(next_thread[95:64]));
  always_ff @(posedge clk) begin
    if (take_block) begin
      start_slot <= start_slot_next;
      start_index <= 32'd0;
      start_thread <= '0;
    end
    if (place && path_done) begin
      start_index <= start_index + 32'd1;
      start_thread <= next_thread;
    end
    fill <= (clear || rows) ? fill + 32'd1 : 32'd0;
    now <= rst_n ? now + 64'd1 : 64'd0;
  end

  // ---- the instruction that is executed ---------------------------------------------------------

  logic             hit, no_code, i_no_code, long_idle;
  logic [31:0]      fetched, join_pc, i_word, i_pc, i_join, word;
  logic [LANES-1:0] i_shared, i_taken, in_shared, taken;
  logic [R-1:0]     a, b, c, i_a, i_b, i_c, i_result, i_address, i_place, long_result, old_csr;
  logic [R-1:0]     result, address, place_row, deliver_value;
  logic [7:0]       fault, i_fault;
  logic [2:0]       go, i_go;
  logic [31:0]      target, i_target;

  logic [4:0]  op;
  logic [31:0] immediate;
  logic [5:0]  atomic_op;
  logic [1:0]  size;
  logic        has_immediate, from_pc, minus_product, minus_addend, is_unsigned, dynamic_mode;
  logic        sign_extends, is_call, is_return;
  assign word = looks ? fetched : i_word;
  smx_decode decode (.word(word), .unit(unit), .op(op), .immediate(immediate),
      .has_immediate(has_immediate), .from_pc(from_pc), .rd(rd), .rs1(rs1), .rs2(rs2), .rs3(rs3),
      .minus_product(minus_product), .minus_addend(minus_addend), .is_unsigned(is_unsigned),
      .dynamic_mode(dynamic_mode), .size(size), .sign_extends(sign_extends), .atomic(atomic_op),
      .is_call(is_call), .is_return(is_return));
  assign is_access = unit == smx_is::LOAD || unit == smx_is::STORE || unit == smx_is::ATOMIC;

  smx_fetch #(.WARPS(WARPS)) fetch (
      .clk(clk), .rst_n(rst_n), .warp(warp), .pc(warp_pc), .launch(launch),
      .wanted(looks && !deliver_valid && !release_block && ready), .forget(place && path_done), .hit(hit),
      .error(no_code), .word(fetched), .reconvergence(join_pc), .fetch_valid(fetch_valid),
      .fetch_ready(fetch_ready), .fetch_launch(fetch_launch), .fetch_address(fetch_address),
      .line_valid(line_valid), .line_ready(line_ready), .line_error(line_error),
      .line_words(line_words), .line_reconvergence(line_reconvergence));

  // The scoreboard: a register that waits for memory is neither read nor written. A warp has one
  // access under way, and ends or passes a fence without any.
  logic waits;
  assign waits = (waits_for != 5'd0
      && (waits_for == rd || waits_for == rs1 || waits_for == rs2 || waits_for == rs3))
      || (busy[warp] && (is_access || unit == smx_is::FENCE || unit == smx_is::EXIT));
  // The warp of a lane-serial instruction is still at it, and so does not issue either.
  assign issuable = ready && hit && !waits && !(is_access && !lsu_idle)
      && !(unit == smx_is::LONG && !long_idle);

  always_ff @(posedge clk)
    if (!rst_n) looked <= '0;
    else if (looks && !deliver && !drain) looked <= looked + 1'b1;

  logic [31:0]      l_word, l_pc;
  logic [LANES-1:0] l_lanes;
  always_ff @(posedge clk) begin
    if (next_warp) current <= free_warp;
    if (issue) begin
      current <= warp;
      {i_word, i_pc, i_lanes, i_join, i_no_code} <= {fetched, warp_pc, warp_lanes, join_pc, no_code};
    end
    if (read) {i_a, i_b, i_c} <= {a, b, c};
    if (execute) begin
      {i_result, i_address, i_place, i_shared} <= {result, address, place_row, in_shared};
      {i_go, i_target, i_taken, i_fault} <= {go, target, taken, fault};
      if (unit == smx_is::LONG) {long_warp, l_word, l_pc, l_lanes} <= {current, i_word, i_pc, i_lanes};
    end
    if (take_long) begin
      current <= long_warp;
      {i_word, i_pc, i_lanes} <= {l_word, l_pc, l_lanes};
      {i_result, i_address, i_go, i_target, i_taken} <= {long_result, {R{1'b0}}, smx_is::GO_STRAIGHT,
          l_pc + 32'd4, {LANES{1'b0}}};
    end
    if (next_warp) {i_go, i_target, i_lanes} <= {smx_is::GO_START, entry, start_lanes};
  end
  assign faults = fault != 8'd0;

  logic [LANES*3-1:0] modes;
  smx_csr #(.LANES(LANES), .WARPS(WARPS)) csr (
      .clk(clk), .enable(execute && unit == smx_is::CSR), .warp(warp), .start(place),
      .write(execute && unit == smx_is::CSR && !faults), .word(i_word[31:12]), .lanes(i_lanes), .a(i_a),
      .clock(now), .instructions(count + 64'd1), .thread_x(thread_x), .thread_y(thread_y),
      .thread_z(thread_z), .index_in_block(index), .warps_of_block(warps_of_block),
      .smx_id(smx_id), .block_index(block_index), .block_size(block_size),
      .grid_size(grid_size), .offset(offset), .dimensions({30'd0, dimensions}),
      .grid_id(grid_id), .shared_base(32'h1000_0000 + shared_bytes - dynamic_bytes),
      .shared_size(dynamic_bytes), .old(old_csr), .modes(modes));

  smx_execute #(.LANES(LANES), .PRIVATE_BYTES(PRIVATE_BYTES)) executes (
      .enable(execute), .no_code(i_no_code), .word(i_word), .pc(i_pc), .lanes(i_lanes),
      .live(live), .unit(unit), .op(op), .immediate(immediate), .has_immediate(has_immediate),
      .from_pc(from_pc), .size(size), .is_call(is_call), .is_return(is_return),
      .dynamic_mode(dynamic_mode), .modes(modes), .a(i_a), .b(i_b), .csr(old_csr),
      .shared_bytes(shared_bytes), .region(region + index), .fault(fault), .result(result),
      .address(address), .place(place_row), .in_shared(in_shared), .go(go), .target(target),
      .taken(taken));

  smx_long #(.LANES(LANES)) long_unit (
      .clk(clk), .rst_n(rst_n), .start(execute && unit == smx_is::LONG && !faults), .op(op),
      .kind(i_word[14:12]), .minus_product(minus_product), .minus_addend(minus_addend),
      .is_unsigned(is_unsigned), .dynamic_mode(dynamic_mode), .modes(modes), .lanes(i_lanes),
      .a(i_a), .b(i_b), .c(i_c), .idle(long_idle), .done(long_done), .take(take_long),
      .result(long_result));

  logic [7:0] depth;
  smx_path #(.LANES(LANES), .WARPS(WARPS), .STACK_ENTRIES(STACK_ENTRIES)) paths (
      .clk(clk), .rst_n(rst_n), .start(path || place), .go(i_go), .warp(current), .pc(i_pc),
      .target(i_target), .targets(i_address), .reconvergence(i_join), .lanes(i_lanes),
      .taken(i_taken), .done(path_done), .next_pc(next_pc), .next_lanes(next_lanes),
      .depth(depth), .overflow(overflow));

  // ---- registers and memory -----------------------------------------------------------------------

  logic             writes_now, writes_rd;
  logic [4:0]       deliver_rd;
  logic [63:0]      deliver_n;
  logic [LANES-1:0] deliver_lanes;
  assign writes_rd = unit == smx_is::INTEGER || unit == smx_is::LONG || unit == smx_is::JUMP || unit == smx_is::INDIRECT
      || unit == smx_is::CSR || unit == smx_is::EXCHANGE;
  assign writes_now = (execute && writes_rd && unit != smx_is::LONG && !faults) || finish;
  smx_registers #(.LANES(LANES), .WARPS(WARPS)) registers (
      .clk(clk), .warp(warp), .rs1(rs1), .rs2(rs2), .rs3(rs3), .a(a), .b(b), .c(c),
      .write(rows || deliver || writes_now), .write_warp(warp),
      .rd(rows ? fill[4:0] : deliver ? deliver_rd : rd), .clear(rows),
      .lanes(rows ? '1 : deliver ? deliver_lanes : i_lanes),
      .value(rows ? {LANES{(fill == 32'd2) ? 32'h2000_0000 + PRIVATE_BYTES
          : (fill == 32'd10) ? parameters : 32'd0}}
          : deliver ? deliver_value : finish ? i_result : result));

  smx_lsu #(.LANES(LANES), .WARPS(WARPS), .SHARED_BYTES(SHARED_BYTES)) lsu (
      .clk(clk), .rst_n(rst_n), .start(retire && !faulted && is_access), .start_warp(current),
      .start_kind((unit == smx_is::LOAD) ? smx_is::READ : (unit == smx_is::STORE) ? smx_is::WRITE : smx_is::MODIFY), .start_size(size),
      .start_signed(sign_extends), .start_op(atomic_op), .start_rd(rd), .start_n(count + 64'd1),
      .start_lanes(i_lanes), .start_shared(i_shared), .start_place(i_place), .start_data(i_b),
      .start_compare(i_c), .start_base(shared_base), .idle(lsu_idle),
      .clear(clear && fill * 32'd4 < shared_bytes),
      .clear_at(shared_base[$clog2(SHARED_BYTES)-1:2] + fill[$clog2(SHARED_BYTES)-3:0]),
      .forget(place), .forget_warp(current), .deliver_valid(deliver_valid),
      .deliver_ready(deliver), .deliver_warp(deliver_warp), .deliver_rd(deliver_rd),
      .deliver_n(deliver_n), .deliver_lanes(deliver_lanes), .deliver_value(deliver_value),
      .deliver_error(deliver_error), .busy(busy), .request_valid(request_valid),
      .request_ready(request_ready), .request_id(request_id[2:0]), .request_kind(request_kind),
      .request_address(request_address), .request_mask(request_mask),
      .request_data(request_data), .request_op(request_op), .request_warp(request_warp[W-1:0]),
      .request_lanes(request_lanes), .request_words(request_words),
      .request_compare(request_compare), .response_valid(response_valid),
      .response_ready(response_ready), .response_id(response_id[2:0]),
      .response_error(response_error), .response_data(response_data));

  // The block of the instruction that the load-store unit has, and the warps that a block has got.
  logic [31:0]      lsu_launch;
  logic [WARPS-1:0] start_warps;
  assign request_launch = lsu_launch;
  assign request_warp[7:W] = '0;
  assign request_id[5:3] = '0;
  logic unused;
  assign unused = &{1'b0, response_id[5:3], dispatch_first};
  always_ff @(posedge clk) begin
    if (retire && is_access) lsu_launch <= launch;
    if (take_block) start_warps <= '0;
    else if (next_warp) start_warps[free_warp] <= 1'b1;
  end

  // ---- what has been done -------------------------------------------------------------------------

  smx_retire #(.LANES(LANES)) retires (
      .step(retire), .data(deliver), .drained(drain), .begins(begin_block),
      .ends(end_block && done_ready), .released(release_block && !begin_block),
      .warp_slot(8'(warp)), .block_slot({7'd0, begin_block ? start_slot : which}),
      .apart(writes_rd && rd != 5'd0 && !faulted), .step_fault(!faulted ? 8'd0
          : (i_fault != 8'd0) ? i_fault : smx_is::FAULT_STACK), .data_fault(deliver_error),
      .step_n(count + 64'd1), .data_n(deliver_n), .warps(LANES'(start_warps)),
      .step_lanes(i_lanes), .data_lanes(deliver_lanes), .step_rd(rd), .data_rd(deliver_rd),
      .step_value(i_result), .data_value(deliver_value), .valid(retire_valid),
      .kind(retire_kind), .slot(retire_slot), .n(retire_n), .lanes(retire_lanes),
      .rd(retire_rd), .known(retire_known), .value(retire_value), .fault(retire_fault));

  assign retire_time = now;
  assign retire_core = smx_id;
  assign retire_launch = {32'd0, launch};
  assign retire_block = block;
  assign retire_warp = 8'(index);
  assign retire_pc = i_pc;
  assign retire_word = i_word;
  assign retire_live = (unit == smx_is::EXIT) ? live & ~i_lanes : live;
  assign retire_next_lanes = next_lanes;
  assign retire_next_pc = next_pc;
  assign retire_depth = depth;
  assign retire_taken = i_taken;
  assign retire_address = i_address;
  assign retire_data = (unit == smx_is::STORE || unit == smx_is::ATOMIC) ? i_b : '0;
  assign retire_compare = (unit == smx_is::ATOMIC) ? i_c : '0;
  assign retire_event = 4'd0;
  assign retire_event_lanes = '0;
endmodule
