// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/pipeline/code_profile.h"

#include <algorithm>
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

void code_profile::use_program(const program::image& image, std::uint64_t edge) {
    settle(edge);
    for (turn& t : turns_) t.to = {t.to.cause, nowhere, nowhere};
    const auto known = std::find_if(
        programs_.begin(), programs_.end(),
        [&](const program_costs& each) { return &each.image.code() == &image.code(); });
    if (known != programs_.end()) {
        costs_ = known->instructions.data();
        return;
    }
    programs_.push_back({image, std::vector<instruction_cost>(image.code().instructions.size())});
    costs_ = programs_.back().instructions.data();
}

}  // namespace heddle
