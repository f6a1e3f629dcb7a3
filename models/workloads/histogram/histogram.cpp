// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>

#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

enum class histogram_variant { shared, global };

struct histogram_options {
    histogram_variant variant = histogram_variant::shared;
    std::uint32_t n = 65536;
    std::uint32_t bins = 256;
    std::uint32_t skew = 0;
    std::uint32_t block = 256;
    std::uint32_t blocks = 64;

    void declare(parameter_list& p) {
        p.add("variant", variant,
              {{"shared", histogram_variant::shared}, {"global", histogram_variant::global}},
              "Where a block counts: shared = in shared memory first, global = directly in global "
              "memory");
        p.add("n", n, range(1, 1 << 26), "element", "Number of values");
        p.add("bins", bins, range(1, 8192), "bin", "Number of different values");
        p.add("skew", skew, range(0, 100), "percent",
              "Share of the values that always fall into bin 0");
        p.add("block", block, range(1, 1024), "thread", "Threads in a block");
        p.add("blocks", blocks, range(1, 65535), "block", "Largest number of blocks in the grid");
    }
};

/// Values below `bins`; `skew` percent of them are 0, so that their counts contend.
std::vector<std::uint32_t> skewed_values(random_stream stream, std::uint32_t n, std::uint32_t bins,
                                         std::uint32_t skew) {
    std::vector<std::uint32_t> values(n);
    for (auto& value : values) {
        const bool hot = stream.below(100) < skew;
        value = hot ? 0 : static_cast<std::uint32_t>(stream.below(bins));
    }
    return values;
}

void run(device& gpu, const histogram_options& options, const run_context& context,
         workload_report& report) {
    const auto n = options.n;
    const auto bins = options.bins;
    const auto block = options.block;
    const bool shared = options.variant == histogram_variant::shared;
    const auto values = skewed_values(context.random("values"), n, bins, options.skew);

    const device_buffer<std::uint32_t> device_values(gpu, values, "values");
    const device_buffer<std::uint32_t> device_counts(gpu, bins, "counts");
    launch_shape shape = grid_over(n, block);
    shape.grid.x = std::min(shape.grid.x, options.blocks);
    if (shared) shape.dynamic_shared_bytes = bins * sizeof(std::uint32_t);
    launch(gpu, shared ? "histogram_shared" : "histogram_global", shape, n, bins,
           device_values.get(), device_counts.get());
    const auto counts = device_counts.read();

    std::vector<std::uint32_t> expected(bins);
    for (const auto value : values) ++expected[value];
    report.compare("counts", counts, expected);
    report.declare_deterministic("counts", counts);
    report.add_row("elements", std::uint64_t{n});
    report.add_row("highest count",
                   std::uint64_t{*std::max_element(expected.begin(), expected.end())});
}

}  // namespace

workload histogram() {
    return make_workload<histogram_options>(
        "histogram", "Counts of values with shared and global atomics", "", run);
}

}  // namespace heddle::workloads
