// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <vector>

#include "hw/smx/divergence/formation.h"

namespace heddle {

/// PDOM: one reconvergence stack a warp (simt/reconvergence_stack.h). Fung, "Dynamic Warp
/// Formation", 2008, section 3.2. The limit of a group is where the top of its stack reconverges.
class pdom_formation final : public formation {
public:
    explicit pdom_formation(const formation_setting& setting)
        : stacks_(setting.warps), stack_entries_(setting.stack_entries) {}

    warp_group start(unsigned warp, std::uint32_t pc, isa::lane_mask lanes) override;
    warp_group advance(unsigned warp, std::uint32_t pc) override;
    std::optional<warp_group> follow(unsigned warp, const simt::transfer& to) override;
    warp_group exit(unsigned warp, isa::lane_mask lanes) override;
    void save(unsigned warp, std::vector<std::uint32_t>& words) const override;
    warp_group restore(unsigned warp, const std::uint32_t* words) override;
    void mark(unsigned warp, std::uint32_t pc) override { stacks_[warp].mark(pc); }
    [[nodiscard]] bool at_mark(unsigned warp) const override { return stacks_[warp].at_mark(); }
    warp_group leave(unsigned warp, isa::lane_mask lanes) override;
    warp_group rewind(unsigned warp, isa::lane_mask lanes) override;
    warp_group release(unsigned warp, std::uint32_t pc) override;
    [[nodiscard]] warp_group waiting(unsigned warp, isa::lane_mask live) const override;
    void watch(unsigned warp) override { stacks_[warp].watch(); }
    [[nodiscard]] isa::lane_mask waited(unsigned warp) const override {
        return stacks_[warp].waited();
    }

private:
    [[nodiscard]] warp_group top(unsigned warp) const;

    std::vector<simt::reconvergence_stack> stacks_;
    const unsigned stack_entries_;  ///< 0: no limit
};

}  // namespace heddle
