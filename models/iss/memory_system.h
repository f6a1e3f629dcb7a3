// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/flat_memory.h"
#include "models/device/allocation_table.h"
#include "models/iss/shared_turns.h"
#include "models/iss/warp.h"

namespace heddle::iss {

/// Why an access was refused, for the lane that did it.
struct access_fault {
    unsigned lane;
    std::string message;
};

/// Loads, stores and atomics of whole warps: address windows, bounds, reservations.
///
/// The lanes of one access take effect in ascending order: of several stores to one address, the
/// highest lane's stays, and atomics see those of lower lanes. An access may span windows.
/// A refused access throws access_fault; lanes below it may have taken effect.
template <unsigned Lanes>
class memory_system {
public:
    memory_system(flat_memory& global, const allocation_table& ranges,
                  std::uint32_t private_bytes) noexcept
        : global_(global.data()), ranges_(&ranges), private_bytes_(private_bytes) {}

    /// Forgets what is remembered of the allocation table; call it when that has changed.
    /// `instructions` is the size of the largest kernel code.
    void allocations_changed(std::size_t instructions);

    /// Of the turn that accesses memory now.
    [[nodiscard]] turn_place& place() noexcept { return place_; }

    /// `position` is the instruction's index in its kernel's code.
    void load(const isa::instruction& instruction, std::size_t position, const block<Lanes>& block,
              warp<Lanes>& warp, lane_mask active);
    void store(const isa::instruction& instruction, std::size_t position, block<Lanes>& block,
               warp<Lanes>& warp, lane_mask active);
    void atomic(const isa::instruction& instruction, block<Lanes>& block, warp<Lanes>& warp,
                lane_mask active);

    /// From now on, remember whether a store or an atomic changes a value.
    void watch_for_changes() noexcept {
        watching_ = true;
        changed_ = false;
    }
    void stop_watching() noexcept { watching_ = false; }
    [[nodiscard]] bool changed() const noexcept { return changed_; }

    /// A warp ends: its reservations go.
    void forget(const warp<Lanes>& warp);
    void forget_all() noexcept { reservations_.clear(); }

private:
    /// Lowest and highest address of the active lanes, and all their address bits or-ed.
    struct extent {
        std::uint32_t low, high, bits;
    };
    /// Memory that one static instruction last found legal.
    struct remembered_range {
        std::uint32_t address = 0;
        std::uint32_t size = 0;
        bool writable = false;
    };
    struct reservation {
        const warp<Lanes>* owner;
        unsigned lane;
        std::uint32_t address;
    };

    static extent bounds(const std::uint32_t* addresses, lane_mask active) noexcept;
    /// Number such that base + address is the host's place of every active lane's access; 0 if the
    /// lanes need to be looked at one by one.
    std::uintptr_t common_base(const extent& range, unsigned bytes, bool write,
                               std::size_t position, const block<Lanes>& block) noexcept;
    /// Host place of one lane's access. Throws access_fault.
    std::byte* resolve(unsigned lane, std::uint32_t address, unsigned bytes, bool write,
                       const char* verb, const block<Lanes>& block, warp<Lanes>& warp);
    [[noreturn]] void refuse(unsigned lane, std::uint32_t address, unsigned bytes, const char* verb,
                             const block<Lanes>& block) const;
    void check_alignment(const std::uint32_t* addresses, lane_mask active, unsigned bytes,
                         const char* verb) const;
    void store_conditional(unsigned lane, std::uint32_t address, std::byte* place,
                           warp<Lanes>& warp, const isa::instruction& instruction);
    /// A value was written to the word at `address`.
    void drop_reservations(std::uint32_t address);
    void forget_lane(const warp<Lanes>& warp, unsigned lane);

    std::byte* global_;
    const allocation_table* ranges_;
    std::uint32_t private_bytes_;
    std::vector<remembered_range> remembered_;  ///< by instruction
    std::vector<reservation> reservations_;
    turn_place place_;
    bool watching_ = false;
    bool changed_ = false;
};

#define HEDDLE_DECLARE(lanes) extern template class memory_system<lanes>;
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_DECLARE)
#undef HEDDLE_DECLARE

}  // namespace heddle::iss
