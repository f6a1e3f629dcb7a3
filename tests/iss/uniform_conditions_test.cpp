// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/iss/fixture.h"
#include "tests/iss/random_kernel_program.h"

namespace heddle::iss {
namespace {

constexpr auto cpp = kernel_language::cpp, opencl = kernel_language::opencl;

struct compilation {
    const char* name;
    kernel_language language;
    unsigned optimization;
    kernel_operations operations{};

    friend std::ostream& operator<<(std::ostream& out, const compilation& one) {
        return out << one.name;
    }
};

class uniform_conditions : public testing::TestWithParam<compilation> {
protected:
    static void compare(const random_kernel_program& program, unsigned warp_size, unsigned threads,
                        const kernel_arguments& arguments) {
        machine_configuration machine = small_machine(warp_size);
        machine.tm.enabled = GetParam().operations.transactions;
        for (const auto& kernel : program.kernels()) {
            // Each on a machine of its own: a fault ends all that was launched.
            functional_simulator gpu(machine);
            gpu.load(program.image());
            expect_result(gpu, kernel, warp_size, threads, arguments);
        }
    }
};

/// HEDDLE_RANDOM_KERNELS sets how many, HEDDLE_RANDOM_SEED which.
TEST_P(uniform_conditions, hold_in_random_kernels) {
    constexpr unsigned in_one_source = 40;
    const unsigned count = setting("HEDDLE_RANDOM_KERNELS", in_one_source);
    const unsigned seed = setting("HEDDLE_RANDOM_SEED", 1);
    for (unsigned done = 0; done < count && !HasFailure(); done += in_one_source) {
        const random_kernel_program program(
            seed + done / in_one_source, std::min(in_one_source, count - done), GetParam().language,
            GetParam().optimization, GetParam().operations);
        compare(program, 32, 64, {4, 5, {0, 1, 2, 3}});
        compare(program, 32, 64, {1, 10, {3, 0, 2, 1}});
        compare(program, 8, 32, {2, 3, {1, 3, 0, 2}});
        compare(program, 64, 48, {3, 6, {2, 2, 1, 0}});
    }
}

INSTANTIATE_TEST_SUITE_P(
    compiled, uniform_conditions,
    testing::Values(compilation{"O0", cpp, 0}, compilation{"O1", cpp, 1}, compilation{"O2", cpp, 2},
                    compilation{"O3", cpp, 3}, compilation{"opencl_O1", opencl, 1},
                    compilation{"opencl_O2", opencl, 2}, compilation{"opencl_O3", opencl, 3},
                    compilation{"transactions_O1", cpp, 1, {true, true, false}},
                    compilation{"transactions_O2", cpp, 2, {true, true, false}},
                    compilation{"transactions_O3", cpp, 3, {true, true, false}},
                    compilation{"cooperative_O1", cpp, 1, {true, false, true}},
                    compilation{"cooperative_O2", cpp, 2, {true, false, true}},
                    compilation{"cooperative_O3", cpp, 3, {true, false, true}}),
    [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace heddle::iss
