// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/random_kernels/shrink.h"

#include <algorithm>
#include <utility>

#include "models/random_kernels/shorter.h"

namespace heddle::iss {
namespace {

using kind = statement_kind;

std::size_t count_in(const statements& all) noexcept {
    std::size_t count = 0;
    for (const statement& s : all) {
        count += 1 + count_in(s.first) + count_in(s.second) + count_in(s.third);
    }
    return count;
}

bool is_loop(const statement& s) {
    return s.what == kind::for_loop || s.what == kind::do_loop || s.what == kind::while_loop;
}

/// A loop's body outside the loop: statements know how many loops are around them, and what ends
/// the loop or its turn goes away.
statements outside_loop(const statements& all, unsigned loops, bool innermost = true) {
    statements made;
    for (statement s : all) {
        if (innermost && (s.what == kind::end_loop || s.what == kind::next_turn)) continue;
        if (s.depth > loops) --s.depth;
        const bool inside = innermost && !is_loop(s);
        for (auto* part : {&s.first, &s.second, &s.third}) {
            *part = outside_loop(*part, loops, inside);
        }
        made.push_back(std::move(s));
    }
    return made;
}

/// What may stand in the place of a statement.
std::vector<statements> parts_of(const statement& s) {
    if (is_loop(s)) return {outside_loop(s.first, s.depth)};
    std::vector<statements> parts;
    for (const auto* part : {&s.first, &s.second, &s.third}) {
        if (!part->empty()) parts.push_back(*part);
    }
    return parts;
}

std::vector<statements> simpler_lists(const statements& all) {
    auto made = shorter(all);
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (const auto& part : parts_of(all[i])) {
            statements replaced = without(all, i, 1);
            replaced.insert(replaced.begin() + static_cast<std::ptrdiff_t>(i), part.begin(),
                            part.end());
            made.push_back(std::move(replaced));
        }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (const auto part : {&statement::first, &statement::second, &statement::third}) {
            // An empty arm is no arm, and a loop without a body is of no use.
            for (auto& list : simpler_lists(all[i].*part)) {
                statements changed = all;
                changed[i].*part = std::move(list);
                made.push_back(std::move(changed));
            }
        }
    }
    return made;
}

bool calls(const statements& all, std::size_t function) {
    return std::any_of(all.begin(), all.end(), [&](const statement& s) {
        return (s.what == kind::call && s.value == function) || calls(s.first, function) ||
               calls(s.second, function) || calls(s.third, function);
    });
}

}  // namespace

std::vector<kernel_tree> simpler(const kernel_tree& kernel) {
    std::vector<kernel_tree> made;
    // Nobody calls the last function: it goes without a run that could tell.
    if (!kernel.functions.empty() && !calls(kernel.body, kernel.functions.size() - 1)) {
        made.push_back(kernel);
        made.back().functions.pop_back();
    }
    for (auto& body : simpler_lists(kernel.body)) {
        made.push_back(kernel);
        made.back().body = std::move(body);
    }
    for (std::size_t f = 0; f < kernel.functions.size(); ++f) {
        for (auto& body : simpler_lists(kernel.functions[f].body)) {
            made.push_back(kernel);
            made.back().functions[f].body = std::move(body);
        }
    }
    return made;
}

std::size_t statement_count(const kernel_tree& kernel) noexcept {
    std::size_t count = count_in(kernel.body);
    for (const kernel_function& f : kernel.functions) count += count_in(f.body);
    return count;
}

kernel_tree shrunk(kernel_tree failing, const std::function<bool(const kernel_tree&)>& fails) {
    for (bool again = true; again;) {
        again = false;
        std::vector<kernel_tree> steps = simpler(failing);
        for (std::size_t i = 0; i < steps.size();) {
            if (!fails(steps[i])) {
                ++i;
                continue;
            }
            failing = std::move(steps[i]);
            steps = simpler(failing);
            again = true;  // a step may become possible by later ones
        }
    }
    return failing;
}

}  // namespace heddle::iss
