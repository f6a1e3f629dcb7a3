// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/cross/shrink.h"

#include <algorithm>
#include <set>

namespace heddle::cross {

namespace {

using iss::kernel_tree;
using iss::statement;
using iss::statements;
using kind = iss::statement_kind;

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

template <class T>
std::vector<T> without(const std::vector<T>& all, std::size_t first, std::size_t count) {
    std::vector<T> made(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(first));
    made.insert(made.end(), all.begin() + static_cast<std::ptrdiff_t>(first + count), all.end());
    return made;
}

/// Without halves, quarters, ... single elements.
template <class T>
std::vector<std::vector<T>> shorter(const std::vector<T>& all) {
    std::vector<std::vector<T>> made;
    for (std::size_t count = all.size(); count > 0; count /= 2) {
        for (std::size_t first = 0; first + count <= all.size(); first += count) {
            made.push_back(without(all, first, count));
        }
    }
    return made;
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

std::vector<kernel_tree> simpler_kernels(const kernel_tree& kernel) {
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

std::vector<launch_choice> simpler_launches(const launch_choice& launch) {
    std::vector<launch_choice> made;
    const auto lower = [&](auto&& member, auto... values) {
        for (const auto value : {static_cast<unsigned>(values)...}) {
            launch_choice smaller = launch;
            if (value >= member(smaller)) continue;
            member(smaller) = value;
            made.push_back(smaller);
        }
    };
    const auto less = [](unsigned value) { return value == 0 ? 0 : value - 1; };
    lower(
        [](auto& l) -> auto& { return l.blocks; }, 1, (launch.blocks + 1) / 2,
        std::max(1u, less(launch.blocks)));
    lower(
        [](auto& l) -> auto& { return l.threads; }, 1, 2, 4, 8, 16, 32,
        std::max(1u, less(launch.threads)));
    lower(
        [](auto& l) -> auto& { return l.priority; }, 0);
    lower(
        [](auto& l) -> auto& { return l.arguments.n; }, 0, less(launch.arguments.n));
    lower(
        [](auto& l) -> auto& { return l.arguments.m; }, 0);
    return made;
}

void drop_unlaunched(crossing& one) {
    for (std::size_t k = one.kernels.size(); k-- > 0;) {
        const bool launched = std::any_of(one.launches.begin(), one.launches.end(),
                                          [&](const auto& launch) { return launch.kernel == k; });
        if (launched) continue;
        one.kernels = without(one.kernels, k, 1);
        for (auto& launch : one.launches) launch.kernel -= launch.kernel > k ? 1 : 0;
    }
}

}  // namespace

std::vector<crossing> simpler(const crossing& one) {
    std::vector<crossing> made;
    for (auto& launches : shorter(one.launches)) {
        if (launches.empty()) continue;
        made.push_back(one);
        made.back().launches = std::move(launches);
        drop_unlaunched(made.back());
    }
    for (auto& changes : shorter(one.machine.changes)) {
        made.push_back(one);
        made.back().machine.changes = std::move(changes);
    }
    if (one.machine.configuration != "tiny") {
        made.push_back(one);
        made.back().machine.configuration = "tiny";
    }
    for (std::size_t l = 0; l < one.launches.size(); ++l) {
        for (const auto& launch : simpler_launches(one.launches[l])) {
            made.push_back(one);
            made.back().launches[l] = launch;
        }
    }
    for (std::size_t k = 0; k < one.kernels.size(); ++k) {
        for (auto& kernel : simpler_kernels(one.kernels[k])) {
            made.push_back(one);
            made.back().kernels[k] = std::move(kernel);
        }
    }
    return made;
}

crossing shrink(crossing one, const first_failing_of& first_failing,
                const std::function<bool()>& time_left) {
    constexpr std::size_t at_once = 8;
    for (bool shrunk = true; shrunk;) {
        shrunk = false;
        auto steps = simpler(one);
        for (std::size_t i = 0; i < steps.size() && time_left();) {
            const std::size_t count = std::min(at_once, steps.size() - i);
            const auto first = steps.begin() + static_cast<std::ptrdiff_t>(i);
            const std::size_t failing =
                first_failing({first, first + static_cast<std::ptrdiff_t>(count)});
            i += failing;
            if (failing == count) continue;
            one = std::move(steps[i]);
            steps = simpler(one);
            shrunk = true;
        }
    }
    return one;
}

}  // namespace heddle::cross
