// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct contrived_options {
    std::uint32_t n = 4096;
    std::uint32_t iterations = 200;
    std::uint32_t ratio = 8;
    std::uint32_t block = 256;

    void declare(parameter_list& p) {
        p.add("n", n, range(1, 1 << 24), "thread", "Number of threads");
        p.add("iterations", iterations, range(1, 1 << 20), "iteration", "Turns of the loop");
        p.add("ratio", ratio, one_of({1, 8, 23}), "",
              "Instructions of the body over those of the rest of the loop");
        p.add("block", block, range(1, 1024), "thread", "Threads in a block");
    }
};

void run(device& gpu, const contrived_options& options, const run_context&,
         workload_report& report) {
    const device_buffer<std::uint32_t> device_results(gpu, options.n, "results");
    launch(gpu, "contrived_" + std::to_string(options.ratio), grid_over(options.n, options.block),
           options.n, options.iterations, device_results.get());
    const auto results = device_results.read();

    std::vector<std::uint32_t> expected;
    for (std::uint32_t thread = 0; thread < options.n; ++thread) {
        // Odd threads begin with the body.
        const std::uint32_t bodies = (options.iterations + thread % 2) / 2;
        expected.push_back(bodies * 5 * options.ratio);
    }
    report.compare("results", results, expected);
    report.declare_deterministic("results", results);
    report.add_row("threads", std::uint64_t{options.n});
}

}  // namespace

workload contrived() {
    return make_workload<contrived_options>(
        "contrived", "A loop whose body even and odd threads take in turn (Fung 2008, Fig. 3.3)",
        "", run);
}

}  // namespace heddle::workloads
