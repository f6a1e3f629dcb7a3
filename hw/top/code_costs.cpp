// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/code_costs.h"

#include <algorithm>

#include "hw/top/gpu.h"
#include "hw/top/gpu_counts.h"

namespace heddle {

code_costs collect_code_costs(const gpu& machine) {
    code_costs all;
    const std::uint64_t idle = counts_at(machine, present(machine)).idle_cycles();
    for (const auto& smx : machine.smxs()) {
        if (!smx->has_core()) continue;
        const code_profile* const profile = smx->core().profile();
        if (profile == nullptr) continue;
        all.add(profile->costs());
        std::uint64_t& no_warp =
            all.elsewhere.slots[static_cast<std::size_t>(cycle_cause::no_warp)];
        no_warp -= std::min(no_warp, idle * smx->core().schedulers());
    }
    return all;
}

}  // namespace heddle
