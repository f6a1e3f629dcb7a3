// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/smx/lsu/instruction_queue.h"

namespace heddle {

/// Old values of the private memory that transactions store to, by warp. Each store of a warp is
/// an entry with the words that its lanes find there.
class private_log {
public:
    /// Of one store; `none` belongs to no store.
    using entry_name = std::uint32_t;
    static constexpr entry_name none = 0;

    /// `limit`: stores of one thread.
    private_log(unsigned warps, unsigned limit) : limit_(limit), warps_(warps) {}

    [[nodiscard]] unsigned limit() const noexcept { return limit_; }
    /// Whether each of these lanes may store once more.
    [[nodiscard]] bool has_room(unsigned warp, isa::lane_mask lanes) const noexcept {
        bool room = true;
        bits::for_each(lanes,
                       [&](unsigned lane) { room = room && warps_[warp].stores[lane] < limit_; });
        return room;
    }
    /// A store to private memory, with addresses in device memory. Its old words come later.
    [[nodiscard]] entry_name add(unsigned warp, const queued_instruction& store) {
        log_of_warp& log = warps_[warp];
        bits::for_each(store.left.in_private, [&](unsigned lane) { ++log.stores[lane]; });
        log.entries.push_back({store, {}});
        return (static_cast<entry_name>(log.entries.size()) << warp_bits) + warp + 1;
    }
    void set_old(entry_name entry, isa::lane_mask lanes, const std::uint32_t* values) noexcept {
        auto& old = warps_[(entry - 1) & (bits::one(warp_bits) - 1)]
                        .entries[((entry - 1) >> warp_bits) - 1]
                        .old;
        bits::for_each(lanes, [&](unsigned lane) { old[lane] = values[lane]; });
    }
    [[nodiscard]] bool empty(unsigned warp) const noexcept { return warps_[warp].entries.empty(); }
    /// The newest store of the warp, and takes it off; only if not empty(). `old`: by lane.
    template <class Restore>
    void take(unsigned warp, Restore&& restore) {
        auto& entries = warps_[warp].entries;
        restore(entries.back().store, entries.back().old.data());
        entries.pop_back();
    }
    void clear(unsigned warp) noexcept {
        warps_[warp].entries.clear();
        warps_[warp].stores = {};
    }

private:
    static constexpr unsigned warp_bits = 6;

    struct entry {
        queued_instruction store;
        std::array<std::uint32_t, protocol::maximum_lanes> old{};
    };
    struct log_of_warp {
        std::vector<entry> entries;  ///< oldest first
        std::array<std::uint16_t, protocol::maximum_lanes> stores{};
    };

    const unsigned limit_;
    std::vector<log_of_warp> warps_;
};

}  // namespace heddle
