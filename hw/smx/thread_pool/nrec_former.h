// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <vector>

#include "hw/smx/thread_pool/group_former.h"
#include "models/base/free_list.h"

namespace heddle {

/// NREC, SIMD serialization: a warp whose threads branch to different PCs splits into a warp for
/// each PC, and these never merge again. Fung, "Dynamic Warp Formation", 2008, section 3.1.
///
/// What arrives together is a warp. Warps issue in the order of their arrival, which is round
/// robin; those whose unit takes nothing are passed over. No hardware limits their number.
class nrec_former final : public group_former {
public:
    static constexpr const char* name = "nrec";
    static constexpr const char* description =
        "a warp splits where its threads branch to different PCs, and never merges again";

    explicit nrec_former(const group_former_setting&) {}

    void use_program(const protocol::thread_program&) override {}
    void arrive(const protocol::thread_arrival& threads) override;
    void pass(std::uint64_t) override {}
    void pick(const issue_filter& filter, protocol::thread_issue& issue) override;
    [[nodiscard]] std::uint64_t next_change() const override {
        return protocol::thread_turn::never;
    }
    [[nodiscard]] former_occupancy occupancy() const override { return {count_, 0, 0, 0}; }

private:
    static constexpr std::uint32_t none = ~0u;

    struct warp {
        protocol::thread_arrival threads;
        std::uint32_t next = none;  ///< that arrived later
    };
    void take(std::uint32_t index, std::uint32_t before, protocol::thread_issue& issue);

    std::vector<warp> warps_;
    free_list<std::uint32_t> free_;
    std::uint32_t first_ = none;
    std::uint32_t last_ = none;
    unsigned count_ = 0;
};

}  // namespace heddle
