// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/analytic/thread_traces.h"

/// The reconvergence point limit study of Fung, "Dynamic Warp Formation" (MASc thesis, 2008),
/// section 3.3: how many instructions warps issue when the memory is ideal, so that a warp issues
/// an instruction whenever it is its turn.
namespace heddle::analytic {

inline constexpr std::size_t study_threads = 128;  ///< of each launch, the first ones
inline constexpr std::size_t study_warp_size = 4;

/// Warp instructions of each way to handle branches.
struct limit_study {
    std::uint64_t warps = 0;
    std::uint64_t thread_instructions = 0;
    /// Threads that have parted never meet again.
    std::uint64_t no_reconvergence = 0;
    /// Threads meet at the immediate post-dominator of the branch where they parted. The control
    /// flow graph is that of the traces: a path that no thread took is not in it.
    std::uint64_t post_dominator = 0;
    /// The threads' futures are known: the best alignment of their traces. The four threads are
    /// aligned in two pairs and then the two results, for each of the three ways to form pairs; the
    /// best one counts. Threads stay together at barriers.
    std::uint64_t oracle = 0;
};

/// Cost: the product of the lengths of two traces between barriers, for each warp nine times.
[[nodiscard]] limit_study study_reconvergence(const thread_traces& traces);

}  // namespace heddle::analytic
