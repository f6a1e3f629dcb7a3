// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/statistics.h"

namespace heddle::iss {
namespace {

void set_execution(statistics& into, const std::string& scope, const execution_counts& counts,
                   unsigned warp_size) {
    into.declare(scope, execution_statistics);
    const auto set = [&](const char* name, auto value) { into.set(scope + "." + name, value); };
    set("warp_instructions", counts.warp_instructions);
    set("thread_instructions", counts.thread_instructions);
    if (counts.warp_instructions != 0) {
        set("warp_activity", static_cast<double>(counts.thread_instructions) /
                                 static_cast<double>(counts.warp_instructions) / warp_size);
    }
    set("branches", counts.branches);
    set("divergent_branches", counts.divergent_branches);
    set("memory_instructions", counts.memory_instructions);
    set("barriers", counts.barriers);
}

}  // namespace

void collect(const functional_simulator& simulator, statistics& into) {
    const unsigned warp_size = simulator.properties().warp_size;
    set_execution(into, "gpu", simulator.total(), warp_size);
    for (const auto& [name, counts] : simulator.kernels()) {
        const std::string scope = "kernel." + name;
        into.declare(scope, launch_statistics);
        into.set(scope + ".launches", counts.launches);
        into.set(scope + ".blocks", counts.blocks);
        set_execution(into, scope, counts.executed, warp_size);
    }
}

}  // namespace heddle::iss
