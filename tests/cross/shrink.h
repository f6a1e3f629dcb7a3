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

/// Takes steps as long as `still_fails` says so of what they lead to, and `time_left`.
crossing shrink(crossing one, const std::function<bool(const crossing&)>& still_fails,
                const std::function<bool()>& time_left);

}  // namespace heddle::cross
