// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/cross/shrink.h"

#include <algorithm>

#include "models/random_kernels/shorter.h"
#include "models/random_kernels/shrink.h"

namespace heddle::cross {

namespace {

using iss::shorter;
using iss::without;

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
        for (auto& kernel : iss::simpler(one.kernels[k])) {
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
