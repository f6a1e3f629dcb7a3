// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/smx/thread_pool/dwf/warp_policy.h"
#include "models/program/kernel.h"

namespace heddle {

/// `pdom_priority` (DPdPri): the warp whose threads have passed the fewest post-dominators first,
/// so that threads that have not passed one catch up. Of equal counts the warp with more threads,
/// then the older one.
///
/// A thread carries a count. The count of a warp is the largest of its threads', and one more if
/// its PC is one where a branch reconverges. When the warp issues, its threads take its count.
class pdom_priority_policy final : public warp_policy {
public:
    static constexpr const char* name = "pdom_priority";
    static constexpr const char* description = "the fewest post-dominators passed";

    explicit pdom_priority_policy(const warp_policy_setting& setting)
        : pool_(setting.pool), of_thread_(setting.threads), of_warp_(setting.pool.entries()) {}

    void use_program(const protocol::thread_program& programs) override { programs_ = &programs; }
    void starts(isa::lane_mask lanes, const std::uint16_t* threads) override {
        bits::for_each(lanes, [&](unsigned lane) { of_thread_[threads[lane]] = 0; });
    }
    void takes(pool_index w, isa::lane_mask lanes, bool opens) override {
        const std::uint32_t pc = pool_[w].tag.pc;
        const std::uint32_t passes =
            programs_->flags[programs_->position(pc)] & program::reconvergence_point;
        std::uint32_t& count = of_warp_[w.value()];
        if (opens) count = 0;
        bits::for_each(lanes, [&](unsigned lane) {
            count = std::max(count, of_thread_[pool_.threads(w)[lane]] + passes);
        });
    }
    [[nodiscard]] pool_index choose() const override {
        return pool_.first_by([this](pool_index w) { return of_warp_[w.value()]; });
    }
    void leaves(pool_index w) override {
        bits::for_each(pool_[w].lanes, [&](unsigned lane) {
            of_thread_[pool_.threads(w)[lane]] = of_warp_[w.value()];
        });
    }

private:
    const warp_pool& pool_;
    const protocol::thread_program* programs_ = nullptr;
    std::vector<std::uint32_t> of_thread_;  ///< by number
    std::vector<std::uint32_t> of_warp_;    ///< by pool index
};

}  // namespace heddle
