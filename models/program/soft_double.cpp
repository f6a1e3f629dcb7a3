// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/soft_double.h"

#include <algorithm>
#include <iterator>

namespace heddle::program {

bool is_soft_double(std::string_view function) noexcept {
    constexpr std::string_view of_c[] = {"ceil", "floor",     "fma",  "fmax",  "fmin",
                                         "rint", "nearbyint", "sqrt", "round", "trunc"};
    if (function.substr(0, 2) == "__") return function.find("df") != std::string_view::npos;
    return std::find(std::begin(of_c), std::end(of_c), function) != std::end(of_c);
}

}  // namespace heddle::program
