// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <cmath>

#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct montecarlo_options {
    std::uint32_t options = 32;
    std::uint32_t paths = 4096;
    std::uint32_t block = 256;

    void declare(parameter_list& p) {
        p.add("options", options, range(1, 65535), "option", "Number of call options to price");
        p.add("paths", paths, range(2, 1 << 22), "path",
              "Paths that are simulated for each option");
        p.add("block", block, one_of({1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}), "thread",
              "Threads in a block");
    }
};

constexpr double path_interest = 0.06;
constexpr double path_volatility = 0.10;

struct call_option {
    float spot, strike, years;

    [[nodiscard]] float drift() const {
        return static_cast<float>((path_interest - path_volatility * path_volatility / 2) * years);
    }
    [[nodiscard]] float deviation() const {
        return static_cast<float>(path_volatility * std::sqrt(years));
    }
    [[nodiscard]] double discount() const { return std::exp(-path_interest * years); }
};

/// The payoff and its square, the mean of a number of paths.
struct estimate {
    double payoff = 0;
    double square = 0;

    [[nodiscard]] double price(const call_option& option) const {
        return option.discount() * payoff;
    }
    /// Standard deviation of the price.
    [[nodiscard]] double spread(const call_option& option, double paths) const {
        const double variance = std::max(0.0, square - payoff * payoff);
        return option.discount() * std::sqrt(variance / (paths - 1));
    }
};

/// Standard normal numbers by the method of Box and Muller.
std::vector<float> normal_floats(random_stream stream, std::size_t count) {
    std::vector<float> values(count);
    for (auto& value : values) {
        const double radius = std::sqrt(-2 * std::log(1 - stream.uniform()));
        value = static_cast<float>(radius * std::cos(2 * M_PI * stream.uniform()));
    }
    return values;
}

/// The price without randomness (Black, Scholes 1973).
double exact_price(const call_option& option) {
    const double spread = path_volatility * std::sqrt(option.years);
    const double high =
        (std::log(option.spot / option.strike) + path_interest * option.years) / spread +
        spread / 2;
    const auto below = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
    return option.spot * below(high) - option.strike * option.discount() * below(high - spread);
}

/// The serial reference, in double precision.
estimate serial_estimate(const call_option& option, const std::vector<float>& normal) {
    estimate mean;
    for (const float z : normal) {
        const double end = option.spot * std::exp(option.drift() + double{option.deviation()} * z);
        const double payoff = std::max(end - option.strike, 0.0);
        mean.payoff += payoff / static_cast<double>(normal.size());
        mean.square += payoff * payoff / static_cast<double>(normal.size());
    }
    return mean;
}

void run(device& gpu, const montecarlo_options& options, const run_context& context,
         workload_report& report) {
    random_stream stream = context.random("options");
    const auto between = [&](double low, double high) {
        return static_cast<float>(low + (high - low) * stream.uniform());
    };
    std::vector<call_option> calls(options.options);
    std::vector<float> arguments;
    for (auto& call : calls) {
        call.spot = between(5, 50);
        call.strike = between(10, 25);
        call.years = between(1, 5);
        arguments.insert(arguments.end(), {call.spot, call.strike, call.drift(), call.deviation()});
    }
    const auto normal = normal_floats(context.random("normal"), options.paths);

    const device_buffer<float> device_options(gpu, arguments, "options");
    const device_buffer<float> device_normal(gpu, normal, "normal");
    const device_buffer<float> device_sums(gpu, std::size_t{2} * options.options, "sums");
    launch_shape shape;
    shape.grid.x = options.options;
    shape.block.x = options.block;
    shape.dynamic_shared_bytes = 2 * options.block * sizeof(float);
    launch(gpu, "montecarlo", shape, options.paths, device_options.get(), device_normal.get(),
           device_sums.get());
    const auto sums = device_sums.read();

    std::vector<float> payoffs;
    std::vector<float> squares;
    std::vector<float> expected_payoffs;
    std::vector<float> expected_squares;
    double farthest = 0;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const estimate found{double{sums[2 * i]} / options.paths,
                             double{sums[2 * i + 1]} / options.paths};
        const estimate serial = serial_estimate(calls[i], normal);
        payoffs.push_back(static_cast<float>(found.payoff));
        squares.push_back(static_cast<float>(found.square));
        expected_payoffs.push_back(static_cast<float>(serial.payoff));
        expected_squares.push_back(static_cast<float>(serial.square));
        const double spread = found.spread(calls[i], options.paths);
        const double distance = std::abs(found.price(calls[i]) - exact_price(calls[i]));
        if (spread > 0) farthest = std::max(farthest, distance / spread);
    }
    // Summands are positive, so that a sum's error is at most 2^-24 of it for each addition that a
    // path goes through, paths / block and up to 10 in shared memory. A path's end is right to
    // 2^-21 of itself (a rounded exponent below 2, ex2, two products). The mean of the ends is
    // below 50 e^0.3 < 70, that of their squares below 2500 e^0.65 < 5000, with twice the error.
    const double error = (options.paths / options.block + 1 + 10 + 8) * 0x1p-24;
    report.compare("mean payoffs", payoffs, expected_payoffs, 70 * error);
    report.compare("mean squares", squares, expected_squares, 5000 * 2 * error);
    report.declare_deterministic("sums", sums);
    report.add_row("options", std::uint64_t{options.options});
    report.add_row("paths", std::uint64_t{options.paths});
    report.add_row("farthest from Black-Scholes", farthest, "standard deviation");
}

}  // namespace

workload montecarlo() {
    return make_workload<montecarlo_options>("montecarlo", "Prices of call options by random paths",
                                             "", run);
}

}  // namespace heddle::workloads
