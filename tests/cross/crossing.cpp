// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/cross/crossing.h"

#include <algorithm>

#include "tests/hw/top/machine_fixture.h"

namespace heddle::cross {

machine_abilities abilities_of(const gpu_configuration& configuration) {
    machine_abilities has;
    has.transactions = configuration.machine.tm.enabled;
    has.launches = configuration.machine.launch.enabled;
    has.cooperation = configuration.machine.coop.enabled;
    return has;
}

iss::kernel_tree draw_kernel(random_stream& random, const std::string& name) {
    iss::kernel_operations has;
    has.votes = random.chance(0.8);
    has.transactions = random.chance(0.25);
    has.cooperation = random.chance(0.3);
    has.atomics = random.chance(0.6);
    has.launches = random.chance(0.4);
    has.transactions |= has.launches && random.chance(0.3);  // children's, too
    if (has.cooperation && random.chance(0.5)) {
        has.resizing = true;
        has.atomics = has.launches = false;
    }
    return iss::make_random_kernel(random, name, iss::kernel_language::cpp, has);
}

namespace {

bool leaves(const iss::statements& all) {
    return std::any_of(all.begin(), all.end(), [](const iss::statement& s) {
        return s.what == iss::statement_kind::leave || leaves(s.first) || leaves(s.second) ||
               leaves(s.third);
    });
}

launch_choice draw_launch(random_stream& random, const iss::kernel_tree& kernel,
                          const machine_abilities& has) {
    launch_choice launch;
    launch.blocks = static_cast<unsigned>(1 + random.below(random.chance(0.5) ? 3 : 9));
    if (kernel.operations.resizing) launch.blocks = static_cast<unsigned>(3 + random.below(8));
    // A global barrier would wait for ever for a block all of whose threads have returned, and
    // without coop.enabled for blocks that find no place.
    const bool whole = has.cooperation && !leaves(kernel.body);
    if (kernel.operations.cooperation && !whole) launch.blocks = 1;
    launch.threads = random.chance(0.3) ? 64 : static_cast<unsigned>(1 + random.below(64));
    launch.priority = static_cast<unsigned>(random.below(3));
    launch.arguments.n = static_cast<std::uint32_t>(random.below(7));
    launch.arguments.m = static_cast<std::uint32_t>(random.below(8));
    for (auto& flag : launch.arguments.flags) flag = static_cast<std::uint32_t>(random.below(4));
    return launch;
}

/// Few places, for launches that run at once: the blocks of a cooperative kernel come and go only
/// where others want their places.
void crowd(random_stream& random, machine_choice& machine) {
    const std::string few = std::to_string(1 + random.below(2));
    for (const auto& change :
         {"smx.max_blocks=" + few, std::string("gpu.smx_count=2"), std::string("kmu.queues=32"),
          std::string("kernel_distributor.entries=32")}) {
        machine.changes.push_back(change);
    }
}

bool can_run(const iss::kernel_operations& needs, const machine_abilities& has) {
    return (!needs.transactions || has.transactions) && (!needs.launches || has.launches);
}

}  // namespace

crossing draw_crossing(random_stream& random, const std::vector<iss::kernel_tree>& kernels,
                       std::size_t& refused) {
    crossing made;
    made.machine = draw_machine(random, refused);
    const auto has =
        abilities_of(configuration_of(made.machine.configuration, made.machine.changes));
    std::vector<const iss::kernel_tree*> fit;
    for (const auto& kernel : kernels) {
        if (can_run(kernel.operations, has)) fit.push_back(&kernel);
    }
    const auto add = [&] {
        const auto& kernel = *fit[random.below(fit.size())];
        const auto at = std::find_if(made.kernels.begin(), made.kernels.end(),
                                     [&](const auto& other) { return other.name == kernel.name; });
        made.launches.push_back(draw_launch(random, kernel, has));
        made.launches.back().kernel = static_cast<std::size_t>(at - made.kernels.begin());
        if (at == made.kernels.end()) made.kernels.push_back(kernel);
    };
    for (auto left = fit.empty() ? 0 : 1 + random.below(3); left != 0; --left) add();
    const bool resizes = std::any_of(made.kernels.begin(), made.kernels.end(),
                                     [](const auto& kernel) { return kernel.operations.resizing; });
    if (resizes && has.cooperation) {
        crowd(random, made.machine);
        for (int more = 0; more < 3; ++more) add();
    }
    return made;
}

std::vector<std::string> mechanisms_of(const crossing& one) {
    std::vector<std::string> words{one.machine.configuration};
    for (const auto& change : one.machine.changes) {
        const auto equals = change.find('=');
        const std::string key = change.substr(0, equals), value = change.substr(equals + 1);
        if (key == "smx.formation" || key == "smx.scheduler" || key == "dwf.policy") {
            words.push_back(value);
        } else if (change == "smx.dual_issue=true" || change == "coop.preempt=true" ||
                   change == "dwf.pools=shared") {
            words.push_back(key);
        }
    }
    iss::kernel_operations has{false};
    bool children_transact = false;
    for (const auto& kernel : one.kernels) {
        has.transactions |= kernel.operations.transactions;
        has.cooperation |= kernel.operations.cooperation;
        has.resizing |= kernel.operations.resizing;
        has.launches |= kernel.operations.launches;
        children_transact |= kernel.operations.launches && kernel.operations.transactions;
        has.atomics |= kernel.operations.atomics;
    }
    if (has.transactions) words.emplace_back("transactions");
    if (has.cooperation) words.emplace_back("cooperative");
    if (has.resizing) words.emplace_back("resizing");
    if (has.launches) words.emplace_back("launches");
    if (children_transact) words.emplace_back("transacting_children");
    if (has.atomics) words.emplace_back("atomics");
    return words;
}

}  // namespace heddle::cross
