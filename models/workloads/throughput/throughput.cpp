// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cmath>
#include <cstring>

#include "models/workloads/helpers.h"
#include "models/workloads/microbenchmark.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

enum class throughput_variant { units, l1, shared, atomics };

struct throughput_options {
    throughput_variant variant = throughput_variant::units;
    std::uint32_t rounds = 4;

    void declare(parameter_list& p) {
        p.add("variant", variant,
              {{"units", throughput_variant::units},
               {"l1", throughput_variant::l1},
               {"shared", throughput_variant::shared},
               {"atomics", throughput_variant::atomics}},
              "What is measured: units = arithmetic in registers, l1 = global loads that hit in "
              "L1, shared = shared memory by ways "
              "of bank conflicts, atomics = global atomics by contention");
        p.add("rounds", rounds, range(1, 1 << 16), "round",
              "Rounds of 256 instructions (units) or 16 accesses of a thread");
    }
};

constexpr std::uint32_t passes = 2;  // throughput_kernel.cpp's, of which the second is measured
constexpr std::uint32_t instructions_of_round = 256;
constexpr std::uint32_t accesses_of_round = 16;

float as_float(std::uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}
std::uint32_t as_bits(float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

/// One kind of operation: x = apply(x, y).
struct operation {
    const char* kernel;
    const char* label;
    std::uint32_t instructions;
    bool floats;
    std::uint32_t (*apply)(std::uint32_t x, std::uint32_t y);
};

const operation operations[] = {
    {"add", "add", 1, false, [](auto x, auto y) { return x + y; }},
    {"multiply", "multiply", 1, false, [](auto x, auto y) { return x * y; }},
    {"multiply_add", "multiply add", 2, false, [](auto x, auto y) { return x * x + y; }},
    {"divide", "divide", 1, false,
     [](auto x, auto y) {
         return static_cast<std::uint32_t>(static_cast<std::int32_t>(y) /
                                           static_cast<std::int32_t>(x));
     }},
    {"divide_unsigned", "divide unsigned", 1, false, [](auto x, auto y) { return y / x; }},
    {"float_add", "float add", 1, true,
     [](auto x, auto y) { return as_bits(as_float(x) + as_float(y)); }},
    {"fma", "fma", 1, true,
     [](auto x, auto y) { return as_bits(std::fma(as_float(x), as_float(x), as_float(y))); }},
    {"special", "special", 1, true, [](auto x, auto) { return as_bits(1.0F / as_float(x)); }},
    {"float_divide", "float divide", 1, true,
     [](auto x, auto y) { return as_bits(as_float(y) / as_float(x)); }}};

/// First values: integers in [1, 1024], floats in [0.5, 1). Operands are 2^30 and more, or in
/// [-0.5, -0.25): no division is by 0, and no float leaves its range.
std::uint32_t first_value(bool floats, std::uint32_t word) {
    return floats ? as_bits(0.5F + static_cast<float>(word >> 9) * 0x1p-24F) : 1 + (word >> 22);
}
std::uint32_t operand(bool floats, std::uint32_t word) {
    return floats ? as_bits(-0.5F * as_float(first_value(true, word))) : 0x40000000U + (word >> 2);
}

struct units_shape {
    std::uint32_t threads;
    std::uint32_t chains;
    const char* suffix;  // of the kernel's name
};

/// Core cycles for `rounds` rounds of one operation in one block.
std::uint64_t apply(device& gpu, const operation& which, const units_shape& shape,
                    const throughput_options& options, const run_context& context,
                    workload_report& report) {
    const std::string kernel = which.kernel + std::string(shape.suffix);
    auto values = random_words(context.random("starts"), std::size_t{shape.threads} * shape.chains);
    auto operands = random_words(context.random("operands"), shape.threads);
    for (auto& value : values) value = first_value(which.floats, value);
    for (auto& value : operands) value = operand(which.floats, value);
    const device_buffer<std::uint32_t> device_values(gpu, values, "starts");
    const device_buffer<std::uint32_t> device_operands(gpu, operands, "operands");
    const device_buffer<std::uint32_t> results(gpu, values.size(), "results");
    launch_shape launched;
    launched.block = {shape.threads};
    const warp_clocks clocks(gpu, launched);
    launch(gpu, kernel, launched, options.rounds, device_values.get(), device_operands.get(),
           results.get(), clocks.get());

    const std::uint32_t times =
        passes * options.rounds * instructions_of_round / which.instructions / shape.chains;
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (std::uint32_t n = 0; n < times; ++n) {
            values[i] = which.apply(values[i], operands[i % shape.threads]);
        }
    }
    const auto found = results.read();
    report.compare(kernel, found, values);
    // A warp's width decides how many threads a dependent run has.
    if (shape.chains > 1) report.declare_deterministic(kernel, found);
    return clocks.span();
}

/// Dependent operations of one warp, and independent operations of a block.
void units(device& gpu, const throughput_options& options, const run_context& context,
           workload_report& report) {
    const units_shape one{gpu.properties().warp_size, 1, "_dependent"};
    const units_shape many{gpu.properties().max_threads_per_block, 8, "_independent"};
    for (const operation& which : operations) {
        const double count =
            static_cast<double>(options.rounds) * instructions_of_round / which.instructions;
        const auto dependent =
            static_cast<double>(apply(gpu, which, one, options, context, report));
        const auto independent =
            static_cast<double>(apply(gpu, which, many, options, context, report));
        report.add_row(which.label + std::string(" latency"), dependent / count, "cycle/operation");
        report.add_row(which.label + std::string(" lanes"), count * many.threads / independent,
                       "lane/cycle");
    }
}

