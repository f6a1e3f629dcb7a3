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

std::string failure(const std::vector<std::string>& settings) {
    machine_configuration machine;
    parameter_list parameters(machine);
    return message_of<configuration_error>([&] {
        load_configuration(parameters, {"", settings, {}});
    });
}

TEST(machine_configuration, widths_of_a_warp) {
    EXPECT_EQ(failure({"gpu.warp_size=48"}),
              "--set gpu.warp_size=48: gpu.warp_size = 48 is out of range: gpu.warp_size must be "
              "one of 8, 16, 32, 64 (unit: thread)");
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

TEST(machine_configuration, chooses_a_detection_where_there_is_one) {
    machine_configuration none;
    EXPECT_EQ(parameter_list(none).find("tm.detection"), nullptr);
    machine_configuration machine{transaction_configuration({{"a", "first"}, {"b", "second", 7}})};
    EXPECT_EQ(machine.tm.detection, (transaction_detection{"a"}));
    parameter_list parameters(machine);
    const parameter* const declared = parameters.find("tm.detection");
    ASSERT_NE(declared, nullptr);
    EXPECT_THAT(declared->description, HasSubstr(": a = first; b = second"));
    load_configuration(parameters, {"", {"tm.detection=b"}, {}});
    EXPECT_EQ(machine.tm.detection.vector_registers, 7);
    EXPECT_EQ(std::get<std::string>(declared->get()), "b");
}

}  // namespace
}  // namespace heddle
