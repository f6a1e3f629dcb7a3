// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Trace scopes: the first line is a pattern, the others are names.
#include <sstream>
#include <string>
#include <vector>

#include "hw/base/scope_filter.h"
#include "tests/fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace heddle;
    std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
    std::string pattern;
    std::getline(lines, pattern);
    std::vector<std::string> names;
    for (std::string line; std::getline(lines, line);) names.push_back(line);
    scope_filter filter({pattern});
    for (const std::string& name : names) (void)filter.selects(name);
    (void)filter.unmatched();
    (void)with_ranges(filter.blocks());
    (void)with_ranges(names);
    return 0;
}
