// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench: an SMX and the reference model of docs/smx_rules.md run random programs side by side
// and are compared in every cycle.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "models/base/random.h"
#include "tb/kit/paths.h"
#include "tb/kit/testbench.h"
#include "tb/smx/smx_bench.h"
#include "tb/smx_reference/comparison.h"
#include "tb/smx_reference/random_program.h"
#include "tb/smx_reference/settings.h"

namespace {

using namespace heddle;

struct reference_options {
    std::string canvas = build_path("kernels/smx_reference.elf");
    std::string config = "gk110";
    std::vector<std::string> settings;
    std::uint64_t cycles = 5000;
    std::uint32_t launches = 500;
    bool random_configuration = false;
};

smx_bench_configuration configuration_of(const testbench& bench,
                                         const smx_reference::smx_settings& settings) {
    smx_bench_configuration c;
    c.machine = settings.machine;
    c.machine.smx_count = 1;
    c.smx = settings.smx;
    c.l1i = settings.l1i;
    c.lsu = settings.memory.unit;
    c.l1d = settings.memory.l1d;
    c.constant_cache = settings.memory.constant;
    c.read_only_cache = settings.memory.read_only;
    c.shared = settings.memory.shared;
    c.scheduler = settings.scheduler;
    random_stream random = bench.random("memory");
    c.memory.seed = bench.options().seed;
    c.memory.stall_probability = bench.options().stall_probability;
    const std::uint64_t slow = random.chance(0.3) ? 100 : 12;
    c.memory.least_latency = static_cast<std::uint32_t>(1 + random.below(slow));
    c.memory.latency_spread = static_cast<std::uint32_t>(random.below(slow));
    return c;
}

/// Launches of all kernels, with few and many blocks, in three streams.
void launch_all(smx_bench& device, const program::image& image, random_stream random,
                std::uint32_t launches) {
    std::vector<stream_id> streams;
    for (unsigned n = 0; n < 3; ++n) streams.push_back(device.create_stream());
    for (std::uint32_t n = 0; n < launches; ++n) {
        const auto& kernel = image.get_kernel("random_" + std::to_string(random.below(4)));
        launch_shape shape;
        shape.grid = {static_cast<std::uint32_t>(1 + random.below(12))};
        shape.block = {static_cast<std::uint32_t>(1 + random.below(256))};
        shape.stream = streams[random.below(streams.size())];
        device.launch(kernel, shape, {});
    }
}

void run(testbench& bench, const reference_options& options) {
    smx_reference::smx_settings settings =
        smx_reference::load_settings(options.config, options.settings, source_path("configs"));
    if (options.random_configuration) {
        smx_reference::randomize(settings, bench.random("configuration"));
    }
    smx_bench_configuration configuration = configuration_of(bench, settings);
    std::unique_ptr<smx_reference::comparison> comparison;
    configuration.taps.block = [&](auto& block, auto phase, bool forward) {
        comparison->block_link(block, phase, forward);
    };
    configuration.taps.memory = [&](auto& payload, auto phase, bool forward) {
        comparison->memory_link(payload, phase, forward);
    };
    const auto image = smx_reference::make_random_program(options.canvas, bench.random("program"));
    smx_bench device(bench, configuration);
    device.load(image);
    launch_all(device, *image, bench.random("launches"), options.launches);
    comparison = std::make_unique<smx_reference::comparison>(bench, device, settings, *image,
                                                             options.cycles);
    (void)bench.run(device.domain());
    comparison->compare_statistics();
    const smx_counts counts = device.block().core().counts();
    std::cout << comparison->compared() << " cycles agree: " << counts.executed.warp_instructions
              << " warp instructions, " << device.blocks_done() << " blocks\n";
    bench.check(comparison->compared() == options.cycles,
                "all blocks have ended before --cycles: use --launches");
}

}  // namespace

int sc_main(int argc, char** argv) {
    reference_options options;
    testbench_description description;
    description.name = "smx_reference_tb";
    description.summary = "An SMX beside the reference model of docs/smx_rules.md";
    description.add_options = [&](command_line& line) {
        line.words("--config", options.config, "Configuration: a name or a file");
        line.repeated("--set", options.settings, "Sets a parameter, KEY=VALUE; repeatable");
        line.flag("--random-configuration", options.random_configuration,
                  "Choose all parameters of the SMX but its size from the seed");
        line.number("--cycles", options.cycles, "Cycles that are compared");
        line.number("--launches", options.launches, "Launches of random kernels");
        line.words("--canvas", options.canvas, "Device program that random code is painted over");
    };
    return run_testbench(description, argc, argv, [&](testbench& bench) { run(bench, options); });
}
