// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Several programs on a machine, and when their launches ran.
#include <fstream>

#include "tests/base/temporary_directory.h"
#include "tests/library/library_kit.h"

namespace heddle {
namespace {

using testing::HasSubstr;

class library_programs : public testing::TestWithParam<bool> {
protected:
    /// A source whose kernel `put` writes `value`, and which has a variable `added`.
    std::string source_of(const std::string& name, unsigned value) const {
        const std::string file = folder_ / name;
        std::ofstream(file) << "kernel void put(global uint* out) { out[get_global_id(0)] = "
                            << value << "; }\nkernel void only_in_" << name.substr(0, 1)
                            << "(global uint* out) { out[get_global_id(0)] = 2 * " << value
                            << "; }\n";
        return file;
    }
    std::uint32_t result_of(const machine_of_test& machine, const char* kernel) const {
        const std::uint32_t out = machine.filled(std::vector<std::uint32_t>(32));
        const heddle_argument argument = heddle_pointer(out);
        const heddle_shape shape = shape_of(1, 32);
        EXPECT_GOOD(heddle_launch(machine, kernel, &shape, &argument, 1), machine);
        std::uint32_t last = 0;
        EXPECT_GOOD(heddle_read(machine, &last, out + 4 * 31, 4), machine);
        return last;
    }

    const temporary_directory folder_;
};

TEST_P(library_programs, are_named_where_their_kernels_are_not_enough) {
    const machine_of_test machine(tiny(GetParam()), /*loaded=*/false);
    const std::string a = source_of("a.cl", 1);
    const std::string b = source_of("b.cl", 20);
    EXPECT_GOOD(heddle_load(machine, a.c_str()), machine);
    EXPECT_EQ(result_of(machine, "put"), 1U);
    EXPECT_GOOD(heddle_load(machine, b.c_str()), machine);
    expect_failure(heddle_load(machine, kernels_of_test().c_str()), HEDDLE_USAGE, machine,
                   "of '" + a + "'; link it for other addresses");
    EXPECT_EQ(result_of(machine, "a.cl:put"), 1U);
    EXPECT_EQ(result_of(machine, "b.cl:put"), 20U);
    EXPECT_EQ(result_of(machine, (b + ":put").c_str()), 20U);
    EXPECT_EQ(result_of(machine, "only_in_a"), 2U);
    EXPECT_EQ(result_of(machine, "only_in_b"), 40U);
    const heddle_shape shape = shape_of(1, 32);
    expect_failure(heddle_launch(machine, "put", &shape, nullptr, 0), HEDDLE_USAGE, machine,
                   "a.cl' and '");
    std::size_t count = 0;
    EXPECT_GOOD(heddle_kernel_count(machine, &count), machine);
    ASSERT_EQ(count, 4U);
    const char* program = nullptr;
    EXPECT_GOOD(heddle_get_kernel_program(machine, 1, &program), machine);
    EXPECT_EQ(program, a);
    EXPECT_GOOD(heddle_get_kernel_program(machine, 2, &program), machine);
    EXPECT_EQ(program, b);
    EXPECT_EQ(machine.statistic("kernel.put.launches"), 2);
    EXPECT_EQ(machine.statistic("kernel.put@2.launches"), 2);
    EXPECT_GOOD(heddle_unload(machine, a.c_str()), machine);
    EXPECT_EQ(result_of(machine, "put"), 20U);
    expect_failure(heddle_unload(machine, a.c_str()), HEDDLE_USAGE, machine,
                   "no program '" + a + "' is loaded; there are '" + b + "'");
    EXPECT_GOOD(heddle_load(machine, a.c_str()), machine);
    EXPECT_EQ(result_of(machine, "only_in_a"), 2U);
}

TEST_P(library_programs, tell_when_their_launches_ran) {
    const machine_of_test machine(tiny(GetParam()));
    heddle_launch_times times{};
    times.size = sizeof times;
    expect_failure(heddle_times(machine, 0, &times), HEDDLE_USAGE, machine,
                   "there was no launch 0");
    const heddle_argument arguments[] = {
        heddle_integer(100), heddle_pointer(machine.filled(std::vector<std::uint32_t>(32)))};
    const heddle_shape shape = shape_of(1, 32);
    for (unsigned i = 0; i < 2; ++i) {
        EXPECT_GOOD(heddle_launch(machine, "turn", &shape, arguments, 2), machine);
    }
    EXPECT_GOOD(heddle_times(machine, 1, &times), machine);
    EXPECT_EQ(times.first_dispatch, HEDDLE_NO_TIME);
    EXPECT_EQ(times.end, HEDDLE_NO_TIME);
    EXPECT_GOOD(heddle_synchronize(machine), machine);
    heddle_launch_times later = times;
    EXPECT_GOOD(heddle_times(machine, 0, &times), machine);
    EXPECT_GOOD(heddle_times(machine, 1, &later), machine);
    if (GetParam()) {
        EXPECT_EQ(later.queued, HEDDLE_NO_TIME);
        EXPECT_EQ(later.end, HEDDLE_NO_TIME);
        return;
    }
    EXPECT_LT(times.queued, times.first_dispatch);
    EXPECT_LT(times.first_dispatch, times.end);
    EXPECT_LT(times.first_dispatch, later.first_dispatch);
    EXPECT_LT(times.end, later.end);
    times.size = 3;
    expect_failure(heddle_times(machine, 0, &times), HEDDLE_USAGE, machine,
                   "'times'.size is 3; legal: sizeof(heddle_launch_times)");
}

INSTANTIATE_TEST_SUITE_P(machine, library_programs, testing::Bool(),
                         [](const auto& which) { return which.param ? "functional" : "timed"; });

}  // namespace
}  // namespace heddle
