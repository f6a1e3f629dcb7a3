// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>

#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct pathfinder_options {
    std::uint32_t columns = 8192;
    std::uint32_t rows = 41;
    std::uint32_t steps = 20;
    std::uint32_t block = 256;

    void declare(parameter_list& p) {
        p.add("columns", columns, range(1, 1 << 22), "cell", "Width of the grid");
        p.add("rows", rows, range(1, 4096), "cell", "Height of the grid");
        p.add("steps", steps, range(1, 500), "row", "Rows that one launch computes");
        p.add("block", block, range(3, 1024), "thread", "Threads in a block");
        p.require({"block", "steps"}, "block is more than 2 * steps",
                  [this] { return block > 2 * steps; });
    }
};

std::vector<std::uint32_t> costs_of_paths(const pathfinder_options& options,
                                          const std::vector<std::uint32_t>& wall) {
    const std::size_t columns = options.columns;
    std::vector<std::uint32_t> costs(wall.begin(), wall.begin() + options.columns);
    std::vector<std::uint32_t> above;
    for (std::size_t row = 1; row < options.rows; ++row) {
        above = costs;
        for (std::size_t column = 0; column < columns; ++column) {
            const std::size_t left = column == 0 ? 0 : column - 1;
            const std::size_t right = std::min(column + 1, columns - 1);
            costs[column] =
                wall[row * columns + column] + std::min({above[left], above[column], above[right]});
        }
    }
    return costs;
}

void run(device& gpu, const pathfinder_options& options, const run_context& context,
         workload_report& report) {
    const auto columns = options.columns;
    std::vector<std::uint32_t> wall(std::size_t{columns} * options.rows);
    random_stream stream = context.random("wall");
    for (auto& cost : wall) cost = static_cast<std::uint32_t>(stream.below(10));

    const device_buffer<std::uint32_t> device_wall(gpu, wall, "wall");
    const device_buffer<std::uint32_t> costs[] = {{gpu, columns, "costs 0"},
                                                  {gpu, columns, "costs 1"}};
    gpu.write(costs[0].get().address, wall.data(), columns * sizeof(std::uint32_t));
    unsigned now = 0;
    for (std::uint32_t row = 1; row < options.rows; row += options.steps) {
        const std::uint32_t steps = std::min(options.steps, options.rows - row);
        launch_shape shape = grid_over(columns, options.block - 2 * steps);
        shape.block.x = options.block;
        shape.dynamic_shared_bytes = 2 * options.block * sizeof(std::uint32_t);
        const auto offset = static_cast<device_address>(row * columns * sizeof(std::uint32_t));
        const device_ptr<std::uint32_t> first_row{device_wall.get().address + offset};
        launch(gpu, "pathfinder", shape, columns, steps, first_row, costs[now].get(),
               costs[1 - now].get());
        now = 1 - now;
    }
    const auto result = costs[now].read();

    report.compare("costs", result, costs_of_paths(options, wall));
    report.declare_deterministic("costs", result);
    report.add_row("cells", std::uint64_t{wall.size()});
    report.add_row("cheapest path", std::uint64_t{*std::min_element(result.begin(), result.end())});
}

}  // namespace

workload pathfinder() {
    return make_workload<pathfinder_options>(
        "pathfinder", "Cheapest paths through a grid, row by row in shared memory", "", run);
}

}  // namespace heddle::workloads
