// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>

#include "hw/base/part_list.h"
#include "hw/smx/thread_pool/dwf/majority_policy.h"
#include "hw/smx/thread_pool/dwf/minority_policy.h"
#include "hw/smx/thread_pool/dwf/pc_policy.h"
#include "hw/smx/thread_pool/dwf/pdom_priority_policy.h"
#include "hw/smx/thread_pool/dwf/time_policy.h"

namespace heddle {

/// What `dwf.policy` chooses from.
using warp_policies = part_list<warp_policy_kind, time_policy, pc_policy, majority_policy,
                                minority_policy, pdom_priority_policy>;

[[nodiscard]] inline std::unique_ptr<warp_policy> make_warp_policy(
    const warp_policy_setting& setting) {
    return warp_policies::visit(setting.configuration.policy, [&](auto part) {
        return std::unique_ptr<warp_policy>(
            std::make_unique<typename decltype(part)::type>(setting));
    });
}

}  // namespace heddle
