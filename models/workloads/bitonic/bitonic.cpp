// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>

#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct bitonic_options {
    std::uint32_t arrays = 16;
    std::uint32_t size = 1024;
    std::uint32_t block = 256;

    void declare(parameter_list& p) {
        p.add("arrays", arrays, range(1, 65535), "array", "Number of arrays, one block each");
        p.add("size", size,
              one_of({1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384}),
              "value", "Length of an array");
        p.add("block", block, range(1, 1024), "thread", "Threads in a block");
    }
};

void run(device& gpu, const bitonic_options& options, const run_context& context,
         workload_report& report) {
    const auto values =
        random_words(context.random("values"), std::size_t{options.arrays} * options.size);
    const device_buffer<std::uint32_t> device_values(gpu, values, "values");
    launch_shape shape;
    shape.grid.x = options.arrays;
    shape.block.x = options.block;
    launch(gpu, "bitonic", shape, options.size, device_values.get());
    const auto sorted = device_values.read();

    auto expected = values;
    for (auto first = expected.begin(); first != expected.end(); first += options.size) {
        std::sort(first, first + options.size);
    }
    report.compare("values", sorted, expected);
    report.declare_deterministic("values", sorted);
    report.add_row("values", std::uint64_t{values.size()});
}

}  // namespace

workload bitonic() {
    return make_workload("bitonic", "Bitonic sort of arrays in global memory, a block an array", "",
                         run);
}

}  // namespace heddle::workloads
