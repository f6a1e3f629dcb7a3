// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/execution_counts.h"

namespace heddle {

void set_execution(statistics& into, const std::string& scope, const execution_counts& counts,
                   unsigned warp_size) {
    const auto set = [&](const char* name, auto value) { into.set(scope + "." + name, value); };
    set("warp_instructions", counts.warp_instructions);
    set("thread_instructions", counts.thread_instructions);
    if (counts.warp_instructions != 0) {
        set("simd_efficiency", static_cast<double>(counts.thread_instructions) /
                                   static_cast<double>(counts.warp_instructions) / warp_size);
    }
    set("branches", counts.branches);
    set("divergent_branches", counts.divergent_branches);
    set("memory_instructions", counts.memory_instructions);
    set("barriers", counts.barriers);
    set("blocks", counts.blocks);
}

void collect_double(statistics& into, const std::string& scope, const execution_counts& counts) {
    if (counts.double_instructions == 0) return;
    into.declare(scope, double_statistics);
    into.set(scope + ".double_instructions", counts.double_instructions);
}

void collect_execution(statistics& into, const std::string& scope, const execution_counts& counts,
                       unsigned warp_size) {
    into.declare(scope, execution_statistics);
    set_execution(into, scope, counts, warp_size);
    collect_double(into, scope, counts);
}

void collect_kernel(statistics& into, const std::string& name, const kernel_counts& counts,
                    unsigned warp_size) {
    const std::string scope = "kernel." + name;
    into.declare(scope, kernel_statistics);
    into.set(scope + ".launches", counts.launches);
    collect_execution(into, scope, counts.executed, warp_size);
}

}  // namespace heddle
