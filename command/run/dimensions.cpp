// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/dimensions.h"

#include <array>
#include <charconv>

#include "models/base/error.h"

namespace heddle::command {

dim3 parse_dimensions(const std::string& option, const std::string& text, std::uint32_t least) {
    std::array<std::uint32_t, 3> values{least, least, least};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto [next, error] = std::from_chars(at, end, values[i]);
        if (error != std::errc{} || values[i] < least) break;
        if (next == end) return {values[0], values[1], values[2]};
        if (*next != ',') break;
        at = next + 1;
    }
    throw configuration_error(option + " " + text +
                              ": expected X, X,Y or X,Y,Z with whole numbers from " +
                              std::to_string(least) + " on");
}

std::string dimensions_text(const dim3& extent) {
    std::string text = std::to_string(extent.x);
    if (extent.y != 1 || extent.z != 1) text += "," + std::to_string(extent.y);
    if (extent.z != 1) text += "," + std::to_string(extent.z);
    return text;
}

}  // namespace heddle::command
