// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/machine_configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/configuration.h"
#include "models/base/error.h"
#include "tests/base/temporary_directory.h"

namespace heddle {
namespace {

using testing::HasSubstr;

const std::filesystem::path configs = HEDDLE_SOURCE_DIR "/configs";

machine_configuration machine_of(const std::string& name) {
    machine_configuration machine;
    parameter_list parameters(machine);
    load_configuration(parameters, {name, {}, {configs}});
    return machine;
}

std::string failure(const std::vector<std::string>& settings) {
    machine_configuration machine;
    parameter_list parameters(machine);
    return message_of<configuration_error>([&] {
        load_configuration(parameters, {"", settings, {}});
    });
}

TEST(machine_configuration, the_defaults_are_the_k20c) {
    const machine_configuration defaults;
    const machine_configuration gk110 = machine_of("gk110");
    EXPECT_EQ(defaults.warp_size, gk110.warp_size);
    EXPECT_EQ(defaults.smx_count, gk110.smx_count);
    EXPECT_EQ(defaults.smx.max_blocks, gk110.smx.max_blocks);
    EXPECT_EQ(defaults.smx.max_threads, gk110.smx.max_threads);
    EXPECT_EQ(defaults.smx.registers, gk110.smx.registers);
    EXPECT_EQ(defaults.smx.register_granule, gk110.smx.register_granule);
    EXPECT_EQ(defaults.smx.shared_bytes, gk110.smx.shared_bytes);
    EXPECT_EQ(defaults.smx.private_bytes, gk110.smx.private_bytes);
}

TEST(machine_configuration, every_shipped_file_loads_and_describes_itself) {
    const auto entries = list_configurations({configs});
    EXPECT_GE(entries.size(), 3U);
    for (const configuration_entry& entry : entries) {
        SCOPED_TRACE(entry.name);
        EXPECT_FALSE(entry.description.empty());
        EXPECT_NO_THROW(machine_of(entry.name));
    }
}

TEST(machine_configuration, southern_islands_has_wide_warps) {
    const machine_configuration si = machine_of("si");
    EXPECT_EQ(si.warp_size, 64U);
    EXPECT_EQ(si.smx_count, 32U);
    EXPECT_EQ(si.smx.shared_bytes, 65536U);
}

TEST(machine_configuration, tiny_holds_two_blocks_on_two_smx) {
    const machine_configuration tiny = machine_of("tiny");
    EXPECT_EQ(tiny.smx_count, 2U);
    EXPECT_EQ(tiny.smx.max_blocks, 2U);
}

TEST(machine_configuration, warps_have_32_or_64_threads) {
    EXPECT_EQ(failure({"gpu.warp_size=48"}),
              "--set gpu.warp_size=48: gpu.warp_size = 48 is out of range: gpu.warp_size must be "
              "one of 32, 64 (unit: thread)");
}

TEST(machine_configuration, rules_between_parameters) {
    EXPECT_EQ(failure({"smx.max_threads=96", "gpu.warp_size=64"}),
              "inconsistent configuration: smx.max_threads = 96 (--set), gpu.warp_size = 64 "
              "(--set): it must hold that smx.max_threads is a multiple of gpu.warp_size");
    EXPECT_THAT(failure({"smx.private_bytes=1000"}),
                HasSubstr("smx.private_bytes is a multiple of 16"));
    EXPECT_THAT(failure({"smx.registers=1024", "gpu.warp_size=64"}),
                HasSubstr("smx.registers is at least 32 * gpu.warp_size"));
}

}  // namespace
}  // namespace heddle
