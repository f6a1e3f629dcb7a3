// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "models/isa/csr.h"
#include "tb/kit/paths.h"

namespace heddle::program {
namespace {

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

/// The constants that device code needs, from the tables of models/isa.
std::map<std::string, std::uint32_t> expected_constants() {
    std::map<std::string, std::uint32_t> constants;
    for (const auto& row : isa::csr_table) {
        constants["HEDDLE_CSR_" + upper(row.name)] = static_cast<std::uint32_t>(row.number);
    }
    const auto add = [&](const char* op, std::uint32_t match) {
        const bool custom = (match & 0x7f) == 0x0b;
        if (!custom && std::string(op) != "amocas_w") return;
        constants["HEDDLE_" + upper(op) + "_FUNCT3"] = (match >> 12) & 7;
        constants["HEDDLE_" + upper(op) + "_FUNCT7"] = match >> 25;
    };
#define HEDDLE_INSTRUCTION(op, mnemonic, match, mask, format, cls, flags, meaning) add(#op, match);
#include "models/isa/instruction_table.def"
#include "tb/kit/paths.h"
    return constants;
}

std::map<std::string, std::uint32_t> device_constants() {
    std::map<std::string, std::uint32_t> constants;
    std::ifstream in(source_path("models/program/include/heddle/encoding.h"));
    std::string line;
    while (std::getline(in, line)) {
        std::istringstream words(line);
        std::string define, name, value;
        if (words >> define >> name >> value && define == "#define") {
            constants[name] = static_cast<std::uint32_t>(std::stoul(value, nullptr, 0));
        }
    }
    return constants;
}

TEST(encoding, the_device_header_agrees_with_the_instruction_set) {
    const auto expected = expected_constants();
    const auto found = device_constants();
    EXPECT_GT(expected.size(), 50u);
    for (const auto& [name, value] : expected) {
        const auto at = found.find(name);
        ASSERT_NE(at, found.end()) << "encoding.h lacks " << name;
        EXPECT_EQ(at->second, value) << name;
    }
    for (const auto& [name, value] : found) {
        EXPECT_EQ(expected.count(name), 1u) << "encoding.h has " << name << ", models/isa has not";
    }
}

}  // namespace
}  // namespace heddle::program
