// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A campaign of random programs on our own machine, as a core that is not ours.
#include "tests/hw/top/told_simulation.h"
#include "tests/iss/random_kernel_program.h"

namespace heddle {
namespace {

class random_campaign : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(of, random_campaign, testing::Range(1U, 5U));

TEST_P(random_campaign, is_accepted) {
    iss::kernel_operations operations;
    operations.atomics = GetParam() % 2 == 0;
    const iss::random_kernel_program program(GetParam(), 12, iss::kernel_language::cpp, 2,
                                             operations);
    iss::foreign_rules rules = strict();
    rules.stale_loads = true;
    rules.threads_apart = GetParam() > 2;
    told_simulation core(configuration_of("tiny"), rules);
    const auto run = [&](device& gpu) {
        gpu.load(program.image());
        const std::vector<std::uint32_t> given{3, 0, 2, 1};
        const device_buffer<std::uint32_t> flags(gpu, given, "flags");
        const device_buffer<std::uint32_t> sums(gpu, 3 * iss::sums_of_block, "sums");
        for (const iss::kernel_tree& kernel : program.kernels()) {
            for (const std::uint32_t n : {1U, 2U}) {
                const device_buffer<std::uint32_t> out(gpu, 3 * 50, "out");
                const launch_shape shape{{3}, {50}};
                if (operations.atomics) {
                    launch(gpu, kernel.name, shape, n, 5U, flags.get(), out.get(), sums.get());
                } else {
                    launch(gpu, kernel.name, shape, n, 5U, flags.get(), out.get());
                }
                gpu.synchronize();
            }
        }
    };
    EXPECT_EQ(core.run(run), error_kind::none) << core.status().text();
    EXPECT_EQ(core.refused(), "");
    EXPECT_EQ(core.finding() ? core.finding()->text : "", "");
    EXPECT_GT(core.steps(), 5000U);
    const std::string table = core.coverage().table();
    EXPECT_THAT(table, testing::ContainsRegex("depth of divergence 3 +[1-9]")) << table;
    EXPECT_THAT(table, testing::ContainsRegex("barrier of some lanes +[1-9]"));
    EXPECT_THAT(table, testing::ContainsRegex("\nballot +[1-9]"));
}

}  // namespace
}  // namespace heddle
