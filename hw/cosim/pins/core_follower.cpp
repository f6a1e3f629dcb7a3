// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/core_follower.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hw/cosim/pins/distributor_pins.h"
#include "models/base/bits.h"
#include "models/base/warp_slots.h"
#include "models/isa/csr.h"
#include "models/program/address_map.h"
#include "models/simt/fault_text.h"
#include "models/simt/progress_text.h"

namespace heddle::pins {

using isa::instruction_class;

namespace {

/// CSRs that tell the SMX's own clock.
bool reads_clock(const isa::instruction& i) {
    const auto which = static_cast<isa::csr>(isa::csr_number(i));
    return i.cls == instruction_class::csr && i.writes_register() &&
           (which == isa::csr::cycle || which == isa::csr::time || which == isa::csr::clock);
}

bool writes_rounding_mode(const isa::instruction& i) {
    const auto which = static_cast<isa::csr>(isa::csr_number(i));
    return i.cls == instruction_class::csr && (which == isa::csr::frm || which == isa::csr::fcsr);
}

}  // namespace

core_follower::core_follower(pin_clock& clock, const retire_pins& pins, core_to_pins& blocks,
                             const environment& around)
    : pin_part(clock),
      domain_(clock.domain()),
      pins_(pins),
      blocks_(blocks),
      around_(around),
      reporter_(blocks, around.id, around.status),
      faults_(reporter_),
      checker_(around.ranges, around.machine.smx.private_bytes, core_lanes, false),
      counts_(around.schedulers, warp_slots(around.machine)),
      registers_(make_register_file(core_lanes, protocol::maximum_warps)),
      warps_(protocol::maximum_warps),
      slots_(protocol::maximum_warps) {
    blocks.count_by([this](const protocol::block_dispatch& block) { return leave(block); });
}

void core_follower::clock_edge() {
    if (reporter_.stopped()) return;
    edge_ = domain_.edge();
    if (pins_.valid.read()) follow(core_record::of(pins_));
    if (leaving_) end_leaving();
}

void core_follower::wrong(const core_record& r, const std::string& what) {
    reporter_.model_error(
        fmt::format("retire port in cycle {}: launch {}, block {}, warp {} (slot {}), n {}, PC "
                    "0x{:08x}, lanes 0x{:08x}: {}",
                    edge_, r.launch, r.block, r.warp, r.slot, r.n, r.pc, r.lanes, what));
}

void core_follower::follow(const core_record& r) {
    const bool of_warp = r.what == kind::step || r.what == kind::data || r.what == kind::drained;
    const unsigned slots = of_warp ? warp_slots(around_.machine) : around_.machine.smx.max_blocks;
    if (r.slot >= slots) {
        return wrong(r, fmt::format("{} slot {}; legal: up to {}", of_warp ? "warp" : "block",
                                    r.slot, slots - 1));
    }
    if (r.what != kind::block_begin) {
        const followed_block* const block = block_in(r);
        if (block == nullptr) return wrong(r, "a record of a block that has not begun");
        if (of_warp && warps_[r.slot].index != r.warp) {
            return wrong(
                r, fmt::format("slot {} has warp {} of the block", r.slot, warps_[r.slot].index));
        }
    }
    switch (r.what) {
        case kind::step:
            return step(r);
        case kind::data:
            return data(r);
        case kind::drained:
            return drained(r);
        case kind::block_begin:
            return begin(r);
        case kind::block_end:
            return end(r);
        case kind::barrier_release:
            return counts_.released();
    }
    wrong(r, fmt::format("a record of kind {}; legal: 0, 1, 2, 4, 5, 9",
                         static_cast<unsigned>(r.what)));
}

/// Null if the record's slot does not hold its block.
core_follower::followed_block* core_follower::block_in(const core_record& r) {
    const bool of_block = r.what == kind::block_end || r.what == kind::barrier_release;
    followed_block& block = slots_[of_block ? r.slot : warps_[r.slot].block];
    const bool here = block.dispatch && block.dispatch->launch.value() == r.launch &&
                      block.dispatch->block == r.block &&
                      (of_block || bits::test(block.warps, r.slot));
    return here ? &block : nullptr;
}

bool core_follower::diverges(const core_record& r, const isa::instruction& i,
                             const std::uint32_t* targets) {
    if (i.cls == instruction_class::branch) {
        return (r.taken & r.lanes) != 0 && (~r.taken & r.lanes) != 0;
    }
    if (i.cls != instruction_class::jump_register) return false;
    const std::uint32_t first = targets[bits::first(r.lanes)];
    bool apart = false;
    bits::for_each(r.lanes, [&](unsigned lane) { apart |= targets[lane] != first; });
    return apart;
}

/// From where the registers say: true for a jump that is no fault of the kernel, but of the SMX.
bool core_follower::targets_differ(const core_record& r, const isa::instruction& i,
                                   const std::uint32_t* targets) {
    if (i.cls != instruction_class::jump_register) return false;
    std::uint32_t expected[protocol::maximum_lanes];
    thread_group warp;
    warp.lanes = r.lanes;
    warp.home = static_cast<std::uint16_t>(r.slot);
    registers_->jump_targets(warp, i, expected);
    for (unsigned lane = 0; lane < core_lanes; ++lane) {
        if (!bits::test(r.lanes, lane) || targets[lane] == expected[lane]) continue;
        wrong(r, fmt::format("lane {} jumps to 0x{:08x}; expected: 0x{:08x}", lane, targets[lane],
                             expected[lane]));
        return true;
    }
    return false;
}

void core_follower::step(const core_record& r) {
    followed_warp& w = warps_[r.slot];
    followed_block& block = slots_[w.block];
    if (r.n != w.n + 1) return wrong(r, fmt::format("its step before was number {}", w.n));
    if (r.pc != w.pc || r.lanes != w.lanes || r.lanes == 0) {
        return wrong(
            r, fmt::format("its step before says PC 0x{:08x}, lanes 0x{:08x}", w.pc, w.lanes));
    }
    const program::kernel_code& code = block.place.kernel->code;
    const isa::instruction* const i = code.contains(r.pc) ? &code.at(r.pc) : nullptr;
    if (i != nullptr && r.word != i->raw) {
        return wrong(r,
                     fmt::format("executes the word 0x{:08x}; expected: 0x{:08x}", r.word, i->raw));
    }
    issued_instruction issued{edge_, r.slot, issue_number(r.n), r.pc, isa::lane_mask{r.lanes}, i};
    std::optional<access_checker::fault> illegal;
    if (i != nullptr && i->is_memory()) illegal = judge(r, w, *i);
    std::uint32_t targets[core_lanes];
    read_row(pins_.address.read(), targets);
    for (std::uint32_t& target : targets) target &= ~1U;  // as jalr does
    if (i != nullptr && targets_differ(r, *i, targets)) return;
    const core_faults::instruction at{
        block.place, r.slot,  w.index, w.live,
        i,           illegal, targets, registers_->rounding_modes(r.slot)};
    if (i == nullptr || r.fault != core_fault::none) {
        // A wrong address is told before what is illegal in it.
        if (illegal && observer_ != nullptr) observer_->accessed(issued, access_);
        if (faults_.step(r, at)) return;
        return wrong(r, i == nullptr ? "executes where there is no code"
                                     : fmt::format("fault {} at '{}', which has none", r.fault,
                                                   isa::disassemble(*i, r.pc)));
    }
    if (faults_.leaves(r, at)) return;
    w.n = r.n;
    w.at = edge_;
    w.pc = r.next_pc;
    w.lanes = r.next_lanes;
    if (i->op == isa::opcode::exit) w.live &= ~r.lanes;
    if (r.live != w.live) {
        return wrong(r,
                     fmt::format("threads 0x{:08x} are alive; expected: 0x{:08x}", r.live, w.live));
    }
    ++block.steps;
    counts_.step(edge_, block.dispatch->kernel->kernel_number, *i, r, diverges(r, *i, targets),
                 (code.flags[code.index(r.pc)] & program::soft_double) != 0);
    if (i->cls == instruction_class::store && touches_shared()) counts_.stored_shared();
    if (i->is_memory()) {
        access(r, w, issued, std::move(illegal));
    } else {
        write(r, issued);
    }
}

/// A lane of access_ is in shared memory.
bool core_follower::touches_shared() const {
    bool shared = false;
    bits::for_each(access_.lanes, [&](unsigned lane) {
        shared |= program::shared_window.contains(access_.address[lane]);
    });
    return shared;
}

/// What is illegal in an access, whose lanes are in access_ then.
std::optional<access_checker::fault> core_follower::judge(const core_record& r,
                                                          const followed_warp& w,
                                                          const isa::instruction& i) {
    const followed_block& block = slots_[w.block];
    access_.flight.instruction = &i;
    access_.flight.number = issue_number(r.n);
    access_.launch = block.dispatch->launch;
    access_.block = block.told.slot;
    access_.block_index = block.dispatch->block;
    access_.shared_bytes = block.dispatch->kernel->per_block.shared_bytes;
    access_.lanes = r.lanes;
    access_.warp = warp_slot(r.slot);
    read_row(pins_.address.read(), access_.address);
    read_row(pins_.data.read(), access_.data);
    read_row(pins_.compare.read(), access_.compare);
    access_checker::windows windows;
    return checker_.check(access_, windows);
}

void core_follower::access(const core_record& r, followed_warp& w, const issued_instruction& issued,
                           std::optional<access_checker::fault> illegal) {
    const isa::instruction& i = *issued.instruction;
    const bool store = i.cls == instruction_class::store;
    if (i.cls != instruction_class::load) w.last_write = r.n;
    if (!store || illegal) {
        w.accesses.push_back(
            {r.n, r.pc, i.writes_register() ? i.rd : 0U, store ? 0 : r.lanes, std::move(illegal)});
    }
    if (observer_ != nullptr) observer_->accessed(issued, access_);
}

void core_follower::write(const core_record& r, issued_instruction& issued) {
    const isa::instruction& i = *issued.instruction;
    const std::uint32_t rd = i.writes_register() ? i.rd : 0;
    if (r.rd != rd || r.known != (rd == 0 ? 0 : r.lanes)) {
        return wrong(r, fmt::format("writes x{} in lanes 0x{:08x}; expected: x{} in lanes 0x{:08x}",
                                    r.rd, r.known, rd, rd == 0 ? 0 : r.lanes));
    }
    // Which lanes have an illegal rounding mode is seen in the messages of faults.
    if (writes_rounding_mode(i)) {
        const followed_warp& w = warps_[r.slot];
        registers_->access_csr(r.slot, i, r.lanes,
                               {slots_[w.block].place.identity, w.index, edge_, r.n});
    }
    alignas(64) std::uint32_t values[protocol::maximum_lanes];
    if (rd != 0) {
        read_row(pins_.value.read(), values);
        registers_->write({static_cast<std::uint16_t>(r.slot), nullptr}, rd, values, r.lanes);
    }
    // The clock is the SMX's own: what it reads is taken.
    if (reads_clock(i)) {
        const auto low = static_cast<std::uint32_t>(edge_);
        issued.edge = edge_ - (low - values[bits::first(r.lanes)]);
    }
    if (observer_ == nullptr) return;
    observer_->executed(issued, *registers_);
    if (i.cls == instruction_class::fence) observer_->fenced(edge_, r.slot);
}

void core_follower::data(const core_record& r) {
    followed_warp& w = warps_[r.slot];
    const auto of = std::find_if(w.accesses.begin(), w.accesses.end(),
                                 [&](const followed_access& each) { return each.n == r.n; });
    if (of == w.accesses.end()) return wrong(r, "values of a step that waits for none");
    if (r.fault != core_fault::none && !of->illegal) {
        return wrong(r, "memory refuses a legal access");
    }
    // An illegal access has legal lanes, too: they may come first. An illegal lane has a value if
    // a cache has read a piece of which a part is legal.
    const bool has_value = of->illegal && (r.known >> of->illegal->lane & 1) != 0;
    if (r.fault != core_fault::none || has_value) {
        return faults_.refused(slots_[w.block].place, r.slot, w.index, of->pc, *of->illegal);
    }
    if (r.rd != of->rd || (r.known & ~of->missing) != 0) {
        return wrong(r, fmt::format("values for x{} in lanes 0x{:08x}; missing are those for x{} "
                                    "in lanes 0x{:08x}",
                                    r.rd, r.known, of->rd, of->missing));
    }
    of->missing &= ~r.known;
    alignas(64) std::uint32_t values[protocol::maximum_lanes];
    read_row(pins_.value.read(), values);
    registers_->write({static_cast<std::uint16_t>(r.slot), nullptr},
                      r.rd == 0 ? isa::sink_register : r.rd, values, r.known);
    if (of->illegal) return;  // nothing is to be compared: its fault comes
    if (observer_ != nullptr) {
        observer_->loaded(edge_, r.slot, issue_number(r.n), r.known, values);
    }
    if (of->missing != 0) return;
    w.accesses.erase(of);
    if (observer_ != nullptr) {
        observer_->completed(edge_, r.slot, issue_number(r.n), *registers_);
    }
}

void core_follower::drained(const core_record& r) {
    const followed_warp& w = warps_[r.slot];
    if (r.n > w.n) {
        return wrong(r, fmt::format("writes drain up to step {}; the last step is {}", r.n, w.n));
    }
    for (const followed_access& each : w.accesses) {
        if (each.illegal && each.missing == 0 && each.n <= r.n) {
            return wrong(r, "an illegal store is performed: " + each.illegal->what);
        }
    }
    if (observer_ != nullptr && r.n >= w.last_write) observer_->writes_drained(edge_, r.slot);
}

}  // namespace heddle::pins
