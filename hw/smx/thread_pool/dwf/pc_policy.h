// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/thread_pool/dwf/warp_policy.h"

namespace heddle {

/// `pc` (DPC): the lowest PC first, so that threads that lag behind catch up. Of equal PCs the warp
/// with more threads, then the older one.
class pc_policy final : public warp_policy {
public:
    static constexpr const char* name = "pc";
    static constexpr const char* description = "the lowest PC";

    explicit pc_policy(const warp_policy_setting& setting) : pool_(setting.pool) {}

    [[nodiscard]] pool_index choose() const override {
        return pool_.first_by([this](pool_index w) { return pool_[w].tag.pc; });
    }

private:
    const warp_pool& pool_;
};

}  // namespace heddle
