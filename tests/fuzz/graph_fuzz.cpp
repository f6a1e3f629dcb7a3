// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The readers of graphs; the first line names the format, and may give arguments behind a comma.
#include <string>

#include "models/base/error.h"
#include "models/inputs/load_graph.h"
#include "tests/fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace heddle;
    const std::string text(reinterpret_cast<const char*>(data), size);
    const std::size_t end = text.find('\n');
    if (end == std::string::npos) return 0;
    const std::string first = text.substr(0, end);
    const std::size_t comma = std::min(first.find(','), first.size());
    const std::string format = first.substr(0, comma);
    if (format != "matrix_market" && format != "metis" && format != "dimacs" &&
        format != "edge_list" && format != "movielens") {
        return 0;
    }
    if (first.find("file") != std::string::npos) return 0;
    const memory_file file(data + end + 1, size - end - 1);
    try {
        (void)inputs::load_graph(format + ":file=" + file.path() + first.substr(comma));
    } catch (const configuration_error&) {
    }
    return 0;
}
