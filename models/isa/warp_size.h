// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <type_traits>

#include "models/base/error.h"

/// The widths of a warp that lane loops are compiled for: DO(lanes) for each of them.
#define HEDDLE_FOR_EACH_WARP_SIZE(DO) DO(8) DO(16) DO(32) DO(64)

namespace heddle::isa {

[[nodiscard]] constexpr bool is_warp_size(unsigned lanes) noexcept {
#define HEDDLE_IS_WARP_SIZE(size) lanes == (size) ||
    return HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_IS_WARP_SIZE) false;
#undef HEDDLE_IS_WARP_SIZE
}

/// Returns f(std::integral_constant<unsigned, lanes>()). Throws configuration_error if no warp has
/// that many lanes.
template <class Function>
auto with_warp_size(unsigned lanes, Function&& f) {
    switch (lanes) {
#define HEDDLE_CASE_OF_WARP_SIZE(size) \
    case size:                         \
        return f(std::integral_constant<unsigned, size>());
        HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_CASE_OF_WARP_SIZE)
#undef HEDDLE_CASE_OF_WARP_SIZE
        default:
            throw configuration_error("gpu.warp_size = " + std::to_string(lanes) +
                                      ": a warp has 8, 16, 32 or 64 threads");
    }
}

}  // namespace heddle::isa
