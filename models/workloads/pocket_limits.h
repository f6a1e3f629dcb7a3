// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

namespace heddle::pockets {

/// When a thread hands a pocket on, and what of it: a parameter of kernels.
struct limits {
    unsigned threshold;  ///< fewest items
    unsigned block;      ///< threads in a block of the child
    unsigned whole;      ///< not 0: the child gets whole blocks, and its parent does the rest
};

}  // namespace heddle::pockets
