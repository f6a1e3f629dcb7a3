// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/memory_system.h"

#include <algorithm>
#include <cstring>

#include "models/base/bits.h"
#include "models/device/access_check.h"
#include "models/isa/atomic.h"
#include "models/program/address_map.h"

namespace heddle::iss {
namespace {

using isa::all_lanes;
using program::private_window;
using program::shared_window;

/// rows[lane] = memory[base + addresses[lane]] in the active lanes, extended as T's signedness
/// says.
template <class T, unsigned Lanes>
void gather(std::uintptr_t base, const std::uint32_t* addresses, lane_mask active,
            std::uint32_t* row) noexcept {
    const auto one = [=](unsigned lane) {
        T value;
        std::memcpy(&value, reinterpret_cast<const std::byte*>(base + addresses[lane]),
                    sizeof value);
        row[lane] = static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
    };
    if (active == all_lanes<Lanes>) {
        for (unsigned lane = 0; lane < Lanes; ++lane) one(lane);
    } else {
        bits::for_each(active, one);
    }
}

template <class T, unsigned Lanes>
void scatter(std::uintptr_t base, const std::uint32_t* addresses, lane_mask active,
             const std::uint32_t* row) noexcept {
    const auto one = [=](unsigned lane) {
        const auto value = static_cast<T>(row[lane]);
        std::memcpy(reinterpret_cast<std::byte*>(base + addresses[lane]), &value, sizeof value);
    };
    if (active == all_lanes<Lanes>) {
        for (unsigned lane = 0; lane < Lanes; ++lane) one(lane);
    } else {
        bits::for_each(active, one);
    }
}

/// Full warp, consecutive words from addresses[0] on.
template <unsigned Lanes>
bool is_contiguous(const std::uint32_t* addresses, lane_mask active) noexcept {
    if (active != all_lanes<Lanes>) return false;
    std::uint32_t difference = 0;
    for (unsigned lane = 0; lane < Lanes; ++lane) {
        difference |= addresses[lane] ^ (addresses[0] + 4 * lane);
    }
    return difference == 0;
}

template <unsigned Lanes>
void gather_any(const isa::instruction& load, std::uintptr_t base, const std::uint32_t* addresses,
                lane_mask active, std::uint32_t* row) noexcept {
    const bool extend = load.access_signed();
    switch (load.access_bytes()) {
        case 1:
            return extend ? gather<std::int8_t, Lanes>(base, addresses, active, row)
                          : gather<std::uint8_t, Lanes>(base, addresses, active, row);
        case 2:
            return extend ? gather<std::int16_t, Lanes>(base, addresses, active, row)
                          : gather<std::uint16_t, Lanes>(base, addresses, active, row);
        default:
            if (is_contiguous<Lanes>(addresses, active)) {
                std::memcpy(row, reinterpret_cast<const std::byte*>(base + addresses[0]),
                            std::size_t{4} * Lanes);
                return;
            }
            return gather<std::uint32_t, Lanes>(base, addresses, active, row);
    }
}

template <unsigned Lanes>
void scatter_any(unsigned bytes, std::uintptr_t base, const std::uint32_t* addresses,
                 lane_mask active, const std::uint32_t* row) noexcept {
    switch (bytes) {
        case 1:
            return scatter<std::uint8_t, Lanes>(base, addresses, active, row);
        case 2:
            return scatter<std::uint16_t, Lanes>(base, addresses, active, row);
        default:
            if (is_contiguous<Lanes>(addresses, active)) {
                std::memcpy(reinterpret_cast<std::byte*>(base + addresses[0]), row,
                            std::size_t{4} * Lanes);
                return;
            }
            return scatter<std::uint32_t, Lanes>(base, addresses, active, row);
    }
}

}  // namespace

template <unsigned Lanes>
void memory_system<Lanes>::allocations_changed(std::size_t instructions) {
    remembered_.assign(instructions, {});
}

template <unsigned Lanes>
typename memory_system<Lanes>::extent memory_system<Lanes>::bounds(const std::uint32_t* addresses,
                                                                   lane_mask active) noexcept {
    std::uint32_t low = ~0u;
    std::uint32_t high = 0;
    std::uint32_t bits = 0;
    // At most 32 lanes at once: a 32-bit variable shift is one vector instruction.
    constexpr unsigned part = Lanes < 32 ? Lanes : 32;
    for (unsigned base = 0; base < Lanes; base += part) {
        const auto mask = static_cast<std::uint32_t>(active >> base);
        for (unsigned lane = 0; lane < part; ++lane) {
            const std::uint32_t on = 0u - ((mask >> lane) & 1u);
            const std::uint32_t address = addresses[base + lane];
            low = std::min(low, address | ~on);
            high = std::max(high, address & on);
            bits |= address & on;
        }
    }
    return {low, high, bits};
}

template <unsigned Lanes>
std::uintptr_t memory_system<Lanes>::common_base(const extent& range, unsigned bytes, bool write,
                                                 std::size_t position,
                                                 const block<Lanes>& block) noexcept {
    const std::uint64_t size = std::uint64_t{range.high} - range.low + bytes;
    if (shared_window.contains(range.low)) {
        const std::uint64_t end = std::uint64_t{range.high} - shared_window.base + bytes;
        if (end > block.shared.size()) return 0;
        return reinterpret_cast<std::uintptr_t>(block.shared.data()) - shared_window.base;
    }
    remembered_range& known = remembered_[position];
    const std::uint32_t offset = range.low - known.address;
    if (range.low < known.address || offset + size > known.size || (write && !known.writable)) {
        const allocation* const found = ranges_->find(range.low, size);
        if (found == nullptr || (write && !found->writable)) return 0;
        known = {found->address, found->size, found->writable};
    }
    return reinterpret_cast<std::uintptr_t>(global_);
}

template <unsigned Lanes>
void memory_system<Lanes>::refuse(unsigned lane, std::uint32_t address, unsigned bytes,
                                  const char* verb, const block<Lanes>& block) const {
    const access_limits limits{static_cast<std::uint32_t>(block.shared.size()), private_bytes_,
                               *ranges_};
    throw access_fault{lane, illegal_access_text(verb, address, bytes, limits)};
}

template <unsigned Lanes>
void memory_system<Lanes>::check_alignment(const std::uint32_t* addresses, lane_mask active,
                                           unsigned bytes, const char* verb) const {
    bits::for_each(active, [&](unsigned lane) {
        if (addresses[lane] % bytes == 0) return;
        throw access_fault{lane, misaligned_access_text(verb, addresses[lane], bytes, *ranges_)};
    });
}

template <unsigned Lanes>
std::byte* memory_system<Lanes>::resolve(unsigned lane, std::uint32_t address, unsigned bytes,
                                         bool write, const char* verb, const block<Lanes>& block,
                                         warp<Lanes>& warp) {
    if (private_window.contains(address)) {
        const std::uint32_t offset = address - private_window.base;
        if (std::uint64_t{offset} + bytes > private_bytes_) {
            refuse(lane, address, bytes, verb, block);
        }
        if (write) warp.lowest_private_offset = std::min(warp.lowest_private_offset, offset & ~3u);
        auto* const word = warp.private_words + std::size_t{offset / 4} * Lanes + lane;
        return reinterpret_cast<std::byte*>(word) + offset % 4;
    }
    if (shared_window.contains(address)) {
        const std::uint32_t offset = address - shared_window.base;
        if (std::uint64_t{offset} + bytes > block.shared.size()) {
            refuse(lane, address, bytes, verb, block);
        }
        return const_cast<std::byte*>(block.shared.data()) + offset;
    }
    const allocation* const range = ranges_->find(address, bytes);
    const bool legal =
        range != nullptr ? range->writable || !write : ranges_->in_pool(address, write);
    if (!legal) refuse(lane, address, bytes, verb, block);
    return global_ + address;
}

template <unsigned Lanes>
void memory_system<Lanes>::load(const isa::instruction& instruction, std::size_t position,
                                const block<Lanes>& block, warp<Lanes>& warp, lane_mask active) {
    alignas(64) std::uint32_t addresses[Lanes];
    isa::effective_addresses<Lanes>(instruction, warp.registers, addresses);
    const unsigned bytes = instruction.access_bytes();
    const extent range = bounds(addresses, active);
    if (instruction.bypasses_l1()) place_.come_first();  // it may ask for news of other blocks
    if ((range.bits & (bytes - 1)) != 0) check_alignment(addresses, active, bytes, "read");
    std::uint32_t* const row = warp.registers.x[instruction.rd];
    const std::uint32_t offset = range.low - private_window.base;
    if (range.low == range.high && bytes == 4 && offset < private_bytes_) {
        // Every lane reads the same word of its stack: one row of the interleaved memory.
        const std::uint32_t* const words = warp.private_words + std::size_t{offset / 4} * Lanes;
        isa::write_register<Lanes>(warp.registers, instruction.rd, words, active);
        return;
    }
    if (const std::uintptr_t base = common_base(range, bytes, false, position, block); base != 0) {
        return gather_any<Lanes>(instruction, base, addresses, active, row);
    }
    bits::for_each(active, [&](unsigned lane) {
        std::uint32_t value = 0;
        std::memcpy(&value, resolve(lane, addresses[lane], bytes, false, "read", block, warp),
                    bytes);
        row[lane] = isa::extend_loaded(instruction, value);
    });
}

template <unsigned Lanes>
void memory_system<Lanes>::store(const isa::instruction& instruction, std::size_t position,
                                 block<Lanes>& block, warp<Lanes>& warp, lane_mask active) {
    alignas(64) std::uint32_t addresses[Lanes];
    isa::effective_addresses<Lanes>(instruction, warp.registers, addresses);
    const unsigned bytes = instruction.access_bytes();
    const extent range = bounds(addresses, active);
    if ((range.bits & (bytes - 1)) != 0) check_alignment(addresses, active, bytes, "write");
    const std::uint32_t* const row = warp.registers.x[instruction.rs2];
    const std::uint32_t offset = range.low - private_window.base;
    if (range.low == range.high && bytes == 4 && offset < private_bytes_) {
        std::uint32_t* const words = warp.private_words + std::size_t{offset / 4} * Lanes;
        bits::for_each(active, [&](unsigned lane) { words[lane] = row[lane]; });
        warp.lowest_private_offset = std::min(warp.lowest_private_offset, offset);
        return;
    }
    if (!watching_ && reservations_.empty()) {
        const std::uintptr_t base = common_base(range, bytes, true, position, block);
        if (base != 0) return scatter_any<Lanes>(bytes, base, addresses, active, row);
    }
    bits::for_each(active, [&](unsigned lane) {
        std::byte* const place = resolve(lane, addresses[lane], bytes, true, "write", block, warp);
        // A thread's own stack is no progress that another could see.
        const bool visible = !private_window.contains(addresses[lane]);
        if (visible) changed_ |= std::memcmp(place, &row[lane], bytes) != 0;
        std::memcpy(place, &row[lane], bytes);
        if (visible) drop_reservations(addresses[lane]);
    });
}

template <unsigned Lanes>
void memory_system<Lanes>::atomic(const isa::instruction& instruction, block<Lanes>& block,
                                  warp<Lanes>& warp, lane_mask active) {
    alignas(64) std::uint32_t addresses[Lanes];
    isa::effective_addresses<Lanes>(instruction, warp.registers, addresses);
    const unsigned bytes = instruction.access_bytes();
    const extent range = bounds(addresses, active);
    if (!shared_window.contains(range.low) || !shared_window.contains(range.high)) {
        place_.come_first();
    }
    if ((range.bits & (bytes - 1)) != 0) check_alignment(addresses, active, bytes, "atomic");
    const bool reserves = instruction.op == isa::opcode::lr_w;
    bits::for_each(active, [&](unsigned lane) {
        auto& x = warp.registers.x;
        const std::uint32_t address = addresses[lane];
        std::byte* const place = resolve(lane, address, bytes, !reserves, "atomic", block, warp);
        if (instruction.op == isa::opcode::sc_w) {
            return store_conditional(lane, address, place, warp, instruction);
        }
        std::uint32_t old = 0;
        std::memcpy(&old, place, sizeof old);
        if (reserves) {
            forget_lane(warp, lane);
            reservations_.push_back({&warp, lane, address});
        } else {
            const std::uint32_t next = isa::atomic_result(
                instruction.op, old, x[instruction.rs2][lane], x[instruction.rs3][lane]);
            changed_ |= next != old;
            std::memcpy(place, &next, sizeof next);
            if (!reservations_.empty()) drop_reservations(address);
        }
        x[instruction.rd][lane] = old;
    });
}

template <unsigned Lanes>
void memory_system<Lanes>::store_conditional(unsigned lane, std::uint32_t address, std::byte* place,
                                             warp<Lanes>& warp,
                                             const isa::instruction& instruction) {
    const bool holds =
        std::any_of(reservations_.begin(), reservations_.end(), [&](const reservation& r) {
            return r.owner == &warp && r.lane == lane && r.address == address;
        });
    forget_lane(warp, lane);  // successful or not, sc ends the reservation
    if (holds) {
        const std::uint32_t value = warp.registers.x[instruction.rs2][lane];
        changed_ |= std::memcmp(place, &value, sizeof value) != 0;
        std::memcpy(place, &value, sizeof value);
        drop_reservations(address);
    }
    warp.registers.x[instruction.rd][lane] = holds ? 0 : 1;
}

template <unsigned Lanes>
void memory_system<Lanes>::drop_reservations(std::uint32_t address) {
    // Naturally aligned accesses of up to a word touch exactly one word.
    const auto hit = [&](const reservation& r) { return r.address == (address & ~3u); };
    reservations_.erase(std::remove_if(reservations_.begin(), reservations_.end(), hit),
                        reservations_.end());
}

template <unsigned Lanes>
void memory_system<Lanes>::forget_lane(const warp<Lanes>& warp, unsigned lane) {
    const auto own = [&](const reservation& r) { return r.owner == &warp && r.lane == lane; };
    reservations_.erase(std::remove_if(reservations_.begin(), reservations_.end(), own),
                        reservations_.end());
}

template <unsigned Lanes>
void memory_system<Lanes>::forget(const warp<Lanes>& warp) {
    const auto own = [&](const reservation& r) { return r.owner == &warp; };
    reservations_.erase(std::remove_if(reservations_.begin(), reservations_.end(), own),
                        reservations_.end());
}

#define HEDDLE_INSTANTIATE(lanes) template class memory_system<lanes>;
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_INSTANTIATE)
#undef HEDDLE_INSTANTIATE

}  // namespace heddle::iss
