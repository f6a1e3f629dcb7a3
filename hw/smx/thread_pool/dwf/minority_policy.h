// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/thread_pool/dwf/heap_policy.h"

namespace heddle {

/// `minority` (DMin): all warps of the PC at which the fewest threads wait, then those of the PC
/// that has the fewest by then, so that few threads that went another way catch up. Of equal PCs
/// the lower one. The hardware is that of `majority`, with the fewest threads at the heap's root.
class minority_policy final : public heap_policy {
public:
    static constexpr const char* name = "minority";
    static constexpr const char* description =
        "all warps of the PC with the fewest threads, then of the next such PC";

    explicit minority_policy(const warp_policy_setting& setting)
        : heap_policy(setting, pc_heap::root::fewest_threads) {}
};

}  // namespace heddle
