// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/foreign/foreign_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/base/bits.h"
#include "models/base/error.h"
#include "models/base/warp_slots.h"
#include "models/iss/lockstep_warp.h"
#include "models/program/address_map.h"

namespace heddle::iss {
namespace {

std::string name_of(const heddle_retired& r) {
    return fmt::format("block {} of launch {}", r.block, r.launch);
}

std::string warp_name(const heddle_retired& r) {
    return fmt::format("warp {} of {}", r.warp, name_of(r));
}

[[noreturn]] void refuse(const std::string& text) {
    throw configuration_error(text);
}

lockstep_step step_of(const heddle_retired& r, unsigned slot) {
    lockstep_step s;
    s.time = r.issued != 0 ? r.issued : r.cycle;
    s.sm = r.smx;
    s.slot = slot;
    s.number = r.n;
    s.pc = r.pc;
    s.lanes = r.lanes;
    s.told = &r;
    return s;
}

}  // namespace

foreign_core::foreign_core(lockstep_parts parts, const foreign_rules& rules)
    : machine_(parts.machine), rules_(rules), cores_(machine_.smx_count) {
    const std::uint64_t blocks = std::uint64_t{machine_.smx_count} * machine_.smx.max_blocks;
    if (blocks * shared_stride(machine_) > program::shared_window.size) {
        refuse(
            fmt::format("{} blocks with {} bytes of shared memory each; a core in lock-step can "
                        "have up to {} bytes in all",
                        blocks, machine_.smx.shared_bytes, program::shared_window.size));
    }
    parts.threads_apart = rules.threads_apart;
    parts.stale_loads = rules.stale_loads;
    parts.foreign = true;
    parts.order_by_warp = !rules.ordered;
    parts.report = [this](error_kind kind, const std::string& text, const auto& at) {
        found(kind, text, at);
    };
    reference_ = make_lockstep(std::move(parts));
}

foreign_core::~foreign_core() = default;

void foreign_core::launched(const prepared_launch& launch) {
    launches_[launch.id.value()] = {launch.shape.grid.count(),
                                    static_cast<std::uint32_t>(launch.shape.block.count())};
    reference_->launched(launch);
}

void foreign_core::take(const heddle_retired& r) {
    if (finding_) return;
    check_form(r);
    switch (r.kind) {
        case HEDDLE_STEP:
            step(r);
            break;
        case HEDDLE_DATA:
            data(r);
            break;
        case HEDDLE_DRAINED: {
            warp& w = warp_of(r);
            if (r.n > w.last) {
                refuse(fmt::format("{} has drained up to instruction {}, but its last one was {}",
                                   warp_name(r), r.n, w.last));
            }
            drain(r, w, r.n);
            break;
        }
        case HEDDLE_FENCED: {
            warp& w = warp_of(r);
            if (!rules_.tells_drained) drain(r, w, w.last);
            reference_->fenced(r.cycle, r.smx);
            break;
        }
        case HEDDLE_BLOCK_BEGIN:
            begin(r);
            break;
        case HEDDLE_BLOCK_END:
            end(r);
            break;
        case HEDDLE_BARRIER_RELEASE:
            release_barrier(r);
            break;
        default:
            refuse(
                "blocks that leave their SMX and transactions are not followed; legal: the "
                "other kinds");
    }
    cores_[r.smx].now = r.cycle;
}

/// What can be said of a record alone.
void foreign_core::check_form(const heddle_retired& r) const {
    const auto check = [](std::uint64_t value, std::uint64_t most, const char* what) {
        if (value > most) refuse(fmt::format("'{}' is {}; legal: 0 to {}", what, value, most));
    };
    check(r.kind, HEDDLE_BARRIER_RELEASE, "kind");
    check(r.smx, machine_.smx_count - 1, "smx");
    check(r.access, HEDDLE_ATOMIC, "access");
    check(r.rd, isa::register_count - 1, "rd");
    check(r.fault, 1, "fault");
    check(r.given, HEDDLE_GIVES_LIVE | HEDDLE_GIVES_NEXT | HEDDLE_GIVES_TAKEN, "given");
    if (r.warp_size != machine_.warp_size) {
        refuse(fmt::format("'warp_size' is {}, but the machine has warps of {}", r.warp_size,
                           machine_.warp_size));
    }
    const isa::lane_mask all = bits::below(machine_.warp_size);
    const auto within = [&](isa::lane_mask lanes, const char* what) {
        if ((lanes & ~all) == 0) return;
        refuse(fmt::format("'{}' has lane {}, but {} has lanes 0 to {}", what,
                           bits::first(lanes & ~all), warp_name(r), machine_.warp_size - 1));
    };
    within(r.lanes, "lanes");
    within(r.known, "known");
    within(r.live, "live");
    within(r.next_lanes, "next_lanes");
    within(r.taken, "taken");
    if ((r.known & ~r.lanes) != 0) {
        refuse(fmt::format("'known' has lane {} of {}, which 'lanes' has not",
                           bits::first(r.known & ~r.lanes), warp_name(r)));
    }
    if (r.issued > r.cycle) {
        refuse(fmt::format("'issued' is {}, after 'cycle' {}", r.issued, r.cycle));
    }
    if (r.cycle < cores_[r.smx].now) {
        refuse(fmt::format("'cycle' of SMX {} falls from {} to {}", r.smx, cores_[r.smx].now,
                           r.cycle));
    }
}

foreign_core::block& foreign_core::block_of(const heddle_retired& r) {
    for (const auto& b : cores_[r.smx].blocks) {
        if (b->launch == r.launch && b->index == r.block) return *b;
    }
    for (std::size_t i = 0; i < cores_.size(); ++i) {
        for (const auto& b : cores_[i].blocks) {
            if (b->launch != r.launch || b->index != r.block) continue;
            refuse(
                fmt::format("{} is on SMX {}, but the record has 'smx' {}", name_of(r), i, r.smx));
        }
    }
    refuse(
        fmt::format("{} has not begun, or has ended; HEDDLE_BLOCK_BEGIN comes first", name_of(r)));
}

foreign_core::warp& foreign_core::warp_of(const heddle_retired& r) {
    block& b = block_of(r);
    if (r.warp < b.warps.size()) return b.warps[r.warp];
    refuse(fmt::format("'warp' is {}, but {} has warps 0 to {}", r.warp, name_of(r),
                       b.warps.size() - 1));
}

void foreign_core::begin(const heddle_retired& r) {
    const auto known = launches_.find(r.launch);
    if (known == launches_.end()) {
        refuse(fmt::format("there is no launch {}, or it has ended", r.launch));
    }
    const extent& of = known->second;
    if (r.block >= of.blocks) {
        refuse(fmt::format("'block' is {}, but launch {} has blocks 0 to {}", r.block, r.launch,
                           of.blocks - 1));
    }
    core& c = cores_[r.smx];
    const unsigned warps = (of.threads + machine_.warp_size - 1) / machine_.warp_size;
    const std::uint64_t free_warps = bits::below(warp_slots(machine_)) & ~c.warp_slots;
    const std::uint64_t free_blocks = bits::below(machine_.smx.max_blocks) & ~c.block_slots;
    if (free_blocks == 0 || bits::count(free_warps) < warps) {
        refuse(
            fmt::format("{} begins on SMX {}, which has {} blocks and {} warps; the machine has "
                        "room for {} and {}",
                        name_of(r), r.smx, c.blocks.size(), bits::count(c.warp_slots),
                        machine_.smx.max_blocks, warp_slots(machine_)));
    }
    auto made = std::make_unique<block>();
    made->launch = r.launch;
    made->index = r.block;
    made->slot = bits::first(free_blocks);
    made->warps.resize(warps);
    std::uint64_t left = free_warps;
    std::uint64_t taken = 0;
    for (warp& w : made->warps) {
        w.slot = bits::first(left);
        taken |= std::uint64_t{1} << w.slot;
        left &= left - 1;
    }
    c.warp_slots |= taken;
    c.block_slots |= std::uint64_t{1} << made->slot;
    lockstep_block started;
    started.time = r.cycle;
    started.sm = r.smx;
    started.slot = made->slot;
    started.launch = launch_id(r.launch);
    started.index = r.block;
    started.warp_slots = taken;
    c.blocks.push_back(std::move(made));
    reference_->block_started(started);
}

void foreign_core::end(const heddle_retired& r) {
    block& b = block_of(r);
    core& c = cores_[r.smx];
    for (warp& w : b.warps) {
        if (!rules_.tells_drained) drain(r, w, w.last);
        c.warp_slots &= ~(std::uint64_t{1} << w.slot);
    }
    reference_->block_ended(r.smx, b.slot);
    c.block_slots &= ~(std::uint64_t{1} << b.slot);
    c.blocks.erase(std::find_if(c.blocks.begin(), c.blocks.end(),
                                [&](const auto& each) { return each.get() == &b; }));
}

void foreign_core::check_step(const heddle_retired& r, const warp& w) const {
    if (r.n != w.last + 1) {
        refuse(fmt::format("{} retires instruction n = {} after n = {}; legal: n = {}",
                           warp_name(r), r.n, w.last, w.last + 1));
    }
    const std::uint64_t issued = step_of(r, w.slot).time;
    if (issued < w.issued) {
        refuse(fmt::format("{} issues n = {} in cycle {}, before n = {} in cycle {}", warp_name(r),
                           r.n, issued, w.last, w.issued));
    }
    const bool late = r.access == HEDDLE_LOAD || r.access == HEDDLE_ATOMIC;
    if (r.rd != 0 && !late && r.fault == 0 && r.known != r.lanes) {
        refuse(
            fmt::format("{} gives no value of lane {} for the register that instruction n = {} "
                        "writes: 'known' lacks it",
                        warp_name(r), bits::first(r.lanes & ~r.known), r.n));
    }
}

void foreign_core::step(const heddle_retired& r) {
    warp& w = warp_of(r);
    check_step(r, w);
    w.last = r.n;
    w.issued = step_of(r, w.slot).time;
    if (w.steps.size() == steps_kept) w.steps.pop_front();
    w.steps.push_back(r);
    const lockstep_step s = step_of(r, w.slot);
    if (r.access == HEDDLE_NO_ACCESS) {
        std::uint32_t row[HEDDLE_LANES];
        std::copy(std::begin(r.value), std::end(r.value), row);
        return reference_->executed(s, row);
    }
    reference_->accessed(s, {r.address, r.data, r.compare, nullptr});
    if (finding_ || r.fault != 0) return;
    w.wrote |= r.access != HEDDLE_LOAD;
    if (r.access == HEDDLE_STORE) return;
    w.loads.push_back({r.n, r.lanes, r.rd});
    if (r.known != 0) deliver(r, w, w.loads.back(), r.known);
}

void foreign_core::data(const heddle_retired& r) {
    warp& w = warp_of(r);
    const auto found = std::find_if(w.loads.begin(), w.loads.end(),
                                    [&](const load& l) { return l.number == r.n; });
    if (found == w.loads.end()) {
        refuse(
            fmt::format("{} gets values for n = {}, which is no load or atomic that waits for "
                        "any",
                        warp_name(r), r.n));
    }
    if (const isa::lane_mask twice = r.lanes & ~found->left; twice != 0 || r.lanes == 0) {
        refuse(r.lanes == 0
                   ? fmt::format("{} gets values for n = {} in no lane", warp_name(r), r.n)
                   : fmt::format("lane {} of {} gets a value for n = {}, which has it already or "
                                 "does not access",
                                 bits::first(twice), warp_name(r), r.n));
    }
    if (r.known != r.lanes) {
        refuse(
            fmt::format("'known' of the values for n = {} of {} lacks lane {}; legal: as 'lanes'",
                        r.n, warp_name(r), bits::first(r.lanes & ~r.known)));
    }
    if (r.rd != 0 && r.rd != found->rd) {
        refuse(
            fmt::format("'rd' of the values for n = {} of {} is {}; legal: 0, or {} as in the step",
                        r.n, warp_name(r), r.rd, found->rd));
    }
    deliver(r, w, *found, r.lanes);
}

void foreign_core::deliver(const heddle_retired& r, warp& w, load& l, isa::lane_mask lanes) {
    const auto step = std::find_if(w.steps.begin(), w.steps.end(),
                                   [&](const heddle_retired& s) { return s.n == l.number; });
    if (step != w.steps.end()) {  // as it is shown beside a difference
        bits::for_each(lanes, [&](unsigned lane) { step->value[lane] = r.value[lane]; });
        step->known |= lanes;
    }
    reference_->loaded(r.cycle, r.smx, w.slot, l.number, lanes, r.value);
    if (finding_) return;
    reference_->returned(r.smx, w.slot, l.number, lanes);
    l.left &= ~lanes;
    if (l.left != 0) return;
    reference_->completed(r.cycle, r.smx, w.slot, l.number, {});
    w.loads.erase(w.loads.begin() + (&l - w.loads.data()));
}

void foreign_core::drain(const heddle_retired& r, warp& w, std::uint64_t up_to) {
    const bool told = r.kind == HEDDLE_DRAINED;
    if (!told && w.wrote) ++late_writes_;
    if (up_to == w.last) w.wrote = false;
    reference_->drained(r.cycle, r.smx, w.slot, up_to);
}

void foreign_core::release_barrier(const heddle_retired& r) {
    reference_->barrier_released(r.cycle, r.smx, block_of(r).slot);
}

void foreign_core::settled() {
    for (std::size_t i = 0; i < cores_.size(); ++i) {
        if (finding_ || cores_[i].blocks.empty()) continue;
        const block& b = *cores_[i].blocks.front();
        refuse(fmt::format("block {} of launch {} is on SMX {}; HEDDLE_BLOCK_END comes first",
                           b.index, b.launch, i));
    }
    reference_->settled();
    if (!finding_) launches_.clear();
}

void foreign_core::found(error_kind kind, const std::string& text,
                         const std::optional<lockstep_place>& at) {
    if (finding_) return;
    finding_ = foreign_finding{kind, text, at, {}};
    if (!at) return;
    for (const core& c : cores_) {
        for (const auto& b : c.blocks) {
            if (b->launch != at->launch.value() || b->index != at->block) continue;
            const std::deque<heddle_retired>& steps = b->warps[at->warp].steps;
            finding_->last_steps.assign(steps.begin(), steps.end());
        }
    }
}

}  // namespace heddle::iss
