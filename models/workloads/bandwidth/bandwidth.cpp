// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <cmath>

#include "models/workloads/helpers.h"
#include "models/workloads/microbenchmark.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

enum class bandwidth_variant { read, read_past_l1, strided, shared, write, copy, triad };

struct bandwidth_options {
    bandwidth_variant variant = bandwidth_variant::copy;
    std::uint32_t size = 1 << 20;
    std::uint32_t batches = 8;
    std::uint32_t rounds = 1;
    std::uint32_t stride = 1024;
    std::uint32_t block = 256;
    bool warm = true;

    void declare(parameter_list& p) {
        p.add("variant", variant,
              {{"read", bandwidth_variant::read},
               {"read_past_l1", bandwidth_variant::read_past_l1},
               {"strided", bandwidth_variant::strided},
               {"shared", bandwidth_variant::shared},
               {"write", bandwidth_variant::write},
               {"copy", bandwidth_variant::copy},
               {"triad", bandwidth_variant::triad}},
              "What threads do: read = a sum, read_past_l1 = the same with loads that bypass L1, "
              "strided = a sum of a thread's own lines of 64 bytes, shared = a sum from shared "
              "memory, write = an index, copy = a copy, triad = b + q c");
        p.add("size", size, range(4, 1 << 28), "byte",
              "What the threads access in each array, rounded up to whole blocks");
        p.add("batches", batches, range(1, 1 << 16), "batch",
              "Batches of 4 independent accesses of each thread to each array (strided: of 16)");
        p.add("rounds", rounds, range(1, 1 << 16), "round", "How often each thread repeats them");
        p.add("stride", stride, range(64, 1 << 20), "byte",
              "Distance from one thread's words to the next thread's (strided)");
        p.add("block", block, one_of({64, 128, 256, 512, 1024}), "thread", "Threads in a block");
        p.add("warm", warm, "The kernel runs once before the measurement");
        p.require({"stride", "batches"}, "stride is a multiple of 4, and at least 64 * batches",
                  [this] {
                      return variant != bandwidth_variant::strided ||
                             (stride % 4 == 0 && stride / 64 >= batches);
                  });
    }
    [[nodiscard]] std::uint32_t words_of_thread() const noexcept {
        return (variant == bandwidth_variant::strided ? 16 : 4) * batches;
    }
    [[nodiscard]] std::uint32_t words_of_block() const noexcept {
        return block * words_of_thread();
    }
    [[nodiscard]] launch_shape shape() const {
        launch_shape shape;
        shape.grid = {blocks_for(size, words_of_block() * 4)};
        shape.block = {block};
        if (variant == bandwidth_variant::shared) shape.dynamic_shared_bytes = words_of_block() * 4;
        return shape;
    }
    /// Words of each array that the threads access, and all words of it.
    [[nodiscard]] std::size_t words() const {
        return std::size_t{shape().grid.x} * words_of_block();
    }
    [[nodiscard]] std::size_t length() const {
        if (variant != bandwidth_variant::strided) return words();
        return std::size_t{shape().grid.x} * block * (stride / 4);
    }
};

constexpr float factor = 1.7F;

void report_bandwidth(workload_report& report, std::uint64_t bytes, const warp_clocks& clocks) {
    const std::uint64_t span = clocks.span();
    report.add_row("bytes", bytes);
    report.add_row("clocks", span);
    report.add_row("bandwidth", static_cast<double>(bytes) / static_cast<double>(span),
                   "byte/cycle");
}

/// Launches the kernel, once more before if `options` say so; returns the bytes that it moves
/// to or from `arrays` arrays.
template <class... Arguments>
std::uint64_t launch_warm(device& gpu, const bandwidth_options& options, const char* kernel,
                          unsigned arrays, const Arguments&... arguments) {
    if (options.warm) launch(gpu, kernel, options.shape(), arguments...);
    launch(gpu, kernel, options.shape(), arguments...);
    return std::uint64_t{4} * arrays * options.rounds * options.words();
}

/// Index of word k of a thread: 64 threads share 256 consecutive words of each of their batches,
/// and the blocks stand side by side, except for those that copy their words to shared memory.
std::size_t word_of(const bandwidth_options& options, std::uint32_t thread, std::uint32_t k) {
    if (options.variant == bandwidth_variant::strided) {
        return std::size_t{thread} * (options.stride / 4) + k;
    }
    const bool shared = options.variant == bandwidth_variant::shared;
    const std::uint32_t blocks = options.shape().grid.x;
    const std::uint32_t block = thread / options.block;
    const std::uint32_t in_block = thread % options.block;
    const std::size_t part = shared ? block * options.batches + k / 4 : k / 4 * blocks + block;
    const std::uint32_t in_part = in_block / 64 * 256 + k % 4 * 64 + in_block % 64;
    return part * options.block * 4 + in_part;
}

