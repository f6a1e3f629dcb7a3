// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "models/base/random.h"
#include "models/program/kernel.h"

namespace heddle::simt::test {

/// A random program: functions of basic blocks that branch forwards and backwards, jump through
/// tables, call (also through registers, and recursively), call at their end, return and exit.
/// Every branch, and every choice of a target, is a matter of the thread: see thread_walk.
struct random_code {
    program::kernel_code code;
    std::uint32_t entry = 0;
    bool calls = false;  ///< some function is called
    /// By instruction: PCs that an indirect jump or call may go to. The first one leads to the end
    /// of the thread by itself.
    std::vector<std::vector<std::uint32_t>> targets;
    /// Branches around a call that may be recursive: taken, they leave the call out.
    std::set<std::uint32_t> guards;
};

[[nodiscard]] random_code make_random_code(random_stream& random, unsigned functions);

}  // namespace heddle::simt::test
