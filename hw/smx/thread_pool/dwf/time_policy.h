// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/thread_pool/dwf/warp_policy.h"

namespace heddle {

/// `time` (DTime): warps issue in the order in which they were opened.
class time_policy final : public warp_policy {
public:
    static constexpr const char* name = "time";
    static constexpr const char* description = "the warp that was opened first";

    explicit time_policy(const warp_policy_setting& setting) : pool_(setting.pool) {}

    [[nodiscard]] pool_index choose() const override { return pool_.oldest(); }

private:
    const warp_pool& pool_;
};

}  // namespace heddle