void read(device& gpu, const bandwidth_options& options, const run_context& context,
          workload_report& report) {
    const auto words = random_words(context.random("words"), options.length());
    const launch_shape shape = options.shape();
    const std::uint32_t threads = shape.grid.x * options.block;
    const device_buffer<std::uint32_t> in(gpu, words, "words");
    const device_buffer<std::uint32_t> sums(gpu, threads, "sums");
    const warp_clocks clocks(gpu, shape);
    const char* const kernel = options.variant == bandwidth_variant::read ? "bandwidth_read"
                               : options.variant == bandwidth_variant::read_past_l1
                                   ? "bandwidth_read_past_l1"
                                   : "bandwidth_shared";
    const auto bytes =
        options.variant == bandwidth_variant::strided
            ? launch_warm(gpu, options, "bandwidth_strided", 1, in.get(), options.stride / 4,
                          options.batches, options.rounds, sums.get(), clocks.get())
            : launch_warm(gpu, options, kernel, 1, in.get(), options.batches, options.rounds,
                          sums.get(), clocks.get());

    std::vector<std::uint32_t> expected(threads);
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
        for (std::uint32_t k = 0; k < options.words_of_thread(); ++k) {
            expected[thread] += options.rounds * words[word_of(options, thread, k)];
        }
    }
    const auto found = sums.read();
    report.compare("sums", found, expected);
    report.declare_deterministic("sums", found);
    report_bandwidth(report, bytes, clocks);
}

void write(device& gpu, const bandwidth_options& options, workload_report& report) {
    const device_buffer<std::uint32_t> out(gpu, options.words(), "out");
    const warp_clocks clocks(gpu, options.shape());
    const auto bytes = launch_warm(gpu, options, "bandwidth_write", 1, options.batches,
                                   options.rounds, out.get(), clocks.get());
    std::vector<std::uint32_t> expected(options.words());
    for (std::uint32_t i = 0; i < expected.size(); ++i) expected[i] = i;
    const auto found = out.read();
    report.compare("out", found, expected);
    report.declare_deterministic("out", found);
    report_bandwidth(report, bytes, clocks);
}

/// copy and triad.
void stream(device& gpu, const bandwidth_options& options, const run_context& context,
            workload_report& report) {
    const bool triad = options.variant == bandwidth_variant::triad;
    const auto b = random_floats(context.random("b"), options.words());
    const auto c = random_floats(context.random("c"), triad ? options.words() : 1);
    const device_buffer<float> device_b(gpu, b, "b");
    const device_buffer<float> device_c(gpu, c, "c");
    const device_buffer<float> device_a(gpu, options.words(), "a");
    const warp_clocks clocks(gpu, options.shape());
    const auto bytes =
        triad ? launch_warm(gpu, options, "bandwidth_triad", 3, device_b.get(), device_c.get(),
                            factor, options.batches, options.rounds, device_a.get(), clocks.get())
              : launch_warm(gpu, options, "bandwidth_copy", 2, device_b.get(), options.batches,
                            options.rounds, device_a.get(), clocks.get());
    auto expected = b;
    if (triad) {
        for (std::size_t i = 0; i < expected.size(); ++i) {
            expected[i] = std::fma(factor, c[i], b[i]);
        }
    }
    const auto found = device_a.read();
    report.compare("a", found, expected);
    report.declare_deterministic("a", found);
    report_bandwidth(report, bytes, clocks);
}

void run(device& gpu, const bandwidth_options& options, const run_context& context,
         workload_report& report) {
    switch (options.variant) {
        case bandwidth_variant::write:
            return write(gpu, options, report);
        case bandwidth_variant::copy:
        case bandwidth_variant::triad:
            return stream(gpu, options, context, report);
        default:
            return read(gpu, options, context, report);
    }
}

}  // namespace

workload bandwidth() {
    return make_workload<bandwidth_options>(
        "bandwidth", "Bytes a cycle of streams: read, write, copy, triad", "", run);
}

}  // namespace heddle::workloads
