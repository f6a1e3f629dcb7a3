// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/debugged_warp_slot.h"

#include <algorithm>

#include "hw/smx/lsu/queue/memory_instruction.h"
#include "models/program/address_map.h"
#include "models/simt/progress_text.h"

namespace heddle {
namespace {

std::uint64_t private_key(unsigned lane, std::uint32_t address) {
    return std::uint64_t{lane} << 32U | address;
}

std::byte byte_of(std::uint32_t value, unsigned which) {
    return static_cast<std::byte>(value >> 8 * which);
}

}  // namespace

void debugged_warp_slot::accessed(const issued_instruction& issued,
                                  const memory_instruction& access) {
    const isa::instruction& i = *issued.instruction;
    if (i.cls != isa::instruction_class::store) {
        const bool is_load = i.cls == isa::instruction_class::load;
        // Of an atomic one wants to know when it is done, also if no register takes its result.
        if (!is_load || i.writes_register()) {
            loads_.push_back({issued.number, i.rd, issued.lanes});
        }
        if (is_load) return;
    }
    bits::for_each(issued.lanes, [&](unsigned lane) {
        for (unsigned k = 0; k < i.access_bytes(); ++k) {
            const std::uint32_t at = access.address[lane] + k;
            const bool own = program::private_window.contains(at);
            // What an atomic leaves is not known yet.
            if (i.cls != isa::instruction_class::store) {
                own ? private_.erase(private_key(lane, at)) : stored_.erase(at);
            } else if (own) {
                private_[private_key(lane, at)] = byte_of(access.data[lane], k);
            } else {
                stored_[at] = byte_of(access.data[lane], k);
            }
        }
    });
}

void debugged_warp_slot::loaded(issue_number number, isa::lane_mask lanes) {
    for (load& each : loads_) {
        if (each.number == number) each.lanes &= ~lanes;
    }
}

void debugged_warp_slot::completed(issue_number number) {
    loads_.erase(std::remove_if(loads_.begin(), loads_.end(),
                                [&](const load& each) { return each.number == number; }),
                 loads_.end());
}

void debugged_warp_slot::hold(bool held) {
    movable_warps& warps = *parts_.inside.front.movable();
    if (held) {
        warps.hold(slot_);
    } else if (held_) {
        warps.go_on(slot_);
    }
    held_ = held;
}

bool debugged_warp_slot::at_barrier() const {
    return bits::test(parts_.inside.front.movable()->at_barrier(), slot_);
}

std::string debugged_warp_slot::doing() const {
    if (live() == 0) return "has ended";
    if (at_barrier()) return simt::at_barrier;
    const front_masks masks = parts_.inside.front.masks();
    return bits::test(masks.waits_for_memory, slot_) && !held_ ? "waits for memory" : "runs";
}

std::vector<simt::reconvergence_stack::entry> debugged_warp_slot::stack() const {
    if (live() == 0) return {};
    // The form that all formations share: PC of the group, then the stack, bottom first.
    std::vector<std::uint32_t> words;
    parts_.inside.front.movable()->save(slot_, words);
    std::vector<simt::reconvergence_stack::entry> entries(words[1]);
    const std::uint32_t* w = words.data() + 2;
    for (auto& e : entries) {
        e = {w[0], w[1], w[2], w[3], w[4] | isa::lane_mask{w[5]} << 32};
        w += 6;
    }
    if (!entries.empty()) entries.back().next_pc = words[0];
    return entries;
}

bool debugged_warp_slot::is_awaited(unsigned index, unsigned lane) const {
    return std::any_of(loads_.begin(), loads_.end(), [&](const load& each) {
        return each.rd == index && bits::test(each.lanes, lane);
    });
}

void debugged_warp_slot::set(unsigned index, unsigned lane, std::uint32_t value) {
    if (index == 0) return;
    alignas(64) std::uint32_t values[protocol::maximum_lanes] = {};
    values[lane] = value;
    parts_.inside.registers.write({static_cast<std::uint16_t>(slot_), nullptr}, index, values,
                                  bits::one(lane));
}

std::uint32_t debugged_warp_slot::device_address(unsigned lane, std::uint32_t address) const {
    if (!program::private_window.contains(address)) return address;
    const std::uint32_t region = context().dispatch->context.value() + index();
    return parts_.layout.address(region, address - program::private_window.base, lane);
}

bool debugged_warp_slot::exists(std::uint32_t address, std::size_t bytes, bool) const {
    if (program::shared_window.contains(address)) {
        return address - program::shared_window.base + bytes <=
               context().dispatch->kernel->per_block.shared_bytes;
    }
    if (program::private_window.contains(address)) {
        return address - program::private_window.base + bytes <= parts_.layout.bytes_per_thread;
    }
    const allocation_table& ranges = parts_.device.ranges();
    for (std::size_t i = 0; i < bytes; ++i) {
        const std::uint32_t at = address + static_cast<std::uint32_t>(i);
        if (ranges.find(at, 1) == nullptr && !ranges.in_pool(at & ~3U, false)) return false;
    }
    return true;
}

bool debugged_warp_slot::read(unsigned lane, std::uint32_t address, std::byte* to,
                              std::size_t bytes) {
    if (!exists(address, bytes, false)) return false;
    const bool own = program::private_window.contains(address);
    if (program::shared_window.contains(address)) {
        const std::uint8_t* const from = parts_.inside.shared.bytes(
            context().shared_base + address - program::shared_window.base);
        std::copy_n(reinterpret_cast<const std::byte*>(from), bytes, to);
    } else if (own) {
        for (std::size_t i = 0; i < bytes; ++i) {
            const std::uint32_t at = address + static_cast<std::uint32_t>(i);
            parts_.device.peek(to + i, device_address(lane, at), 1);
        }
    } else {
        parts_.device.peek(to, address, bytes);
    }
    for (std::size_t i = 0; i < bytes; ++i) {
        const std::uint32_t at = address + static_cast<std::uint32_t>(i);
        if (own) {
            const auto found = private_.find(private_key(lane, at));
            if (found != private_.end()) to[i] = found->second;
        } else {
            const auto found = stored_.find(at);
            if (found != stored_.end()) to[i] = found->second;
        }
    }
    return true;
}

bool debugged_warp_slot::write(unsigned lane, std::uint32_t address, const std::byte* from,
                               std::size_t bytes) {
    if (!exists(address, bytes, true)) return false;
    if (program::shared_window.contains(address)) {
        parts_.inside.shared.restore(context().shared_base + address - program::shared_window.base,
                                     from, static_cast<std::uint32_t>(bytes));
    } else if (program::private_window.contains(address)) {
        for (std::size_t i = 0; i < bytes; ++i) {
            const std::uint32_t at = address + static_cast<std::uint32_t>(i);
            poke(device_address(lane, at), from + i, 1);
            private_[private_key(lane, at)] = from[i];
        }
        return true;
    } else {
        poke(address, from, bytes);
    }
    for (std::size_t i = 0; i < bytes; ++i) stored_.erase(address + static_cast<std::uint32_t>(i));
    return true;
}

/// Memory and what caches have of it.
void debugged_warp_slot::poke(std::uint32_t address, const std::byte* from, std::size_t bytes) {
    parts_.device.poke(address, from, bytes);
    for (load_store_unit* each : parts_.load_store_units) {
        for (std::size_t i = 0; i < bytes; ++i) {
            each->change(address + static_cast<std::uint32_t>(i),
                         std::to_integer<std::uint8_t>(from[i]));
        }
    }
}

}  // namespace heddle
