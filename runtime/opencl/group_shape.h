// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

namespace heddle::opencl {

using work_size = std::array<std::uint64_t, 3>;

/// A work-group for a program that names none: each of its extents divides the range's, it has at
/// most `most` work-items, and as many in the first dimension as the others leave.
[[nodiscard]] work_size choose_group(const work_size& range, std::uint64_t most);

}  // namespace heddle::opencl
