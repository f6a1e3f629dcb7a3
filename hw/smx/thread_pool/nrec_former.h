// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/thread_pool/group_former.h"
#include "hw/smx/thread_pool/need_queues.h"

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

    explicit nrec_former(const group_former_setting& setting) : needs_(setting.needs) {}

    void use_program(const protocol::thread_program&) override {}
    void arrive(const protocol::thread_arrival& threads) override {
        warps_.add(needs_.at(threads.pc), threads);
    }
    void pass(std::uint64_t) override {}
    void pick(const issue_filter& filter, protocol::thread_issue& issue) override;
    [[nodiscard]] std::uint64_t next_change() const override {
        return protocol::thread_turn::never;
    }
    [[nodiscard]] former_occupancy occupancy() const override { return {warps_.size(), 0, 0, 0}; }

private:
    const issue_needs& needs_;
    need_queues<protocol::thread_arrival> warps_;
};

}  // namespace heddle