/// Reads of 4 KB of global memory by one block.
void l1(device& gpu, const throughput_options& options, const run_context& context,
        workload_report& report) {
    constexpr std::uint32_t lanes = 64;  // of the widest warp
    const device_properties& properties = gpu.properties();
    const auto words =
        random_words(context.random("words"), std::size_t{lanes} * accesses_of_round);
    launch_shape shape;
    shape.block = {properties.max_threads_per_block};
    const device_buffer<std::uint32_t> device_words(gpu, words, "words");
    const device_buffer<std::uint32_t> results(gpu, shape.block.x, "results");
    const warp_clocks clocks(gpu, shape);
    launch(gpu, "l1_read", shape, device_words.get(), options.rounds, results.get(), clocks.get());

    std::vector<std::uint32_t> expected(shape.block.x);
    for (std::uint32_t i = 0; i < shape.block.x; ++i) {
        for (std::uint32_t k = 0; k < accesses_of_round; ++k) {
            expected[i] += words[k * lanes + i % properties.warp_size];
        }
    }
    const auto found = results.read();
    report.compare("results", found, expected);
    report.declare_deterministic("results", found);
    const double count = static_cast<double>(options.rounds) * accesses_of_round * shape.block.x;
    report.add_row("read", count / static_cast<double>(clocks.span()), "lane/cycle");
}

/// One of the shared memory kernels at one degree of conflicts; the expected word of each lane.
template <class Expected>
void shared_accesses(device& gpu, const std::string& kind, std::uint32_t ways,
                     const throughput_options& options, workload_report& report,
                     Expected expected_of) {
    const device_properties& properties = gpu.properties();
    launch_shape shape;
    shape.block = {properties.max_threads_per_block};
    shape.dynamic_shared_bytes = 4 * (properties.warp_size * ways + accesses_of_round);
    const warp_clocks clocks(gpu, shape);
    const device_buffer<std::uint32_t> results(gpu, shape.block.x, "results");
    launch(gpu, "shared_" + kind, shape, ways, options.rounds, results.get(), clocks.get());

    std::vector<std::uint32_t> expected(shape.block.x);
    for (std::uint32_t i = 0; i < shape.block.x; ++i) {
        expected[i] = expected_of(i % properties.warp_size);
    }
    const auto found = results.read();
    const std::string name = kind + " " + std::to_string(ways) + (ways == 1 ? " way" : " ways");
    report.compare(name, found, expected);
    report.declare_deterministic(name, found);
    const double count = static_cast<double>(options.rounds) * accesses_of_round * shape.block.x;
    report.add_row(name, count / static_cast<double>(clocks.span()), "lane/cycle");
}

/// Reads, writes and atomics of a block, whose lanes lie 1, 2, 4, ... words apart.
void shared(device& gpu, const throughput_options& options, workload_report& report) {
    const std::uint32_t warps = gpu.properties().max_threads_per_block / gpu.properties().warp_size;
    for (std::uint32_t ways = 1; ways <= 32; ways *= 2) {
        // The sum of 16 words, which hold their indices.
        shared_accesses(gpu, "read", ways, options, report, [&](std::uint32_t lane) {
            return accesses_of_round * lane * ways +
                   accesses_of_round * (accesses_of_round - 1) / 2;
        });
        shared_accesses(gpu, "write", ways, options, report,
                        [&](std::uint32_t lane) { return lane * ways; });
        shared_accesses(gpu, "atomics", ways, options, report, [&](std::uint32_t) {
            return warps * passes * options.rounds * accesses_of_round;
        });
    }
}

/// Global atomics of a block on each SMX: to one word, to the words of a line, to words and to
/// lines of their own.
void atomics(device& gpu, const throughput_options& options, workload_report& report) {
    constexpr std::uint32_t line = 32;  // words, of the longest
    struct contention {
        const char* name;
        std::uint32_t different;
        std::uint32_t spacing;
    };
    launch_shape shape;
    shape.grid = {gpu.properties().smx_count};
    shape.block = {256};
    const std::uint32_t threads = shape.grid.x * shape.block.x;
    const contention cases[] = {{"one word", 1, 1},
                                {"one line", 16, 1},
                                {"own words", threads, 1},
                                {"own lines", threads, line}};
    for (const contention& one : cases) {
        const device_buffer<std::uint32_t> counters(gpu, std::size_t{one.different} * one.spacing,
                                                    "counters");
        const warp_clocks clocks(gpu, shape);
        launch(gpu, "global_atomics", shape, one.different, one.spacing, options.rounds,
               counters.get(), clocks.get());
        std::vector<std::uint32_t> expected(counters.size());
        for (std::uint32_t thread = 0; thread < threads; ++thread) {
            expected[std::size_t{thread % one.different} * one.spacing] +=
                passes * options.rounds * accesses_of_round;
        }
        const auto found = counters.read();
        report.compare(one.name, found, expected);
        report.declare_deterministic(one.name, found);
        const double count = static_cast<double>(options.rounds) * accesses_of_round * threads;
        report.add_row(one.name, count / static_cast<double>(clocks.span()), "lane/cycle");
    }
}

void run(device& gpu, const throughput_options& options, const run_context& context,
         workload_report& report) {
    switch (options.variant) {
        case throughput_variant::units:
            return units(gpu, options, context, report);
        case throughput_variant::l1:
            return l1(gpu, options, context, report);
        case throughput_variant::shared:
            return shared(gpu, options, report);
        case throughput_variant::atomics:
            return atomics(gpu, options, report);
    }
}

}  // namespace

workload throughput() {
    return make_workload<throughput_options>(
        "throughput", "Latency and lanes a cycle of arithmetic, shared memory and atomics, by kind",
        "", run);
}

}  // namespace heddle::workloads
