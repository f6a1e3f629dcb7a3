// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/pipeline/code_profile.h"

#include <numeric>

namespace heddle {

void instruction_cost::add(const instruction_cost& other) noexcept {
    for (std::size_t cause = 0; cause < slots.size(); ++cause) slots[cause] += other.slots[cause];
    waited_for += other.waited_for;
    issues += other.issues;
    lanes += other.lanes;
    diverged += other.diverged;
    memory_issues += other.memory_issues;
    accesses += other.accesses;
    conflicts += other.conflicts;
}

std::uint64_t instruction_cost::lost() const noexcept {
    static_assert(static_cast<std::size_t>(cycle_cause::issued) == 0);
    return std::accumulate(slots.begin() + 1, slots.end(), std::uint64_t{0});
}

void code_costs::add(const code_costs& other) {
    elsewhere.add(other.elsewhere);
    if (!image) {
        image = other.image;
        instructions = other.instructions;
        return;
    }
    for (std::size_t at = 0; at < other.instructions.size(); ++at) {
        instructions[at].add(other.instructions[at]);
    }
}

void code_profile::use_program(const program::image& image) {
    costs_.image = image;
    costs_.instructions.resize(image.code().instructions.size());
}

}  // namespace heddle
