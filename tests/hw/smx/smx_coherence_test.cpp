// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What an SMX sees of a value that another SMX changes: a plain load may hit a stale line of L1
// until a fence, or the first block of a launch, invalidates it.
#include <gmock/gmock.h>

#include "models/program/address_map.h"
#include "tb/kit/paths.h"
#include "tb/smx/smx_bench.h"

namespace heddle {
namespace {

class smx_coherence : public testing::TestWithParam<bool> {
protected:
    smx_coherence() : bench("smx_coherence", {}) {
        smx_bench_configuration configuration;
        configuration.l1d.cache_global = GetParam();
        device = std::make_unique<smx_bench>(bench, configuration);
        device->load(std::make_shared<program::image>(
            program::image::load(build_path("kernels/smx_tb.elf"))));
        value = {device->allocate(256, "value")};
        flags = {device->allocate(256, "flags")};
        out = {device->allocate(256, "out")};
        device->word(value.address) = 1;
        // The other SMX: once it sees the flag, it writes the value and answers.
        device->memory().observe([this](const tlm::tlm_generic_payload&) {
            if (device->word(flags.address) == 0) return;
            device->word(value.address) = 2;
            device->word(flags.address + 4) = 1;
        });
    }
    [[nodiscard]] std::vector<unsigned> result(unsigned count) {
        EXPECT_EQ(device->run(), error_kind::none) << bench.status().text();
        std::vector<unsigned> values(count);
        device->read(values.data(), out.address, 4 * count);
        return values;
    }

    testbench bench;
    std::unique_ptr<smx_bench> device;
    device_ptr<unsigned> value, flags, out;
};
INSTANTIATE_TEST_SUITE_P(cached, smx_coherence, testing::Bool());

TEST_P(smx_coherence, a_fence_invalidates_global_lines) {
    launch(*device, "stale_line", {{1}, {1}}, value, flags, out);
    EXPECT_THAT(result(3), testing::ElementsAre(1u, GetParam() ? 1u : 2u, 2u));
}

TEST_P(smx_coherence, a_launch_invalidates_global_lines) {
    launch(*device, "read_value", {{1}, {1}}, value, flags, out);
    launch(*device, "read_value", {{1}, {1}}, value, flags, device_ptr<unsigned>{out.address + 4});
    EXPECT_THAT(result(2), testing::ElementsAre(1u, 2u));
}

TEST_P(smx_coherence, blocks_of_one_launch_may_share_stale_lines) {
    // The second block of the launch does not invalidate: what it finds is up to L1.
    launch(*device, "read_value", {{2}, {1024}}, value, flags, out);
    EXPECT_THAT(result(1), testing::ElementsAre(GetParam() ? 1u : 2u));
}

}  // namespace
}  // namespace heddle
