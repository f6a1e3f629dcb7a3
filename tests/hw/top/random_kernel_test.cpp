// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Random kernels whose barriers, votes, transactions and cooperative calls stand under conditions
// that all threads agree on, beside others, on the timed machine in lock step with the functional
// simulator: every formation, several widths of warps.
#include "tests/hw/top/machine_case.h"
#include "tests/iss/random_kernel_program.h"

namespace heddle {
namespace {

struct kernel_case {
    machine_case machine;
    iss::kernel_operations operations;
    unsigned threads;

    friend std::ostream& operator<<(std::ostream& out, const kernel_case& one) {
        return out << one.machine;
    }
};

class random_kernel : public testing::TestWithParam<kernel_case> {};

/// HEDDLE_RANDOM_KERNELS sets how many, HEDDLE_RANDOM_SEED which.
TEST_P(random_kernel, gives_the_result_of_its_source) {
    const auto& [machine, operations, threads] = GetParam();
    const unsigned seed = iss::setting("HEDDLE_RANDOM_SEED", 1);
    const auto configuration = configuration_of(machine.configuration, machine.changes);
    const iss::random_kernel_program program(seed, iss::setting("HEDDLE_RANDOM_KERNELS", 20),
                                             iss::kernel_language::cpp, 1 + seed % 3, operations);
    timed_machine(configuration).run_well([&](device& gpu) {
        gpu.load(program.image());
        for (const auto& kernel : program.kernels()) {
            for (const unsigned n : {1u, 4u}) {
                iss::expect_result(gpu, kernel, configuration.machine.warp_size, threads,
                                   {n, n + 5, {3, 0, 2, 1}});
                if (testing::Test::HasFailure()) return;
            }
        }
    });
}

constexpr iss::kernel_operations all{}, transactions{true, true, false},
    cooperation{true, false, true}, everything{true, true, true};

INSTANTIATE_TEST_SUITE_P(
    machines, random_kernel,
    testing::Values(
        kernel_case{{"pdom", "gk110", {"gpu.smx_count=1"}}, all, 64},
        kernel_case{{"pdom_narrow", "tiny", {"gpu.warp_size=8"}}, all, 64},
        kernel_case{{"pdom_wide", "si", {"gpu.smx_count=1"}}, all, 48},
        kernel_case{{"pdom_barrel", "g80", {"gpu.smx_count=1"}}, all, 64},
        kernel_case{{"nrec", "g80", {"smx.formation=nrec", "gpu.smx_count=1"}}, all, 64},
        kernel_case{{"dwf", "g80", {"smx.formation=dwf", "gpu.smx_count=1"}}, all, 64},
        kernel_case{{"dwf_pdom_priority",
                     "g80",
                     {"smx.formation=dwf", "dwf.policy=pdom_priority", "gpu.smx_count=1"}},
                    all,
                    64},
        kernel_case{{"mimd", "g80", {"smx.formation=mimd", "gpu.smx_count=1"}}, all, 64},
        kernel_case{
            {"nrec_schedulers", "gk110", {"smx.formation=nrec", "gpu.smx_count=1"}}, all, 64},
        kernel_case{{"dwf_schedulers", "gk110", {"smx.formation=dwf", "gpu.smx_count=1"}}, all, 64},
        kernel_case{{"dwf_shared_pool",
                     "gk110",
                     {"smx.formation=dwf", "dwf.pools=shared", "gpu.smx_count=1"}},
                    all,
                    64},
        kernel_case{
            {"mimd_schedulers", "gk110", {"smx.formation=mimd", "gpu.smx_count=1"}}, all, 64},
        kernel_case{{"dwf_cooperative", "gk110", {"smx.formation=dwf", "gpu.smx_count=2"}},
                    cooperation,
                    64},
        kernel_case{
            {"transactions", "si", {"gpu.smx_count=1", "tm.enabled=true"}}, transactions, 64},
        kernel_case{{"transactions_narrow",
                     "iris6100",
                     {"gpu.smx_count=1", "tm.enabled=true", "tm.checkpoint_cycles=3"}},
                    transactions,
                    48},
        kernel_case{{"loom", "loom", {"gpu.smx_count=2"}}, everything, 64},
        kernel_case{{"cooperative", "gk110", {"gpu.smx_count=2"}}, cooperation, 64}),
    [](const auto& of) { return std::string(of.param.machine.name); });

}  // namespace
}  // namespace heddle
