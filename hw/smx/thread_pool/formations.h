// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/base/part_list.h"
#include "hw/smx/smx_configuration.h"
#include "hw/smx/thread_pool/dwf/dwf_former.h"
#include "hw/smx/thread_pool/mimd_former.h"
#include "hw/smx/thread_pool/nrec_former.h"

namespace heddle {

/// `pdom`: the threads of a warp stay together (hw/smx/divergence), in warp slots and not in a
/// pool.
struct reconvergence_stacks {
    static constexpr const char* name = "pdom";
    static constexpr const char* description = "a reconvergence stack for each warp";
    static constexpr bool on_pool = false;
    static constexpr bool lane_units = false;
    static bool individual_return(const part_configurations&) noexcept { return false; }
    static bool shared_pool(const part_configurations&) noexcept { return false; }
};

/// What `smx.formation` chooses from; the first one is the default. A formation on a pool is made
/// of a group_former_setting.
using formations =
    part_list<formation_policy, reconvergence_stacks, nrec_former, dwf_former, mimd_former>;

/// What a formation goes with.
struct formation_row {
    const char* name;
    const char* description;
    bool on_pool;
    const char* schedulers;  ///< values of smx.scheduler that have an effect
    const char* needs;       ///< of other parameters; empty: nothing
};

[[nodiscard]] inline formation_row row_of(formation_policy policy) {
    return formations::visit(policy, [](auto part) -> formation_row {
        using formation = typename decltype(part)::type;
        if (!formation::on_pool) {
            return {formation::name, formation::description, false, "all", ""};
        }
        return {formation::name, formation::description, true, "none", "always barrel"};
    });
}

}  // namespace heddle
