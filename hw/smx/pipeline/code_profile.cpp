// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/pipeline/code_profile.h"

#include <algorithm>
#include <numeric>

#include "models/program/address_map.h"

namespace heddle {

namespace {

/// Images share what they are: the same one has its code in the same place of the host's memory.
template <class Costs>
auto find(Costs& in, const program::image& image) {
    return std::find_if(in.begin(), in.end(),
                        [&](const auto& one) { return &one.image.code() == &image.code(); });
}

bool overlaps(const program::image& a, const program::image& b) {
    const auto ends = [](const program::kernel_code& code) {
        return code.base + 4 * code.instructions.size();
    };
    return a.code().base < ends(b.code()) && b.code().base < ends(a.code());
}

}  // namespace

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
    for (const program_costs& one : other.programs) {
        const auto mine = find(programs, one.image);
        if (mine == programs.end()) {
            programs.push_back(one);
            continue;
        }
        for (std::size_t at = 0; at < one.instructions.size(); ++at) {
            mine->instructions[at].add(one.instructions[at]);
        }
    }
}

void code_profile::use_program(const program::image& image) {
    if (find(programs_, image) != programs_.end()) return;
    const std::size_t first = program::code_position(image.code().base);
    const std::size_t end = first + image.code().instructions.size();
    for (program_costs& old : programs_) {
        if (!old.instructions.empty() || !overlaps(old.image, image)) continue;
        old.instructions = part_of(old.image);
    }
    if (costs_.size() < end) costs_.resize(end);
    std::fill(costs_.begin() + static_cast<std::ptrdiff_t>(first),
              costs_.begin() + static_cast<std::ptrdiff_t>(end), instruction_cost());
    programs_.push_back({image, {}});
}

std::vector<instruction_cost> code_profile::part_of(const program::image& image) const {
    const auto first =
        costs_.begin() + static_cast<std::ptrdiff_t>(program::code_position(image.code().base));
    return {first, first + static_cast<std::ptrdiff_t>(image.code().instructions.size())};
}

code_costs code_profile::costs() const {
    code_costs all{programs_, elsewhere_};
    for (program_costs& one : all.programs) {
        if (one.instructions.empty()) one.instructions = part_of(one.image);
    }
    return all;
}

}  // namespace heddle
