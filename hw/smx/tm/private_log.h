// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "hw/protocol/link.h"
#include "models/base/bits.h"
#include "models/isa/instruction.h"

namespace heddle {

/// A store in a private_log, or none.
class logged_store {
public:
    logged_store() = default;
    logged_store(unsigned warp, std::size_t place) noexcept
        : warp_(static_cast<std::uint16_t>(warp)), place_(static_cast<std::uint32_t>(place)) {}

    [[nodiscard]] bool exists() const noexcept { return warp_ != nobody; }
    [[nodiscard]] unsigned warp() const noexcept { return warp_; }
    /// Among the stores of its warp, from the oldest.
    [[nodiscard]] std::uint32_t place() const noexcept { return place_; }

private:
    static constexpr std::uint16_t nobody = 0xffff;

    std::uint16_t warp_ = nobody;
    std::uint32_t place_ = 0;
};

/// What lanes of a warp stored to, and what was there before.
struct old_words {
    isa::lane_mask lanes = 0;
    unsigned bytes = 0;  ///< of each lane
    std::array<std::uint32_t, protocol::maximum_lanes> address{};
    std::array<std::uint32_t, protocol::maximum_lanes> value{};
};

/// Old values of the private memory that transactions store to, by warp. Each store of a warp is
/// an entry with the words that its lanes find there.
class private_log {
public:
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
    /// These lanes are about to store to `address`, which has an entry a lane.
    [[nodiscard]] logged_store add(unsigned warp, isa::lane_mask lanes, unsigned bytes,
                                   const std::uint32_t* address) {
        log_of_warp& log = warps_[warp];
        bits::for_each(lanes, [&](unsigned lane) { ++log.stores[lane]; });
        ++log.reads;
        old_words& words = log.entries.emplace_back();
        words.lanes = lanes;
        words.bytes = bytes;
        bits::for_each(lanes, [&](unsigned lane) { words.address[lane] = address[lane]; });
        return {warp, log.entries.size() - 1};
    }
    void set_old(logged_store store, isa::lane_mask lanes, const std::uint32_t* values) noexcept {
        auto& old = warps_[store.warp()].entries[store.place()].value;
        bits::for_each(lanes, [&](unsigned lane) { old[lane] = values[lane]; });
    }

    /// All lanes of the store have what was there before.
    void arrived(logged_store store) noexcept { --warps_[store.warp()].reads; }
    /// Whether that is so for all stores of a warp.
    [[nodiscard]] bool complete(unsigned warp) const noexcept { return warps_[warp].reads == 0; }

    [[nodiscard]] bool empty(unsigned warp) const noexcept { return warps_[warp].entries.empty(); }
    /// Takes the warp's newest store off; only if not empty(). `words` is what these lanes have
    /// stored to. False: none of them has.
    [[nodiscard]] bool take(unsigned warp, isa::lane_mask lanes, old_words& words) {
        auto& entries = warps_[warp].entries;
        words = entries.back();
        words.lanes &= lanes;
        entries.pop_back();
        return words.lanes != 0;
    }
    void clear(unsigned warp) noexcept {
        warps_[warp].entries.clear();
        warps_[warp].stores = {};
    }

private:
    struct log_of_warp {
        std::vector<old_words> entries;  ///< oldest first
        std::array<std::uint16_t, protocol::maximum_lanes> stores{};
        unsigned reads = 0;  ///< of old values that are under way
    };

    const unsigned limit_;
    std::vector<log_of_warp> warps_;
};

}  // namespace heddle
