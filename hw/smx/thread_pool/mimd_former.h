// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <vector>

#include "hw/smx/thread_pool/group_former.h"
#include "models/base/free_list.h"

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
    [[nodiscard]] former_occupancy occupancy() const override { return {count_, 0, 0, 0}; }

private:
    static constexpr std::uint32_t none = ~0u;
    static constexpr std::size_t needs = needs_constants + 1;

    struct thread {
        std::uint64_t order = 0;  ///< of arrival
        std::uint32_t next = none;
        std::uint32_t pc = 0;
        block_slot block{};
        std::uint16_t number = 0;
    };
    /// Threads whose next instruction has one need, by arrival.
    struct waiting {
        std::uint32_t first = none;
        std::uint32_t last = none;
    };

    /// The need of the oldest thread that finds a lane; `needs` if none does.
    [[nodiscard]] std::size_t next_need(std::uint32_t accepted, protocol::lane_mask left) const;
    /// Whether the oldest thread with need `a` came before that with need `b`, if both exist.
    [[nodiscard]] bool came_before(std::size_t a, std::size_t b) const;
    void give_out(std::size_t need, unsigned lane, protocol::thread_issue& issue);

    const issue_needs& needs_;
    const unsigned warp_size_;
    std::array<std::uint32_t, needs> interval_{};  ///< clocks
    std::vector<thread> threads_;
    free_list<std::uint32_t> free_;
    std::array<waiting, needs> waiting_{};
    /// By need: lanes whose unit is free in this turn.
    std::array<protocol::lane_mask, needs> free_lanes_{};
    /// By need and lane: first clock at which the lane's unit is free.
    std::array<std::array<std::uint64_t, protocol::maximum_lanes>, needs> free_at_{};
    std::uint64_t now_ = 0;
    std::uint64_t arrivals_ = 0;
    unsigned count_ = 0;
};

}  // namespace heddle
