// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Write-back, fetch and blocks.
#include <algorithm>

#include "models/simt/private_layout.h"
#include "tb/smx_reference/smx_model.h"

namespace heddle::smx_reference {

// (2)

void smx_model::write_back_step() {
    held_ = false;
    std::stable_sort(results_.begin(), results_.end(),
                     [](const timed& a, const timed& b) { return a.due < b.due; });
    if (settings_.smx.writeback_interval != 0) return write_through_one_port();
    unsigned free =
        settings_.smx.writeback_ports - std::min(settings_.smx.writeback_ports, memory_results_);
    while (!results_.empty() && results_.front().due <= edge_) {
        if (free-- == 0) {
            ++counts_.writeback_conflicts;
            return;
        }
        warps_[results_.front().warp].waits.erase(results_.front().value);
        results_.erase(results_.begin());
    }
}

/// A port that each register keeps for some cycles, memory's first.
void smx_model::write_through_one_port() {
    const std::uint64_t interval = settings_.smx.writeback_interval;
    for (unsigned n = 0; n < memory_results_; ++n) {
        port_free_ = std::max(port_free_, edge_) + interval;
    }
    for (std::size_t n = 0; n < results_.size() && results_[n].due <= edge_;) {
        const timed result = results_[n];
        const bool writes = result.value != isa::sink_register;
        if (writes && (held_ || port_free_ > edge_)) {
            held_ = true;
            ++n;
            continue;
        }
        if (writes) port_free_ = edge_ + interval;
        warps_[result.warp].waits.erase(result.value);
        results_.erase(results_.begin() + static_cast<std::ptrdiff_t>(n));
    }
    counts_.writeback_conflicts += held_ ? 1 : 0;
}

void smx_model::fetch_events() {
    const auto take_due = [&](std::vector<timed>& from) {
        std::vector<timed> due;
        std::vector<timed> later;
        for (const timed& each : from) (each.due <= edge_ ? due : later).push_back(each);
        from = later;
        return due;
    };
    for (const timed& known : take_due(turns_)) warps_[known.warp].path_open = false;
    for (const timed& arrived : take_due(arrivals_)) {
        warps_[arrived.warp].fetching = false;
        deliver(arrived.warp, arrived.value);
    }
}

// (4)

bool smx_model::can_fetch(const warp& w) const {
    return w.live && !w.path_open && !w.fetching && w.buffered < settings_.smx.instruction_buffer &&
           fetch_pc(w) != w.path.limit();
}

void smx_model::fetch_step() {
    std::vector<bool> wants(warps_.size());
    for (unsigned slot = 0; slot < warps_.size(); ++slot) wants[slot] = can_fetch(warps_[slot]);
    const unsigned first = next_fetch_;
    unsigned width = settings_.smx.fetch_width;
    for (unsigned n = 0; n < warps_.size() && width != 0; ++n) {
        const auto slot = static_cast<unsigned>((first + n) % warps_.size());
        if (!wants[slot]) continue;
        --width;
        next_fetch_ = static_cast<unsigned>((slot + 1) % warps_.size());
        warps_[slot].fetching = fetch(slot);
    }
}

/// Whether instructions are under way now.
bool smx_model::fetch(unsigned slot) {
    const l1i_configuration& l1i = settings_.l1i;
    const std::uint32_t address = fetch_pc(warps_[slot]) / l1i.line * l1i.line;
    for (line& l : lines_) {
        if (l.address != address) continue;
        for (line& other : lines_) ++other.used;
        l.used = 0;
        const unsigned count = instructions_for(warps_[slot]);
        if (l1i.hit_latency == 1) {
            deliver(slot, count);
            return false;
        }
        arrivals_.push_back({edge_ + l1i.hit_latency, slot, count});
        return true;
    }
    if (missing_.count(address) == 0) {
        if (missing_.size() == l1i.mshrs || port_.room(port_model::instructions) == 0) return false;
        ++counts_.fetch_misses;
        port_.send(port_model::instructions,
                   {protocol::memory_kind::instruction_fetch, address, l1i.line,
                    [this, address] { fill_line(address); }},
                   edge_);
    }
    missing_[address].insert(slot);
    return true;
}

unsigned smx_model::instructions_for(const warp& w) const {
    unsigned count = 0;
    for (std::uint32_t pc = fetch_pc(w); w.buffered + count < settings_.smx.instruction_buffer;) {
        const isa::instruction& i = code().at(pc);
        ++count;
        pc += 4;
        if (i.is_control_flow() || i.op == isa::opcode::exit) break;
        if (pc % settings_.l1i.line == 0 || pc == w.path.limit() || !code().contains(pc)) break;
    }
    return count;
}

void smx_model::deliver(unsigned slot, unsigned instructions) {
    warp& w = warps_[slot];
    ++counts_.fetches;
    w.buffered += instructions;
    const isa::instruction& last = code().at(fetch_pc(w) - 4);
    if (last.is_control_flow() || last.op == isa::opcode::exit) w.path_open = true;
}

void smx_model::fill_line(std::uint32_t address) {
    const l1i_configuration& l1i = settings_.l1i;
    const std::uint32_t sets = l1i.size / l1i.line / l1i.ways;
    const auto set_of = [&](const line& l) { return l.address / l1i.line % sets; };
    line arrived{address, 0};
    for (line& other : lines_) ++other.used;
    std::uint32_t members = 0;
    auto oldest = lines_.end();
    for (auto l = lines_.begin(); l != lines_.end(); ++l) {
        if (set_of(*l) != set_of(arrived)) continue;
        ++members;
        if (oldest == lines_.end() || l->used > oldest->used) oldest = l;
    }
    if (members == l1i.ways) lines_.erase(oldest);
    lines_.push_back(arrived);
    for (const unsigned slot : missing_[address]) {
        warps_[slot].fetching = false;
        deliver(slot, instructions_for(warps_[slot]));
    }
    missing_.erase(address);
}

// (6)

void smx_model::block_step() {
    for (block& b : blocks_) {
        if (!b.dispatch || b.waiting == 0 || b.waiting != b.threads) continue;
        b.waiting = 0;
        for (const unsigned slot : b.warps) {
            if (!warps_[slot].at_barrier) continue;
            releases_.push_back({edge_ + settings_.smx.barrier_latency, slot, 0});
        }
    }
    for (unsigned number = 0; number < blocks_.size(); ++number) {
        block& b = blocks_[number];
        if (!b.dispatch || b.threads != 0) continue;
        const bool drained = std::all_of(b.warps.begin(), b.warps.end(),
                                         [&](unsigned slot) { return memory_.drained(slot); });
        if (!drained) continue;
        const simt::private_layout layout{settings_.machine.smx.private_bytes,
                                          settings_.machine.warp_size};
        const auto first = static_cast<std::uint32_t>(b.dispatch->context.value());
        const auto count = static_cast<std::uint32_t>(b.warps.size());
        const std::uint64_t low = layout.region_address(first + count - 1);
        memory_.discard(low, low + std::uint64_t{count} * layout.region_bytes());
        for (const unsigned slot : b.warps) warps_[slot].resident = false;
        tell(event::kind::done, number);
        b = {};
    }
    if (dispatched_.empty()) return;
    start_block(dispatched_.front());
    dispatched_.erase(dispatched_.begin());
}

void smx_model::start_block(pool_ptr<protocol::block_dispatch> dispatch) {
    block& b = blocks_[dispatch->slot.value()];
    const protocol::kernel_launch& launch = *dispatch->kernel;
    const unsigned lanes = settings_.machine.warp_size;
    b = {};
    b.threads = static_cast<std::uint32_t>(launch.block.count());
    if (dispatch->invalidate_l1) memory_.begin_launch();
    unsigned index = 0;
    for (std::uint32_t left = b.threads; left != 0; ++index) {
        const auto slot = static_cast<unsigned>(
            std::find_if(warps_.begin(), warps_.end(), [](const warp& w) { return !w.resident; }) -
            warps_.begin());
        const std::uint32_t own = std::min<std::uint32_t>(left, lanes);
        warp& w = warps_[slot];
        w = {};
        w.resident = w.live = true;
        w.block = dispatch->slot.value();
        w.index = index;
        w.threads.start({index, lanes, dispatch->block}, launch.parameter_address,
                        program::private_window.base + settings_.machine.smx.private_bytes);
        w.path.reset(launch.entry_pc, bits::below(own));
        b.warps.insert(slot);
        started_ |= std::uint64_t{1} << slot;
        memory_.new_warp(slot);
        left -= own;
    }
    b.dispatch = std::move(dispatch);
}

}  // namespace heddle::smx_reference
