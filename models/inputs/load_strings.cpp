// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/inputs/load_strings.h"

#include "models/inputs/input_table.h"
#include "models/inputs/string_kinds.h"

namespace heddle::inputs {

const input_table<string_list>& string_inputs() {
    static const input_table<string_list> table(
        "list of strings", {line_file(), packet_capture(), packets(), random_strings()});
    return table;
}

string_list load_strings(const std::string& input, std::uint64_t seed) {
    return string_inputs().load(input, seed);
}

}  // namespace heddle::inputs
