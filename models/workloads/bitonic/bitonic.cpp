// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>

#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

enum class bitonic_variant { barriers, launches };

struct bitonic_options {
    bitonic_variant variant = bitonic_variant::barriers;
    std::uint32_t arrays = 16;
    std::uint32_t size = 1024;
    std::uint32_t block = 256;

    void declare(parameter_list& p) {
        p.add("variant", variant,
              {{"barriers", bitonic_variant::barriers}, {"launches", bitonic_variant::launches}},
              "What ends a step: barriers = a barrier of the block, which has an array; launches = "
              "the end of a launch, which has a thread for each element");
        p.add("arrays", arrays, range(1, 65535), "array", "Number of arrays");
        p.add("size", size,
              one_of({1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384}),
              "value", "Length of an array");
        p.add("block", block, range(1, 1024), "thread", "Threads in a block");
    }
};

void sort_on(device& gpu, const bitonic_options& options,
             const device_buffer<std::uint32_t>& values) {
    const std::uint32_t size = options.size;
    if (options.variant == bitonic_variant::barriers) {
        launch_shape shape;
        shape.grid.x = options.arrays;
        shape.block.x = options.block;
        launch(gpu, "bitonic", shape, size, values.get());
        return;
    }
    const std::uint32_t count = options.arrays * size;
    for (std::uint32_t run = 2; run <= size; run *= 2) {
        for (std::uint32_t distance = run / 2; distance > 0; distance /= 2) {
            launch(gpu, "bitonic_step", grid_over(count, options.block), count, size, run, distance,
                   values.get());
        }
    }
}

void run(device& gpu, const bitonic_options& options, const run_context& context,
         workload_report& report) {
    const auto values =
        random_words(context.random("values"), std::size_t{options.arrays} * options.size);
    const device_buffer<std::uint32_t> device_values(gpu, values, "values");
    sort_on(gpu, options, device_values);
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
    return make_workload<bitonic_options>("bitonic", "Bitonic sort of arrays in global memory", "",
                                          run);
}

}  // namespace heddle::workloads
