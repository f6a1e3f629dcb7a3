// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/inputs/string_list.h"

#include <fmt/format.h>

#include <limits>

#include "models/base/error.h"
#include "models/inputs/spread.h"

namespace heddle::inputs {

void string_list::add(const std::uint8_t* first, std::size_t count) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    if (count > most - bytes.size()) {
        throw configuration_error(origin + ": the strings have more than 2^32 - 1 bytes");
    }
    bytes.insert(bytes.end(), first, first + count);
    offsets.push_back(static_cast<std::uint32_t>(bytes.size()));
}

std::string describe(const string_list& described) {
    std::vector<std::uint32_t> lengths;
    for (std::uint32_t i = 0; i < described.size(); ++i) lengths.push_back(described.length(i));
    const spread s = spread_of(lengths);
    return fmt::format("{}\n{} strings, {} bytes\n", described.origin, described.size(),
                       described.bytes.size()) +
           spread_line("length", s) + spread_table("length", "strings", s);
}

}  // namespace heddle::inputs
