// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::analytic {

/// A sequence of basic blocks.
using block_sequence = std::vector<std::uint32_t>;

/// The cheapest sequence that contains both: blocks that both have may stand once for both. It is
/// what Needleman and Wunsch's alignment (1970) gives when a block aligns with itself or with a
/// gap. `cost` has the cost of each block.
///
/// Time: the product of the lengths, without what they have in common at begin and end. Memory: the
/// sum of the lengths (Hirschberg 1975).
[[nodiscard]] block_sequence merge(const block_sequence& a, const block_sequence& b,
                                   const std::vector<std::uint32_t>& cost);

/// Sum of the costs.
[[nodiscard]] std::uint64_t cost_of(const block_sequence& blocks,
                                    const std::vector<std::uint32_t>& cost);

}  // namespace heddle::analytic
