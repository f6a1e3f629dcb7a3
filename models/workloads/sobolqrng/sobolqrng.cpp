// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>

#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct sobolqrng_options {
    std::uint32_t points = 4096;
    std::uint32_t dimensions = 8;
    std::uint32_t block = 64;
    std::uint32_t blocks = 16;

    void declare(parameter_list& p) {
        p.add("points", points, range(1, 1 << 22), "point", "Number of points of the sequence");
        p.add("dimensions", dimensions, range(1, 1024), "dimension",
              "Number of coordinates of a point");
        p.add("block", block, one_of({32, 64, 128, 256, 512, 1024}), "thread",
              "Threads in a block");
        p.add("blocks", blocks, one_of({1, 2, 4, 8, 16, 32, 64, 128, 256}), "block",
              "Largest number of blocks for each dimension");
    }
};

constexpr unsigned bits = 32;

/// Whether x generates all non-zero elements modulo the polynomial of this degree over GF(2), whose
/// coefficients are the bits of `polynomial`.
bool primitive(std::uint32_t polynomial, unsigned degree) {
    const std::uint32_t top = 1U << degree;
    std::uint32_t power = 1;
    for (std::uint32_t order = 1;; ++order) {
        power <<= 1;
        if ((power & top) != 0) power ^= polynomial;
        if (power == 1) return order == top - 1;
        if (power == 0) return false;
    }
}

/// Direction numbers, 32 a dimension (Sobol' 1967). The first dimension is van der Corput's
/// sequence; each further one has the next primitive polynomial. The first numbers of a polynomial
/// are free as long as number k is odd and below 2^k: they come from the seed.
std::vector<std::uint32_t> direction_numbers(unsigned dimensions, random_stream stream) {
    std::vector<std::uint32_t> v(std::size_t{dimensions} * bits);
    for (unsigned k = 0; k < bits; ++k) v[k] = 1U << (bits - 1 - k);
    unsigned degree = 1;
    std::uint32_t polynomial = 1U << degree | 1;
    for (unsigned dimension = 1; dimension < dimensions; ++dimension) {
        while (!primitive(polynomial, degree)) {
            polynomial += 2;
            if (polynomial >> (degree + 1) != 0) polynomial = 1U << ++degree | 1;
        }
        std::uint32_t* const own = &v[std::size_t{dimension} * bits];
        for (unsigned k = 0; k < bits; ++k) {
            if (k < degree) {
                const std::uint64_t m = 2 * stream.below(std::uint64_t{1} << k) + 1;
                own[k] = static_cast<std::uint32_t>(m << (bits - 1 - k));
                continue;
            }
            own[k] = own[k - degree] ^ own[k - degree] >> degree;
            for (unsigned j = 1; j < degree; ++j) {
                if ((polynomial >> (degree - j) & 1) != 0) own[k] ^= own[k - j];
            }
        }
        polynomial += 2;
        if (polynomial >> (degree + 1) != 0) polynomial = 1U << ++degree | 1;
    }
    return v;
}

/// Of 2^strata_log equal parts of [0, 1), how many each dimension's first 2^strata_log points hit.
std::vector<std::uint32_t> strata_hit(const std::vector<float>& coordinates, std::uint32_t points,
                                      unsigned strata_log) {
    const std::uint32_t strata = 1U << strata_log;
    std::vector<std::uint32_t> hit;
    for (std::size_t first = 0; first < coordinates.size(); first += points) {
        std::vector<std::uint32_t> found(strata);
        for (std::uint32_t i = 0; i < strata; ++i) {
            const auto part =
                static_cast<std::uint32_t>(coordinates[first + i] * static_cast<float>(strata));
            found[std::min(part, strata - 1)] = 1;
        }
        hit.push_back(static_cast<std::uint32_t>(std::count(found.begin(), found.end(), 1U)));
    }
    return hit;
}

void run(device& gpu, const sobolqrng_options& options, const run_context& context,
         workload_report& report) {
    const auto points = options.points;
    const auto dimensions = options.dimensions;
    const auto v = direction_numbers(dimensions, context.random("directions"));

    const device_buffer<std::uint32_t> device_v(gpu, v, "directions");
    const device_buffer<float> device_out(gpu, std::size_t{points} * dimensions, "coordinates");
    // The smallest power of two of blocks that covers the points, at most options.blocks.
    launch_shape shape;
    shape.block.x = options.block;
    while (shape.grid.x < options.blocks && shape.grid.x * options.block < points) {
        shape.grid.x *= 2;
    }
    shape.grid.y = dimensions;
    std::uint32_t shift = 0;
    while (1U << shift < shape.grid.x * options.block) ++shift;
    launch(gpu, "sobolqrng", shape, points, shift, device_v.get(), device_out.get());
    const auto out = device_out.read();

    std::vector<float> expected(out.size());
    for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
        for (std::uint32_t i = 0; i < points; ++i) {
            std::uint32_t x = 0;
            for (unsigned k = 0; k < bits; ++k) {
                if (((i ^ i >> 1) >> k & 1) != 0) x ^= v[dimension * bits + k];
            }
            expected[dimension * points + i] = static_cast<float>(x) * 0x1p-32F;
        }
    }
    report.compare("coordinates", out, expected);
    // What makes the sequence one of low discrepancy, whatever the reference has in common with
    // the kernel: the first 2^k points of each dimension lie in different parts of 2^k.
    unsigned strata_log = 0;
    while (2U << strata_log <= points && strata_log < 16) ++strata_log;
    report.compare("strata hit", strata_hit(out, points, strata_log),
                   std::vector<std::uint32_t>(dimensions, 1U << strata_log));
    report.declare_deterministic("coordinates", out);
    report.add_row("coordinates", std::uint64_t{out.size()});
}

}  // namespace

workload sobolqrng() {
    return make_workload<sobolqrng_options>("sobolqrng", "Quasi-random points of a Sobol' sequence",
                                            "", run);
}

}  // namespace heddle::workloads
