// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/launch/launch_unit.h"

#include <algorithm>
#include <cstring>

#include "hw/base/present.h"
#include "models/base/error.h"
#include "models/program/image.h"

namespace heddle {

using isa::opcode;
using kind = execution_outcome::kind;

namespace {

bool launches(const isa::instruction& i) {
    return i.op == opcode::launch_kernel || i.op == opcode::launch_group;
}

}  // namespace

launch_unit::launch_unit(const launch_environment& environment)
    : environment_(environment),
      commands_(environment.owner, environment.links),
      calls_(environment.warps) {
    const unsigned lanes = environment.parts.warp_size;
    for (call& c : calls_) {
        c.first.resize(lanes);
        c.second.resize(lanes);
        c.result.resize(lanes);
        c.records.resize(lanes);
    }
}

std::uint64_t launch_unit::latency_of(const isa::instruction& i, unsigned threads) const {
    const launch_configuration& c = environment_.configuration;
    if (c.ideal) return 0;
    switch (i.op) {
        case opcode::create_stream:
            return c.stream_latency;
        case opcode::get_parameter_buffer:
            return c.buffer_latency + std::uint64_t{c.buffer_thread_latency} * threads;
        case opcode::launch_kernel:
            return c.kernel_latency + std::uint64_t{c.kernel_thread_latency} * threads;
        default:
            return 0;  // groups: Table 3 has the buffer's latency only
    }
}

void launch_unit::begin(call& c, const issued_group& issued) {
    const thread_group& group = issued.threads;
    const isa::instruction& i = issued.instruction;
    const register_file& registers = environment_.parts.registers;
    const protocol::block_dispatch& block = *environment_.parts.blocks.block(group.block).dispatch;
    c.threads = group;
    c.instruction = &i;
    c.number = issued.number;
    // The instruction is done one cycle after its issue at the earliest.
    c.due = issued.edge + std::max<std::uint64_t>(latency_of(i, bits::count(group.lanes)), 1);
    c.issued = present::time();
    c.by = {environment_.sm, block.launch, block.block};
    c.unread = launches(i) ? group.lanes : 0;
    const unsigned lanes = environment_.parts.warp_size;
    std::copy_n(registers.row(group.home, i.rs1), lanes, c.first.begin());
    std::copy_n(registers.row(group.home, i.rs2), lanes, c.second.begin());
}

execution_outcome launch_unit::execute(const issued_group& issued) {
    const unsigned warp = issued.threads.home;
    const protocol::warp_mask self = bits::one(warp);
    call& c = calls_[warp];
    begin(c, issued);
    if (launches(issued.instruction)) {
        for (isa::lane_mask left = issued.threads.lanes; left != 0; left &= left - 1) {
            const unsigned lane = bits::first(left);
            if (environment_.runtime.pool().is_open(c.first[lane])) continue;
            return environment_.parts.fault(
                issued, lane, no_buffer_text(environment_.runtime.pool(), c.first[lane]));
        }
        if (environment_.front_drains) {
            reading_ |= self;
            to_read_.push_back(warp);
            return execution_outcome(kind::waits_for_unit, wait_reason::launch);
        }
        draining_ |= self;
        // Those that others in the block made before a barrier are the child's, too. Where they
        // write through, they are on their way.
        const bool others = environment_.parts.lsu.maintenance().writes_back();
        c.unwritten = others ? environment_.parts.blocks.block(issued.threads.block).warps : self;
    } else if (issued.instruction.op == opcode::device_synchronize) {
        syncing_ |= self;
    } else {
        allocate(c);
        timed_ |= self;
    }
    return execution_outcome(kind::waits_for_unit, wait_reason::launch);
}

/// Streams and buffers are given out at once; the threads know them when the call is over.
void launch_unit::allocate(call& c) {
    const bool streams = c.instruction->op == opcode::create_stream;
    bits::for_each(c.threads.lanes, [&](unsigned lane) {
        std::uint32_t& result = c.result[lane];
        if (streams) {
            result = environment_.runtime.create_stream(environment_.sm);
            first_calls_.stream_created(result, c.issued);
        } else {
            result = environment_.runtime.allocate_buffer(environment_.sm, c.first[lane]);
            if (result != 0) first_calls_.buffer_allocated(result, c.issued);
        }
    });
}

bool launch_unit::advance(std::uint64_t edge) {
    bool changed = commands_.cycle([&](unsigned warp) { --calls_[warp].unaccepted; });
    if (draining_ != 0) finish_drains();
    if (!to_read_.empty()) send_reads();
    if ((timed_ | sending_ | syncing_) != 0) {
        changed |= make_due(edge);
        changed |= finish(edge);
        // What has just been made goes out in the same cycle.
        changed |= commands_.cycle([&](unsigned warp) { --calls_[warp].unaccepted; });
    }
    return changed;
}

void launch_unit::finish_drains() {
    load_store_unit& lsu = environment_.parts.lsu;
    bits::for_each(draining_, [&](unsigned warp) {
        if (lsu.outstanding_instructions(access_owner(warp)) != 0) return;
        protocol::warp_mask& unwritten = calls_[warp].unwritten;
        bits::for_each(unwritten, [&](unsigned other) {
            if (lsu.outstanding_writes(access_owner(other)) == 0) unwritten &= ~bits::one(other);
        });
        if (unwritten != 0) {
            (void)lsu.maintenance().write_back(owner_set(unwritten));
            return;
        }
        draining_ &= ~bits::one(warp);
        reading_ |= bits::one(warp);
        to_read_.push_back(warp);
    });
}

/// Asks for records as long as the port has room.
void launch_unit::send_reads() {
    while (!to_read_.empty() && environment_.port.can_send(memory_port::queue::data)) {
        const unsigned warp = to_read_.front();
        call& c = calls_[warp];
        const unsigned lane = bits::first(c.unread);
        memory_request& request = environment_.port.make();
        request.prepare(protocol::memory_kind::load, c.first[lane], launch_request::bytes);
        expect_answer(request,
                      {static_cast<std::uint16_t>(warp), static_cast<std::uint16_t>(lane)});
        protocol::memory_access& access = request.access();
        access.launch = c.by.launch;
        access.warp = warp_slot(warp);
        access.slot = block_slot(c.threads.block);
        access.block = c.by.block;
        access.bypass_l1 = true;
        environment_.port.send(memory_port::queue::data, request);
        ++c.reading;
        c.unread &= c.unread - 1;
        if (c.unread == 0) to_read_.pop_front();
    }
}

void launch_unit::responded(memory_request& answer) {
    const auto [warp, lane] = name_of(answer);
    call& c = calls_[warp];
    std::memcpy(c.records[lane].data(), answer.data(), launch_request::bytes);
    if (--c.reading != 0 || c.unread != 0) return;
    reading_ &= ~bits::one(warp);
    timed_ |= bits::one(warp);
}

/// Launches whose records and latency are there.
bool launch_unit::make_due(std::uint64_t edge) {
    bool any = false;
    bits::for_each(timed_, [&](unsigned warp) {
        call& c = calls_[warp];
        if (c.due > edge || !launches(*c.instruction)) return;
        make_launches(warp, c);
        timed_ &= ~bits::one(warp);
        sending_ |= bits::one(warp);
        any = true;
    });
    return any;
}

void launch_unit::make_launches(unsigned warp, call& c) {
    pool_ptr<protocol::aggregation> groups;
    if (c.instruction->op == opcode::launch_group) {
        groups = commands_.make_aggregation();
        groups->sm = environment_.sm;
        groups->warp = warp_slot(warp);
        groups->parent = c.by.launch;
        const launch_configuration& latency = environment_.configuration;
        groups->overlapped = latency.ideal ? 0 : latency.buffer_latency;
    }
    c.unaccepted = 0;
    try {
        bits::for_each(c.threads.lanes,
                       [&](unsigned lane) { make_one(warp, c, lane, groups.get()); });
    } catch (const run_error& error) {  // the SMX has no launch id left
        environment_.parts.blocks.fault(warp, bits::first(c.threads.lanes), c.threads.pc,
                                        error.what());
    }
    if (!groups || groups->count == 0) return;
    c.unaccepted = 1;
    commands_.send(std::move(groups));
}

void launch_unit::make_one(unsigned warp, call& c, unsigned lane, protocol::aggregation* groups) {
    const std::uint32_t buffer = c.first[lane];
    if (!environment_.runtime.pool().is_open(buffer)) {  // another lane has launched it
        environment_.parts.blocks.fault(warp, lane, c.threads.pc,
                                        no_buffer_text(environment_.runtime.pool(), buffer));
        return;
    }
    const std::uint32_t stream = groups == nullptr ? c.second[lane] : 0;
    const sc_core::sc_time first = first_calls_.take(buffer, stream, c.issued);
    const launch_answer answer = environment_.runtime.launch(
        c.by, groups == nullptr ? launch_kind::kernel : launch_kind::group, buffer,
        launch_request::from(c.records[lane]), stream);
    c.result[lane] = static_cast<std::uint32_t>(answer.error);
    if (answer.launch == nullptr) return;
    pool_ptr<protocol::kernel_launch> launch = commands_.make_launch();
    launch->carry(*answer.launch);
    launch->launched_at = first;
    if (groups == nullptr) {
        ++c.unaccepted;
        commands_.send(warp, std::move(launch));
        return;
    }
    groups->groups[groups->count++] = {
        std::move(launch), warp * environment_.parts.warp_size + lane, record_address(buffer)};
}

/// Warps whose call is over go on.
bool launch_unit::finish(std::uint64_t edge) {
    protocol::warp_mask done = 0;
    bits::for_each(timed_, [&](unsigned warp) {
        const call& c = calls_[warp];
        if (c.due <= edge && !launches(*c.instruction)) done |= bits::one(warp);
    });
    bits::for_each(sending_, [&](unsigned warp) {
        if (calls_[warp].unaccepted == 0) done |= bits::one(warp);
    });
    bits::for_each(syncing_, [&](unsigned warp) {
        const launcher& by = calls_[warp].by;
        if (commands_.open_children(by.launch, by.block) == 0) done |= bits::one(warp);
    });
    timed_ &= ~done;
    sending_ &= ~done;
    syncing_ &= ~done;
    bits::for_each(done, [&](unsigned warp) {
        const call& c = calls_[warp];
        const execution_parts& parts = environment_.parts;
        if (c.instruction->writes_register()) {
            parts.registers.write(c.threads, c.instruction->rd, c.result.data(), c.threads.lanes);
        }
        retire(warp, edge);
    });
    environment_.waits.end(wait_reason::launch, done);
    return done != 0;
}

void launch_unit::retire(unsigned warp, std::uint64_t edge) const {
    const call& c = calls_[warp];
    const execution_parts& parts = environment_.parts;
    if (parts.observer.get() == nullptr) return;
    parts.observer.get()->executed(
        {edge, warp, c.number, c.threads.pc, c.threads.lanes, c.instruction}, parts.registers);
}

std::uint64_t launch_unit::to_leave(bool&) {
    std::uint64_t blocks = 0;
    bits::for_each(syncing_, [&](unsigned warp) {
        const call& c = calls_[warp];
        if (commands_.open_children(c.by.launch, c.by.block) == 0) return;
        blocks |= bits::one(c.threads.block);
    });
    return blocks;
}

std::optional<protocol::block_outcome> launch_unit::reason(unsigned slot) const {
    const protocol::block_dispatch& block = *environment_.parts.blocks.block(slot).dispatch;
    if (commands_.open_children(block.launch, block.block) == 0) return std::nullopt;
    return protocol::block_outcome::suspended;
}

void launch_unit::leaves(unsigned slot, std::uint64_t edge) {
    const protocol::warp_mask warps = environment_.parts.blocks.block(slot).warps;
    bits::for_each(syncing_ & warps, [&](unsigned warp) { retire(warp, edge); });
    syncing_ &= ~warps;
}

std::uint64_t launch_unit::end_of_latencies() const noexcept {
    std::uint64_t due = ~std::uint64_t{0};
    bits::for_each(timed_, [&](unsigned warp) { due = std::min(due, calls_[warp].due); });
    return due;
}

}  // namespace heddle
