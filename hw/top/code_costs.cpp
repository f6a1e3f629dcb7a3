// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/code_costs.h"

#include <algorithm>

#include "hw/smx/smx_core.h"
#include "hw/top/gpu.h"
#include "hw/top/gpu_counts.h"

namespace heddle {

namespace {

void add(code_costs& all, const program_costs& one) {
    const auto known = std::find_if(
        all.programs.begin(), all.programs.end(),
        [&](const program_costs& each) { return &each.image.code() == &one.image.code(); });
    if (known == all.programs.end()) {
        all.programs.push_back(one);
        return;
    }
    for (std::size_t at = 0; at < one.instructions.size(); ++at) {
        known->instructions[at].add(one.instructions[at]);
    }
}

}  // namespace

code_costs collect_code_costs(const gpu& machine) {
    code_costs all;
    const gpu_counts counts = counts_at(machine, present(machine));
    for (const auto& smx : machine.smxs()) {
        const code_profile* const profile = smx->core().profile();
        if (profile == nullptr) continue;
        for (const program_costs& each : profile->programs()) add(all, each);
        instruction_cost elsewhere = profile->elsewhere();
        std::uint64_t& idle = elsewhere.slots[static_cast<std::size_t>(cycle_cause::no_warp)];
        idle -= std::min(idle, counts.idle_cycles() * smx->core().schedulers());
        all.elsewhere.add(elsewhere);
    }
    return all;
}

}  // namespace heddle
