// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cmath>

#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct compute_options {
    std::uint32_t n = 16384;
    std::uint32_t rounds = 256;
    std::uint32_t block = 256;

    void declare(parameter_list& p) {
        p.add("n", n, range(1, 1 << 24), "thread", "Number of threads");
        p.add("rounds", rounds, range(0, 1 << 20), "round", "Rounds of arithmetic in each thread");
        p.add("block", block, range(1, 1024), "thread", "Threads in a block");
    }
};

/// The states of one thread after `rounds` rounds; bit for bit what the kernel computes.
void advance(std::uint32_t rounds, std::uint32_t& state, float& value) {
    for (std::uint32_t round = 0; round < rounds; ++round) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        value = std::fma(value, 0.5F, static_cast<float>(state >> 16) * 0x1p-17F);
        value -= value * value * 0.25F;
        if ((state & 0x100) != 0) state += round * 0x9e3779b9U;
    }
}

void run(device& gpu, const compute_options& options, const run_context& context,
         workload_report& report) {
    const auto n = options.n;
    const auto rounds = options.rounds;
    const auto seeds = random_words(context.random("seeds"), n);

    const device_buffer<std::uint32_t> device_seeds(gpu, seeds, "seeds");
    const device_buffer<std::uint32_t> device_integers(gpu, n, "integers");
    const device_buffer<float> device_floats(gpu, n, "floats");
    launch(gpu, "compute_mix", grid_over(n, options.block), n, rounds, device_seeds.get(),
           device_integers.get(), device_floats.get());
    const auto integers = device_integers.read();
    const auto floats = device_floats.read();

    std::vector<std::uint32_t> expected_integers = seeds;
    std::vector<float> expected_floats(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        expected_floats[i] = static_cast<float>(seeds[i] & 0xffff) * 0x1p-16F;
        advance(rounds, expected_integers[i], expected_floats[i]);
    }
    report.compare("integers", integers, expected_integers);
    report.compare("floats", floats, expected_floats);
    report.declare_deterministic("integers", integers);
    report.declare_deterministic("floats", floats);
    report.add_row("threads", std::uint64_t{n});
    report.add_row("rounds", std::uint64_t{rounds});
}

}  // namespace

workload compute() {
    return make_workload<compute_options>(
        "compute", "Integer and float arithmetic in registers: the simulator's peak rate", "", run);
}

}  // namespace heddle::workloads
