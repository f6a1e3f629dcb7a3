// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <functional>

#include "tests/cross/crossing.h"

namespace heddle::cross {

/// Crossings that are a step simpler, the longest steps first: a launch less, settings of the
/// machine taken back, statements removed or replaced by their parts, fewer blocks and threads,
/// smaller arguments. Each is a legal program if `one` is.
std::vector<crossing> simpler(const crossing& one);

/// The first of several crossings that fails as the one at the start did; their number if none.
/// Several, because compiling them at once is cheaper.
using first_failing_of = std::function<std::size_t(const std::vector<crossing>&)>;

/// Takes steps as long as they lead to something that fails, and `time_left`.
crossing shrink(crossing one, const first_failing_of& first_failing,
                const std::function<bool()>& time_left);

}  // namespace heddle::cross
