// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/inputs/input_file.h"

#include "models/inputs/input_table.h"
#include "models/inputs/load_graph.h"
#include "models/inputs/load_strings.h"

namespace heddle::inputs {

std::string input_file(const std::string& input) {
    return string_inputs().names(input) ? string_inputs().file_of(input)
                                        : graph_inputs().file_of(input);
}

void check_input(const std::string& input, const std::string& default_input) {
    if (string_inputs().names(default_input)) {
        string_inputs().check(input);
    } else {
        graph_inputs().check(input);
    }
}

std::string describe_inputs() {
    return graph_inputs().describe() + "\n" + string_inputs().describe();
}

}  // namespace heddle::inputs
