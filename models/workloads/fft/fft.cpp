// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cmath>
#include <complex>
#include <string>

#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

using complex = std::complex<float>;

struct fft_options {
    std::uint32_t arrays = 32;
    std::uint32_t side = 32;
    std::uint32_t value_bytes = 4;
    std::uint32_t block = 256;

    void declare(parameter_list& p) {
        p.add("arrays", arrays, range(1, 65535), "array", "Number of arrays to transform");
        p.add("side", side, one_of({1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}), "point",
              "Square root of the number of points of an array; a thread transforms so many at a "
              "time");
        p.add(
            "value_bytes", value_bytes, one_of({4, 8}), "byte",
            "Place of a real or imaginary part in memory; 8 is that of a double, of which half is "
            "not used");
        p.add("block", block, range(1, 1024), "thread", "Threads in a block");
    }
    [[nodiscard]] std::size_t points() const noexcept { return std::size_t{side} * side; }
};

/// exp(-2 pi i k / n)
std::complex<double> root_of_unity(std::size_t k, std::size_t n) {
    return std::polar(1.0, -2 * M_PI * static_cast<double>(k % n) / static_cast<double>(n));
}

/// The serial reference: recursive, in double precision.
std::vector<std::complex<double>> transform(const std::vector<std::complex<double>>& values) {
    const std::size_t n = values.size();
    if (n == 1) return values;
    std::vector<std::complex<double>> halves[2];
    for (std::size_t i = 0; i < n; ++i) halves[i % 2].push_back(values[i]);
    const auto even = transform(halves[0]);
    const auto odd = transform(halves[1]);
    std::vector<std::complex<double>> result(n);
    for (std::size_t k = 0; k < n / 2; ++k) {
        const auto turned = root_of_unity(k, n) * odd[k];
        result[k] = even[k] + turned;
        result[k + n / 2] = even[k] - turned;
    }
    return result;
}

/// Real and imaginary parts in turn.
std::vector<float> parts_of(const std::vector<complex>& values) {
    std::vector<float> parts;
    for (const complex& value : values) parts.insert(parts.end(), {value.real(), value.imag()});
    return parts;
}

/// The reverse.
std::vector<complex> points_of(const std::vector<float>& parts) {
    std::vector<complex> points(parts.size() / 2);
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = {parts[2 * i], parts[2 * i + 1]};
    return points;
}

std::vector<complex> random_points(random_stream stream, std::size_t count) {
    return points_of(random_floats(stream, 2 * count));
}

/// The six steps. Returns the transformed arrays.
std::vector<complex> transform_on(device& gpu, const fft_options& options,
                                  const std::vector<complex>& points) {
    const std::uint32_t side = options.side;
    const std::uint32_t rows = options.arrays * side;
    std::vector<complex> roots;
    for (std::uint32_t k = 0; k < std::max(1U, side / 2); ++k) {
        roots.emplace_back(root_of_unity(k, side));
    }
    std::vector<complex> factors;
    for (std::size_t i = 0; i < options.points(); ++i) {
        factors.emplace_back(root_of_unity(i / side * (i % side), options.points()));
    }
    std::uint32_t bits = 0;
    while ((1U << bits) < side) ++bits;

    const std::uint32_t words = options.value_bytes / 4;
    const std::string suffix = words == 1 ? "" : "_wide";
    const auto stored = [&](const std::vector<complex>& values) {
        return spread_out(parts_of(values), words);
    };
    const device_buffer<float> first(gpu, stored(points), "points 0");
    const device_buffer<float> second(gpu, 2 * words * points.size(), "points 1");
    const device_buffer<float> device_roots(gpu, stored(roots), "roots");
    const device_buffer<float> device_factors(gpu, stored(factors), "factors");
    const launch_shape shape = grid_over(rows, options.block);
    const auto transpose = [&](const device_buffer<float>& from, const device_buffer<float>& to) {
        launch(gpu, "fft_transpose" + suffix, shape, rows, side, from.get(), to.get());
    };
    const auto transform_rows = [&](const device_buffer<float>& values) {
        launch(gpu, "fft_rows" + suffix, shape, rows, side, bits, device_roots.get(), values.get());
    };
    transpose(first, second);
    transform_rows(second);
    launch(gpu, "fft_twiddle" + suffix, shape, rows, side, device_factors.get(), second.get());
    transpose(second, first);
    transform_rows(first);
    transpose(first, second);
    return points_of(drawn_together(second.read(), words));
}

void run(device& gpu, const fft_options& options, const run_context& context,
         workload_report& report) {
    const auto points = random_points(context.random("points"), options.arrays * options.points());
    const auto found = transform_on(gpu, options, points);

    std::vector<complex> expected;
    for (std::size_t first = 0; first < points.size(); first += options.points()) {
        const auto from = points.begin() + static_cast<std::ptrdiff_t>(first);
        const auto to = from + static_cast<std::ptrdiff_t>(options.points());
        for (const auto& value : transform({from, to})) expected.emplace_back(value);
    }
    // The norm of an array's transform is at most n sqrt(2) for n points. Each of the log2(n)
    // stages and the twiddle step add an error of at most 4 x 2^-24 of it (a product and a sum of
    // complex numbers, and a rounded root). The bound holds for the norm of the error, so for each
    // part.
    const auto n = static_cast<double>(options.points());
    report.compare("transforms", parts_of(found), parts_of(expected),
                   (std::log2(n) + 1) * 4 * 0x1p-24 * std::sqrt(2) * n);
    report.declare_deterministic("transforms", found);
    report.add_row("points", std::uint64_t{points.size()});
}

}  // namespace

workload fft() {
    return make_workload<fft_options>(
        "fft", "Complex Fourier transforms in six steps, a thread a row", "", run);
}

}  // namespace heddle::workloads
