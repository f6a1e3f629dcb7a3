// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The parameters of a kernel come from the constant cache of the SMX.
#include <gmock/gmock.h>

#include "models/program/address_map.h"
#include "tb/kit/paths.h"
#include "tb/smx/smx_bench.h"

namespace heddle {
namespace {

class smx_constant : public testing::Test {
protected:
    void build(const smx_bench_configuration& configuration) {
        device = std::make_unique<smx_bench>(bench, configuration);
        device->load(std::make_shared<program::image>(
            program::image::load(build_path("kernels/smx_tb.elf"))));
        device->memory().observe([this](const tlm::tlm_generic_payload& access) {
            const auto address = static_cast<std::uint32_t>(access.get_address());
            // Parameters lie at the lower end of the reserve, private memory at the upper one.
            constexpr std::uint32_t base = program::reserve_window.base;
            if (address >= base && address - base < (1U << 20)) requested.push_back(address);
        });
        value = {device->allocate(256, "value")};
        flag = {device->allocate(256, "flag")};
        out = {device->allocate(256, "out")};
        device->word(value.address) = 42;
    }
    void run() { EXPECT_EQ(device->run(), error_kind::none) << bench.status().text(); }

    testbench bench{"smx_constant", {}};
    std::unique_ptr<smx_bench> device;
    std::vector<std::uint32_t> requested;  ///< addresses of parameters that memory was asked for
    device_ptr<unsigned> value, flag, out;
};

TEST_F(smx_constant, warps_that_start_on_a_warm_cache_request_no_parameters) {
    build({});
    launch(*device, "read_value", {{200}, {256}}, value, flag, out);
    run();
    EXPECT_EQ(device->word(out.address), 42U);
    EXPECT_EQ(requested.size(), 1U) << "one line, once";
    EXPECT_EQ(device->block().core().counts().constants.misses, 1U);
    EXPECT_EQ(device->block().core().counts().constants.accesses, 200U * 8 * 3);
}

TEST_F(smx_constant, every_launch_requests_its_own) {
    build({});
    for (unsigned i = 0; i < 5; ++i) {
        launch(*device, "read_value", {{20}, {64}}, value, flag,
               device_ptr<unsigned>{out.address + 4 * i});
    }
    run();
    for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(device->word(out.address + 4 * i), 42U);
    EXPECT_EQ(requested.size(), 5U);
}

/// Launches that run at one time invalidate each other's lines, and read their own parameters.
TEST_F(smx_constant, launches_on_one_smx_keep_their_parameters) {
    build({});
    constexpr unsigned count = 16;
    for (unsigned i = 0; i < count; ++i) {
        launch_shape shape{{20}, {64}};
        shape.stream = i % 4 == 0 ? stream_id(0) : device->create_stream();
        launch(*device, "read_value", shape, value, flag,
               device_ptr<unsigned>{out.address + 4 * i});
    }
    run();
    for (unsigned i = 0; i < count; ++i) EXPECT_EQ(device->word(out.address + 4 * i), 42U) << i;
    EXPECT_GE(requested.size(), count);
}

TEST_F(smx_constant, without_the_cache_every_warp_requests_each_parameter) {
    smx_bench_configuration configuration;
    configuration.constant_cache.size = 0;
    build(configuration);
    launch(*device, "read_value", {{10}, {64}}, value, flag, out);
    run();
    EXPECT_EQ(requested.size(), 10U * 2 * 3);
}

}  // namespace
}  // namespace heddle
