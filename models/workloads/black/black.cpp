// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cmath>

#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct black_options {
    std::uint32_t options = 4096;
    std::uint32_t block = 256;

    void declare(parameter_list& p) {
        p.add("options", options, range(1, 1 << 24), "option", "Number of options to price");
        p.add("block", block, range(1, 1024), "thread", "Threads in a block");
    }
};

// Inputs as the CUDA SDK's.
constexpr float interest = 0.02F;
constexpr float volatility = 0.30F;

std::vector<float> uniform_floats(random_stream stream, std::size_t count, double low,
                                  double high) {
    std::vector<float> values(count);
    for (auto& value : values) value = static_cast<float>(low + (high - low) * stream.uniform());
    return values;
}

struct prices {
    double call, put;
};

/// The serial reference: the formula in double precision.
prices prices_of(double spot, double strike, double years) {
    const double spread = double{volatility} * std::sqrt(years);
    const double high = (std::log(spot / strike) + double{interest} * years) / spread + spread / 2;
    const auto below = [](double d) { return std::erfc(-d / std::sqrt(2.0)) / 2; };
    const double discounted = strike * std::exp(-double{interest} * years);
    return {spot * below(high) - discounted * below(high - spread),
            discounted * below(spread - high) - spot * below(-high)};
}

void run(device& gpu, const black_options& options, const run_context& context,
         workload_report& report) {
    const auto count = options.options;
    const auto spots = uniform_floats(context.random("spots"), count, 5, 30);
    const auto strikes = uniform_floats(context.random("strikes"), count, 1, 100);
    const auto years = uniform_floats(context.random("years"), count, 0.25, 10);

    const device_buffer<float> device_spots(gpu, spots, "spots");
    const device_buffer<float> device_strikes(gpu, strikes, "strikes");
    const device_buffer<float> device_years(gpu, years, "years");
    const device_buffer<float> device_calls(gpu, count, "calls");
    const device_buffer<float> device_puts(gpu, count, "puts");
    launch(gpu, "black", grid_over(count, options.block), count, interest, volatility,
           device_spots.get(), device_strikes.get(), device_years.get(), device_calls.get(),
           device_puts.get());
    const auto calls = device_calls.read();
    const auto puts = device_puts.read();

    std::vector<float> expected_calls;
    std::vector<float> expected_puts;
    for (std::uint32_t i = 0; i < count; ++i) {
        const prices expected = prices_of(spots[i], strikes[i], years[i]);
        expected_calls.push_back(static_cast<float>(expected.call));
        expected_puts.push_back(static_cast<float>(expected.put));
    }
    // A price is a difference of two probabilities times at most 30 and 100. The approximation of
    // the probability is right to 7.5e-8. Its float arithmetic adds at most 16 roundings of values
    // up to 1: d has a relative error of some roundings, and d times the density is below 1/4.
    const double tolerance = (30 + 100) * (7.5e-8 + 16 * 0x1p-24);
    report.compare("calls", calls, expected_calls, tolerance);
    report.compare("puts", puts, expected_puts, tolerance);
    report.declare_deterministic("calls", calls);
    report.declare_deterministic("puts", puts);
    report.add_row("options", std::uint64_t{count});
}

}  // namespace

workload black() {
    return make_workload<black_options>(
        "black", "Black-Scholes prices with transcendental functions that branch", "", run);
}

}  // namespace heddle::workloads
