// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
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
    /// A store to private memory, with addresses in device memory, becomes a load of its old words.
    void add(queued_instruction& m) {
        log_of_warp& log = warps_[m.warp.value()];
        bits::for_each(m.left.in_private, [&](unsigned lane) { ++log.stores[lane]; });
        log.entries.push_back({m, {}});
        m.log = (static_cast<entry_name>(log.entries.size()) << warp_bits) + m.warp.value() + 1;
        make_plain(m, false, m.left.in_private);
    }
    void set_old(entry_name entry, isa::lane_mask lanes, const std::uint32_t* values) noexcept {
        auto& old = warps_[(entry - 1) & (bits::one(warp_bits) - 1)]
                        .entries[((entry - 1) >> warp_bits) - 1]
                        .old;
        bits::for_each(lanes, [&](unsigned lane) { old[lane] = values[lane]; });
    }
    [[nodiscard]] bool empty(unsigned warp) const noexcept { return warps_[warp].entries.empty(); }
    /// Takes the warp's newest store off, and makes `m` the store that restores it for these lanes;
    /// only if not empty(). False: none of them has stored.
    [[nodiscard]] bool take(unsigned warp, isa::lane_mask lanes, queued_instruction& m) {
        auto& entries = warps_[warp].entries;
        const entry& newest = entries.back();
        const isa::lane_mask restored = newest.store.left.in_private & lanes;
        if (restored != 0) {
            m = newest.store;
            std::copy(newest.old.begin(), newest.old.end(), m.data);
            make_plain(m, true, restored);
        }
        entries.pop_back();
        return restored != 0;
    }
    void clear(unsigned warp) noexcept {
        warps_[warp].entries.clear();
        warps_[warp].stores = {};
    }

private:
    static constexpr unsigned warp_bits = 6;

    /// A load or store of as many bytes as before, without a register, which belongs to nobody.
    static void make_plain(queued_instruction& m, bool store, isa::lane_mask lanes) noexcept {
        static const isa::instruction accesses[2][3] = {
            {isa::decode(0x00004003), isa::decode(0x00005003),
             isa::decode(0x00002003)},  // lbu lhu lw
            {isa::decode(0x00000023), isa::decode(0x00001023),
             isa::decode(0x00002023)}};  // sb sh sw
        m.flight.instruction = &accesses[store ? 1 : 0][m.flight.instruction->access_bytes() / 2];
        m.flight.number = 0;
        m.transactional = false;
        m.lanes = lanes;
        m.left = {};
        m.left.in_private = lanes;
    }

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
