// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Random divergent programs on the RTL SMX, in lock step with the functional simulator, with stalls
// on all pins; results are compared with the programs' trees, too.
#include <gmock/gmock.h>

#include "tests/iss/random_kernel_program.h"
#include "tests/rtl_smx/rtl_device.h"

namespace heddle::rtl_smx {
namespace {

struct random_case {
    const char* name;
    unsigned stall;  ///< percent
    unsigned threads;
    bool atomics;
};

std::ostream& operator<<(std::ostream& out, const random_case& one) {
    return out << one.name;
}

class rtl_random : public testing::TestWithParam<random_case> {};

void run_one(rtl_device& gpu, const iss::kernel_tree& kernel, const random_case& one,
             const iss::kernel_arguments& arguments) {
    const std::vector<std::uint32_t> flags(arguments.flags.begin(), arguments.flags.end());
    const device_buffer<std::uint32_t> given(gpu, flags, "flags");
    const device_buffer<std::uint32_t> out(gpu, one.threads, "out");
    const device_buffer<std::uint32_t> sums(gpu, std::vector<std::uint32_t>(iss::sums_of_block, 0),
                                            "sums");
    const launch_shape shape{{1}, {one.threads}};
    if (one.atomics) {
        launch(gpu, kernel.name, shape, arguments.n, arguments.m, given.get(), out.get(),
               sums.get());
    } else {
        launch(gpu, kernel.name, shape, arguments.n, arguments.m, given.get(), out.get());
    }
    const auto expected = iss::result_of(kernel, arguments, one.threads, lanes);
    ASSERT_EQ(out.read(), expected.out) << source_text(kernel);
    ASSERT_THAT(sums.read(), testing::ElementsAreArray(expected.sums)) << source_text(kernel);
}

/// HEDDLE_RANDOM_KERNELS sets how many, HEDDLE_RANDOM_SEED which.
TEST_P(rtl_random, runs_in_lock_step) {
    const random_case& one = GetParam();
    const unsigned count = iss::setting("HEDDLE_RANDOM_KERNELS", 40);
    constexpr unsigned in_one_source = 20;
    unsigned seed = iss::setting("HEDDLE_RANDOM_SEED", 1);
    iss::kernel_operations operations;
    operations.atomics = one.atomics;
    std::uint64_t steps = 0;
    for (unsigned done = 0; done < count; done += in_one_source, ++seed) {
        const iss::random_kernel_program program(seed, std::min(in_one_source, count - done),
                                                 iss::kernel_language::cpp, 1 + seed % 3,
                                                 operations);
        rtl_settings settings;
        const unsigned s = one.stall;
        settings.stalls = {s, s, s, s, s, s};
        settings.seed = seed;
        settings.fault = iss::setting("HEDDLE_FAULT", 0);
        rtl_device gpu(settings);
        gpu.load(program.image());
        for (const auto& kernel : program.kernels()) {
            for (const unsigned n : {1U, 4U}) {
                ASSERT_NO_THROW(run_one(gpu, kernel, one, {n, n + 5, {3, 0, 2, 1}}))
                    << "seed " << seed << "\n"
                    << source_text(kernel);
                if (HasFatalFailure()) return;
            }
        }
        steps += gpu.steps();
    }
    EXPECT_GT(steps, 0U);
    RecordProperty("steps", std::to_string(steps));
}

INSTANTIATE_TEST_SUITE_P(seeds, rtl_random,
                         testing::Values(random_case{"smooth", 0, 64, false},
                                         random_case{"stalled", 30, 64, false},
                                         random_case{"stalled_hard", 80, 48, false},
                                         random_case{"atomics", 0, 64, true},
                                         random_case{"atomics_stalled", 50, 61, true}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace heddle::rtl_smx
