// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>

#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct children_options {
    std::uint32_t launches = 512;
    std::uint32_t blocks = 4;
    std::uint32_t each = 4;
    std::uint32_t block = 32;
    bool hold = true;
    bool wait = false;

    void declare(parameter_list& p) {
        p.add("launches", launches, range(1, 1 << 20), "launch", "Launches by kernels");
        p.add("blocks", blocks, range(1, 65535), "block", "Blocks of each, of 32 threads");
        p.add("each", each, range(1, 1 << 20), "launch", "Launches of a parent thread");
        p.add("block", block, range(1, 1024), "thread", "Threads of a parent block");
        p.add("hold", hold,
              "No child begins before all launches have been made: blocks of the host's hold the "
              "shared memory until then. All launches are pending at once (modes cdp and dtbl)");
        p.add("wait", wait, "Parents wait for their children and read what these have left");
    }
};

using words = std::vector<std::uint32_t>;

void run(device& gpu, const children_options& options, const run_context& context,
         workload_report& report) {
    constexpr std::uint32_t holding = 0xffffffff;
    const device_properties& machine = gpu.properties();
    // Children and holding blocks share the room of an SMX; parents take other block slots.
    const std::uint32_t share = std::max(machine.max_blocks_per_smx / 2, 1U);
    const std::uint32_t shared_bytes = machine.shared_bytes_per_block / share;
    const std::uint32_t threads = blocks_for(options.launches, options.each);
    const device_buffer<std::uint32_t> sums(gpu, options.launches, "sums");
    const device_buffer<std::uint32_t> made(gpu, 1, "launches made");
    const device_buffer<std::uint32_t> totals(
        gpu, std::size_t{blocks_for(threads, options.block)} * options.block, "totals");
    if (options.hold && context.mode != launch_mode::flat) {
        launch_shape shape;
        shape.grid = {machine.smx_count * share};
        shape.block = {32};
        shape.dynamic_shared_bytes = shared_bytes;
        shape.stream = gpu.create_stream();
        launch(gpu, "children_block", shape, holding, sums.get(), made.get(), options.launches);
    }
    launch(gpu, context.entry("children_parent"), grid_over(threads, options.block),
           options.launches, options.each, options.blocks, shared_bytes,
           std::uint32_t{options.wait}, sums.get(), made.get(), totals.get());

    const std::uint32_t sum = options.blocks * (options.blocks + 1) / 2;
    const words found = sums.read();
    report.compare("sums", found, words(options.launches, sum));
    report.declare_deterministic("sums", found);
    words expected(totals.size());
    for (std::uint32_t i = 0; options.wait && i < options.launches; ++i) {
        expected[i / options.each] += sum;
    }
    const words added = totals.read();
    report.compare("totals", added, expected);
    report.declare_deterministic("totals", added);
    report.add_row("launches", std::uint64_t{options.launches});
    report.add_row("blocks", std::uint64_t{options.launches} * options.blocks);
}

}  // namespace

workload children() {
    return with_modes(make_workload<children_options>(
        "children", "Launches by kernels that are all pending at once, or are waited for", "",
        run));
}

}  // namespace heddle::workloads
