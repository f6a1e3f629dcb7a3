// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <optional>

#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct launch_options {
    std::uint32_t launches = 32;
    std::uint32_t blocks = 2048;
    std::uint32_t block = 64;

    void declare(parameter_list& p) {
        p.add("launches", launches, range(1, 1 << 16), "launch", "Launches one after another");
        p.add("blocks", blocks, range(2, 65535), "block", "Blocks of the large grid");
        p.add("block", block, range(1, 1024), "thread", "Threads in a block of it");
    }
};

/// Core cycles of `work` and of the launches in it; none on a device without time.
template <class Work>
std::optional<std::uint64_t> cycles_of(device& gpu, Work work) {
    const auto begin = gpu.clock();
    work();
    gpu.synchronize();
    if (!begin) return std::nullopt;
    return *gpu.clock() - *begin;
}

/// Cycles from the host's launch to the first instruction that it causes.
std::optional<std::uint64_t> cycles_to_first_instruction(device& gpu) {
    const device_buffer<std::uint32_t> stamp(gpu, 1, "stamp");
    const auto begin = gpu.clock();
    launch(gpu, "launch_stamp", launch_shape{}, stamp.get());
    const std::uint32_t first = stamp.read()[0];
    if (!begin) return std::nullopt;
    return first - static_cast<std::uint32_t>(*begin);  // low words of one clock
}

void run(device& gpu, const launch_options& options, const run_context&, workload_report& report) {
    const auto empty = [&](std::uint32_t blocks) {
        launch_shape shape;
        shape.grid = {blocks};
        shape.block = {options.block};
        launch(gpu, "launch_empty", shape);
    };
    // The first launch brings the instructions into the caches.
    const auto cold = cycles_of(gpu, [&] { empty(1); });
    const auto alone = cycles_of(gpu, [&] { empty(1); });
    const auto chain = cycles_of(gpu, [&] {
        for (std::uint32_t i = 0; i < options.launches; ++i) empty(1);
    });
    const auto grid = cycles_of(gpu, [&] { empty(options.blocks); });
    const auto first = cycles_to_first_instruction(gpu);

    const device_buffer<std::uint32_t> numbers(gpu, options.blocks, "numbers");
    launch_shape shape;
    shape.grid = {options.blocks};
    shape.block = {options.block};
    launch(gpu, "launch_number", shape, numbers.get());
    std::vector<std::uint32_t> expected(options.blocks);
    for (std::uint32_t i = 0; i < options.blocks; ++i) expected[i] = i + 1;
    const auto found = numbers.read();
    report.compare("numbers", found, expected);
    report.declare_deterministic("numbers", found);

    report.add_row("launches", std::uint64_t{options.launches});
    report.add_row("blocks", std::uint64_t{options.blocks});
    if (!cold) return;
    report.add_row("first launch", *cold, "cycle");
    report.add_row("launch alone", *alone, "cycle");
    report.add_row("launch in a row", static_cast<double>(*chain) / options.launches,
                   "cycle/launch");
    report.add_row("host to first instruction", *first, "cycle");
    report.add_row("dispatch",
                   static_cast<double>(options.blocks - 1) / static_cast<double>(*grid - *alone),
                   "block/cycle");
}

}  // namespace

workload launch() {
    return make_workload<launch_options>(
        "launch", "What launches and blocks of an empty kernel cost", "", run);
}

}  // namespace heddle::workloads
