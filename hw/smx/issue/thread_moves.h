// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/smx/blocks/block_table.h"
#include "hw/smx/blocks/movable_warps.h"
#include "hw/smx/issue/home_meetings.h"
#include "hw/smx/issue/pool_port.h"
#include "hw/smx/issue/thread_barriers.h"
#include "hw/smx/issue/thread_flights.h"
#include "hw/smx/pipeline/warp_waits.h"

namespace heddle {

/// How the threads of a block stop, leave the SMX and come back where they issue from pools: a home
/// warp is where its threads are. Threads in a pool stop when their group is picked, which costs
/// the turn. What a home warp leaves is the PC of each thread, and which of them wait at the
/// barrier.
class thread_moves final : public movable_warps {
public:
    /// What knows where threads are; all of it outlives the object.
    struct parts {
        unsigned warp_size;
        block_table& blocks;
        thread_flights& flights;
        std::vector<pool_port>& pools;
        const std::array<std::uint8_t, protocol::maximum_warps>& pool_of;  ///< by home warp
        home_meetings& meetings;
        thread_barriers& barriers;
        warp_waits& waits;
        std::vector<std::uint32_t>& arrived_at;  ///< by thread: PC of its last arrival, for reports
    };
    explicit thread_moves(const parts& of) : of_(of) {}

    /// Threads of these home warps that issue have to stop.
    [[nodiscard]] protocol::warp_mask stopping() const noexcept { return stopping_; }
    /// Threads that are picked in `pool` stop if they have to: all of them, as all home warps of a
    /// block are held together.
    [[nodiscard]] bool stop(unsigned pool, const protocol::thread_part& part,
                            const std::uint16_t* threads);

    // movable_warps
    void hold(unsigned warp) override { stopping_ |= bits::one(warp); }
    void go_on(unsigned warp) override;
    [[nodiscard]] protocol::warp_mask held() const override;
    [[nodiscard]] protocol::warp_mask at_barrier() const override;
    [[nodiscard]] bool counts_as_waiting(unsigned) const override { return false; }
    [[nodiscard]] bool rests(unsigned warp) const override;
    void save(unsigned warp, std::vector<std::uint32_t>& words) const override;
    void leave(unsigned warp) override;
    void come_back(unsigned warp, const std::uint32_t* words, bool at_barrier,
                   const program::kernel_code& code) override;

private:
    /// Home lanes of the warp's threads that are in `place`.
    [[nodiscard]] isa::lane_mask lanes_in(flight_place place, unsigned warp) const;
    [[nodiscard]] isa::lane_mask resting(unsigned warp) const {
        return lanes_in(flight_place::held, warp) | of_.meetings.resting(warp);
    }

    const parts of_;
    protocol::warp_mask stopping_ = 0;
};

}  // namespace heddle
