// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "models/base/statistics.h"

namespace heddle {

/// What the execution of instructions counts, on every device alike.
struct execution_counts {
    std::uint64_t warp_instructions = 0;
    std::uint64_t thread_instructions = 0;
    std::uint64_t branches = 0;            ///< conditional branches and indirect jumps, by warp
    std::uint64_t divergent_branches = 0;  ///< those that split the warp's active lanes
    std::uint64_t memory_instructions = 0;
    std::uint64_t barriers = 0;             ///< by warp
    std::uint64_t blocks = 0;               ///< that have ended
    std::uint64_t double_instructions = 0;  ///< of double precision by software, by warp

    void add(const execution_counts& other) noexcept {
        warp_instructions += other.warp_instructions;
        thread_instructions += other.thread_instructions;
        branches += other.branches;
        divergent_branches += other.divergent_branches;
        memory_instructions += other.memory_instructions;
        barriers += other.barriers;
        blocks += other.blocks;
        double_instructions += other.double_instructions;
    }
    /// Takes away what had been counted before.
    void subtract(const execution_counts& earlier) noexcept {
        warp_instructions -= earlier.warp_instructions;
        thread_instructions -= earlier.thread_instructions;
        branches -= earlier.branches;
        divergent_branches -= earlier.divergent_branches;
        memory_instructions -= earlier.memory_instructions;
        barriers -= earlier.barriers;
        blocks -= earlier.blocks;
        double_instructions -= earlier.double_instructions;
    }
};

/// All launches of the kernels of one name.
struct kernel_counts {
    std::uint64_t launches = 0;
    execution_counts executed;
};

/// Of the whole GPU (scope "gpu"), of an SMX ("smx.N"), and of all launches of one kernel
/// ("kernel.NAME").
inline constexpr statistic_declaration execution_statistics[] = {
    {"warp_instructions", "instruction", "Instructions executed by warps"},
    {"thread_instructions", "instruction",
     "Instructions executed by threads: active lanes of executed warp instructions"},
    {"simd_efficiency", "", "Mean number of active lanes of an executed instruction / warp size"},
    {"branches", "instruction", "Conditional branches and indirect jumps executed by warps"},
    {"divergent_branches", "instruction", "Branches that split the active lanes of a warp"},
    {"memory_instructions", "instruction", "Loads, stores and atomics executed by warps"},
    {"barriers", "instruction", "Block barriers executed by warps"},
    {"blocks", "block", "Thread blocks that ended"},
};

/// Beside them where there were any.
inline constexpr statistic_declaration double_statistics[] = {
    {"double_instructions", "instruction",
     "Instructions executed by warps in functions that compute in double precision by software; "
     "only if there were any"},
};

/// Beside them of a kernel, scope "kernel.NAME".
inline constexpr statistic_declaration kernel_statistics[] = {
    {"launches", "launch", "Launches of the kernel"},
};

/// Sets execution_statistics, which are declared under `scope`.
void set_execution(statistics& into, const std::string& scope, const execution_counts& counts,
                   unsigned warp_size);
/// Declares and sets double_statistics where there is something to tell.
void collect_double(statistics& into, const std::string& scope, const execution_counts& counts);
/// Declares and sets both.
void collect_execution(statistics& into, const std::string& scope, const execution_counts& counts,
                       unsigned warp_size);
/// Declares and sets these tables under "kernel.NAME".
void collect_kernel(statistics& into, const std::string& name, const kernel_counts& counts,
                    unsigned warp_size);

}  // namespace heddle
