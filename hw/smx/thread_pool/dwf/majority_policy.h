// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/thread_pool/dwf/heap_policy.h"

namespace heddle {

/// `majority` (DMaj): all warps of the PC at which the most threads wait, then those of the PC that
/// has the most threads by then. Of equal PCs the lower one.
class majority_policy final : public heap_policy {
public:
    static constexpr const char* name = "majority";
    static constexpr const char* description =
        "all warps of the PC with the most threads, then of the next such PC";

    explicit majority_policy(const warp_policy_setting& setting)
        : heap_policy(setting, pc_heap::root::most_threads) {}
};

}  // namespace heddle
