// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/address_map.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "tb/kit/paths.h"

namespace heddle::program {
namespace {

TEST(address_map, windows_ascend_without_overlap) {
    std::uint64_t end = 0;
    for (const auto& window : address_map) {
        EXPECT_GE(window.base, end) << window.name;
        end = std::uint64_t{window.base} + window.size;
    }
    EXPECT_EQ(end, std::uint64_t{1} << 32);
}

TEST(address_map, finds_the_window_of_an_address) {
    EXPECT_STREQ(find_window(0)->name, "null guard");
    EXPECT_STREQ(find_window(0xffff)->name, "null guard");
    EXPECT_STREQ(find_window(0x10000)->name, "code");
    EXPECT_STREQ(find_window(0x10000000)->name, "shared");
    EXPECT_STREQ(find_window(0x2fffffff)->name, "private");
    EXPECT_EQ(find_window(0x30000000), nullptr);
    EXPECT_STREQ(find_window(0xffffffff)->name, "runtime reserve");
}

TEST(address_map, what_the_machine_keeps_lies_in_the_reserve) {
    EXPECT_TRUE(reserve_window.contains(saved_state.base, saved_state.size));
    EXPECT_EQ(saved_state.base + saved_state.size, launch_buffers.base);
    EXPECT_TRUE(reserve_window.contains(launch_buffers.base, launch_buffers.size));
}

TEST(address_map, a_range_must_lie_inside_as_a_whole) {
    EXPECT_TRUE(shared_window.contains(0x1ffffffc, 4));
    EXPECT_FALSE(shared_window.contains(0x1ffffffd, 4));
    EXPECT_FALSE(shared_window.contains(0x0ffffffc, 8));
    EXPECT_TRUE(reserve_window.contains(0xffffffff, 1));
    EXPECT_FALSE(reserve_window.contains(0xffffffff, 2));
}

TEST(address_map, the_linker_script_has_the_same_numbers) {
    std::ifstream in(source_path("models/program/device/heddle.ld"));
    const std::string script{std::istreambuf_iterator<char>(in), {}};
    const auto has = [&](const std::string& text, std::uint32_t address) {
        char number[16];
        std::snprintf(number, sizeof number, "0x%08x", address);
        return script.find(text + number + (text.rfind("ASSERT", 0) == 0 ? "" : ";")) !=
               std::string::npos;
    };
    EXPECT_TRUE(has("heddle_code_place : ", code_window.base));
    EXPECT_TRUE(has(". = ", shared_window.base));
    EXPECT_TRUE(has("heddle_data_place : ", heap_window.base));
    EXPECT_TRUE(has("ASSERT(. <= ", shared_window.base));
    EXPECT_TRUE(has("ASSERT(. <= ", shared_window.base + shared_window.size));
    EXPECT_TRUE(has("ASSERT(. <= ", heap_window.base + heap_window.size));
    EXPECT_FALSE(has(". = ", private_window.base));
}

}  // namespace
}  // namespace heddle::program
