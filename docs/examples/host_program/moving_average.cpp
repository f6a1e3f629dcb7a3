// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A host program of our own: the averages of a window that moves over random values, by two
// kernels. It takes all options of `heddle run`, and its own by --option.
#include <cstdint>
#include <vector>

#include "command/host_program.h"
#include "models/device/device.h"

namespace {

using namespace heddle;

struct average_options {
    std::uint32_t n = 10'000;
    std::uint32_t window = 8;

    void declare(parameter_list& p) {
        p.add("n", n, range(1, 1 << 24), "value", "Averages to compute");
        p.add("window", window, range(1, 1024), "value", "Values in an average");
    }
};

void run(device& gpu, const average_options& options, const workloads::run_context& context,
         workloads::workload_report& report) {
    const std::uint32_t n = options.n, window = options.window;
    random_stream random = context.random("values");  // depends on --seed
    std::vector<std::uint32_t> values(n + window - 1);
    for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random.below(1000));

    const device_buffer<std::uint32_t> on_device(gpu, values, "values");
    const device_buffer<std::uint32_t> sums(gpu, n, "sums");
    const launch_shape shape{{(n + 255) / 256}, {256}};
    launch(gpu, "window_sums", shape, n, window, on_device.get(), sums.get());
    launch(gpu, "averages", shape, n, window, sums.get(), on_device.get());
    std::vector<std::uint32_t> found = on_device.read();
    found.resize(n);

    std::vector<std::uint32_t> expected(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        for (std::uint32_t j = 0; j < window; ++j) expected[i] += values[i + j];
        expected[i] /= window;
    }
    report.compare("averages", found, expected);
    report.declare_deterministic("averages", found);  // what --golden compares
}

}  // namespace

int main(int argc, char** argv) {
    auto average = workloads::make_workload<average_options>(
        "moving_average", "Averages of a window that moves over values", "", run);
    average.device_program = DEVICE_PROGRAM;
    return command::run_host_program(argc, argv, average);
}
