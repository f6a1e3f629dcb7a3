// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>

#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

enum class latency_variant { chase, shared, private_memory, constant, coalescing };

struct latency_options {
    latency_variant variant = latency_variant::chase;
    std::uint32_t footprint = 4096;
    std::uint32_t stride = 128;
    std::uint32_t rounds = 16;
    bool warm = true;

    void declare(parameter_list& p) {
        p.add("variant", variant,
              {{"chase", latency_variant::chase},
               {"shared", latency_variant::shared},
               {"private", latency_variant::private_memory},
               {"constant", latency_variant::constant},
               {"coalescing", latency_variant::coalescing}},
              "What is measured: chase = a thread follows pointers, shared = a warp reads shared "
              "memory, private = a warp reads its stacks, constant = a warp reads a constant, "
              "coalescing = a warp reads global memory");
        p.add("footprint", footprint, range(4, 1 << 28), "byte",
              "Memory that the chain of pointers covers (chase)");
        p.add("stride", stride, range(4, 1 << 24), "byte",
              "Distance from one pointer to the next (chase) or from lane to lane (shared, "
              "coalescing)");
        p.add("rounds", rounds, range(1, 1 << 16), "round",
              "Rounds of 16 dependent loads; with coalescing each round is one load");
        p.add("warm", warm, "The thread follows the pointers once before the measurement (chase)");
        p.require({"stride"}, "stride is a multiple of 4", [this] { return stride % 4 == 0; });
    }
    [[nodiscard]] std::uint32_t words() const noexcept { return stride / 4; }
};

constexpr std::uint32_t loads_of_round = 16;     // latency_kernel.cpp's
constexpr std::uint32_t pointers_of_chain = 15;  // so

void report_time(workload_report& report, const std::vector<std::uint32_t>& ticks,
                 std::uint32_t loads) {
    report.add_row("loads", std::uint64_t{loads});
    report.add_row("clocks", std::uint64_t{ticks[0]});
    report.add_row("latency", static_cast<double>(ticks[0]) / loads, "cycle/load");
}

void chase(device& gpu, const latency_options& options, workload_report& report) {
    const std::uint32_t step = options.words();
    const std::uint32_t hops = std::max(1U, options.footprint / options.stride);
    device_buffer<std::uint32_t> chain(gpu, std::size_t{hops} * step, "chain");
    std::vector<std::uint32_t> pointers(std::size_t{hops} * step);
    const std::uint32_t base = chain.get().address;
    for (std::uint32_t hop = 0; hop < hops; ++hop) {
        pointers[std::size_t{hop} * step] = base + (hop + 1) % hops * options.stride;
    }
    chain.write(pointers);
    const device_buffer<std::uint32_t> last(gpu, 1, "last");
    const device_buffer<std::uint32_t> ticks(gpu, 1, "ticks");
    const std::uint32_t before = options.warm ? hops : 0;
    launch(gpu, "latency_chase", launch_shape{}, base, before, options.rounds, last.get(),
           ticks.get());

    const std::uint32_t timed = options.rounds * loads_of_round;
    const auto end = last.read();
    const auto hop = static_cast<std::uint32_t>((std::uint64_t{before} + timed) % hops);
    report.compare("last", end, {base + hop * options.stride});
    report.declare_deterministic("last", end);
    report_time(report, ticks.read(), timed);
}

/// What a launch of one warp leaves: a word of each lane, and the clocks.
struct warp_results {
    explicit warp_results(device& gpu)
        : last(gpu, gpu.properties().warp_size, "last"), ticks(gpu, 1, "ticks") {
        shape.block = {gpu.properties().warp_size};
    }

    device_buffer<std::uint32_t> last;
    device_buffer<std::uint32_t> ticks;
    launch_shape shape;
};

void report_warp(workload_report& report, const warp_results& results,
                 const std::vector<std::uint32_t>& expected, std::uint32_t loads) {
    const auto found = results.last.read();
    report.compare("last", found, expected);
    report.declare_deterministic("last", found);
    report_time(report, results.ticks.read(), loads);
}

/// A warp follows pointers in shared, private or constant memory.
void chase_with_a_warp(device& gpu, const latency_options& options, workload_report& report) {
    const std::uint32_t lanes = gpu.properties().warp_size;
    const std::uint32_t loads = options.rounds * loads_of_round;
    warp_results to(gpu);
    std::vector<std::uint32_t> expected(lanes);
    if (options.variant == latency_variant::shared) {
        to.shape.dynamic_shared_bytes = lanes * options.stride;
        launch(gpu, "latency_shared", to.shape, options.words(), options.rounds, to.last.get(),
               to.ticks.get());
        for (std::uint32_t lane = 0; lane < lanes; ++lane) expected[lane] = lane * options.stride;
    } else {
        const bool constant = options.variant == latency_variant::constant;
        launch(gpu, constant ? "latency_constant" : "latency_private", to.shape, options.rounds,
               to.last.get(), to.ticks.get());
        std::fill(expected.begin(), expected.end(), loads % pointers_of_chain * 4);
    }
    report_warp(report, to, expected, loads);
}

void coalescing(device& gpu, const latency_options& options, const run_context& context,
                workload_report& report) {
    const std::uint32_t lanes = gpu.properties().warp_size;
    const std::uint32_t stride = options.words();
    warp_results to(gpu);
    const auto words = random_words(context.random("words"), std::size_t{lanes} * stride);
    const device_buffer<std::uint32_t> device_words(gpu, words, "words");
    launch(gpu, "latency_coalescing", to.shape, device_words.get(), stride, options.rounds,
           to.last.get(), to.ticks.get());
    std::vector<std::uint32_t> expected(lanes);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        expected[lane] = words[std::size_t{lane} * stride];
    }
    report_warp(report, to, expected, options.rounds);
}

void run(device& gpu, const latency_options& options, const run_context& context,
         workload_report& report) {
    switch (options.variant) {
        case latency_variant::chase:
            return chase(gpu, options, report);
        case latency_variant::coalescing:
            return coalescing(gpu, options, context, report);
        default:
            return chase_with_a_warp(gpu, options, report);
    }
}

}  // namespace

workload latency() {
    return make_workload<latency_options>(
        "latency", "Latency of dependent loads: pointers in each kind of memory, coalescing", "",
        run);
}

}  // namespace heddle::workloads
