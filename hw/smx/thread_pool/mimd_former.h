// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>

#include "hw/smx/thread_pool/group_former.h"
#include "hw/smx/thread_pool/need_queues.h"

namespace heddle {

/// MIMD, the bound of warp formation: in each turn the lanes take up to warp-size ready threads,
/// whatever their PCs, the oldest first. The peak rate and the scheduler are those of the others.
/// Fung, "Dynamic Warp Formation", 2008, sections 3.3 and 5.1.
///
/// Each lane has units of its own: a lane whose unit has an instruction of a long interval takes no
/// other for that unit, but for other units it does.
class mimd_former final : public group_former {
public:
    static constexpr const char* name = "mimd";
    static constexpr const char* description =
        "the lanes take ready threads whatever their PCs: an ideal bound";
    static constexpr bool lane_units = true;

    explicit mimd_former(const group_former_setting& setting);

    void use_program(const protocol::thread_program&) override {}
    void arrive(const protocol::thread_arrival& threads) override;
    void pass(std::uint64_t clocks) override { now_ += clocks; }
    void pick(const issue_filter& filter, protocol::thread_issue& issue) override;
    [[nodiscard]] std::uint64_t next_change() const override;
    [[nodiscard]] former_occupancy occupancy() const override { return {threads_.size(), 0, 0, 0}; }

private:
    struct thread {
        std::uint32_t pc = 0;
        block_slot block{};
        std::uint16_t number = 0;
    };
    using queues = need_queues<thread>;

    /// Lanes whose unit is free in this turn.
    [[nodiscard]] protocol::lane_mask free_lanes(unsigned need) const noexcept;
    void give_out(unsigned need, unsigned lane, protocol::thread_issue& issue);

    const issue_needs& needs_;
    const unsigned warp_size_;
    std::array<std::uint32_t, queues::needs> interval_{};  ///< clocks
    queues threads_;
    /// By need and lane: first clock at which the lane's unit is free.
    std::array<std::array<std::uint64_t, protocol::maximum_lanes>, queues::needs> free_at_{};
    std::array<std::uint64_t, queues::needs> all_free_at_{};  ///< the last of them
    std::uint64_t now_ = 0;
};

}  // namespace heddle
