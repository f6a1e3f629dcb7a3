// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <string>
#include <utility>

#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

enum class divergence_case {
    all,
    nested_branches,
    loop_trips,
    direct_calls,
    tail_calls,
    recursion,
    indirect_calls,
    early_exits
};

const choices<divergence_case>& case_names() {
    static const choices<divergence_case> names{
        {"all", divergence_case::all},
        {"nested_branches", divergence_case::nested_branches},
        {"loop_trips", divergence_case::loop_trips},
        {"direct_calls", divergence_case::direct_calls},
        {"tail_calls", divergence_case::tail_calls},
        {"recursion", divergence_case::recursion},
        {"indirect_calls", divergence_case::indirect_calls},
        {"early_exits", divergence_case::early_exits},
    };
    return names;
}

struct divergence_options {
    divergence_case only = divergence_case::all;
    std::uint32_t n = 4096;
    std::uint32_t block = 128;

    void declare(parameter_list& p) {
        p.add("case", only, case_names(), "Kernels to run");
        p.add("n", n, range(1, 1 << 22), "element", "Number of elements");
        p.add("block", block, range(1, 1024), "thread", "Threads in a block");
    }
};

using words = std::vector<std::uint32_t>;

std::uint32_t collatz_steps(std::uint32_t v) {
    std::uint32_t steps = 0;
    for (; v > 1 && steps < 1000; ++steps) v = v % 2 == 0 ? v / 2 : 3 * v + 1;
    return steps;
}

std::uint32_t square_root(std::uint32_t v) {
    std::uint64_t root = 0;
    while ((root + 1) * (root + 1) <= v) ++root;
    return static_cast<std::uint32_t>(root);
}

std::uint32_t digit_sum(std::uint32_t v) {
    std::uint32_t sum = 0;
    for (const char digit : std::to_string(v)) sum += static_cast<std::uint32_t>(digit - '0');
    return sum;
}

std::uint32_t nested_branches(const words& in, std::uint32_t v) {
    const auto gather = [&in](std::uint32_t index) { return in[index % in.size()]; };
    if ((v & 1) == 0) {
        if ((v & 8) != 0) return gather(v >> 1);
        for (std::uint32_t k = 0; k < 3; ++k) v += gather(v + k);
        return v;
    }
    v += gather(v);
    if ((v & 2) == 0) return (v - gather(v >> 7)) * 3 + 1;
    v ^= gather(v >> 3);
    if ((v & 4) != 0) v += 7 * gather(v >> 5);
    return v * 3 + 1;
}

std::uint32_t loop_trips(const words&, std::uint32_t v) {
    return collatz_steps(v % 10000);
}

std::uint32_t direct_calls(const words&, std::uint32_t v) {
    return v % 3 == 0 ? square_root(v) + digit_sum(v) : digit_sum(collatz_steps(v % 10000));
}

std::uint32_t recursion(const words&, std::uint32_t v) {
    std::uint32_t current = 0;
    std::uint32_t next = 1;
    for (std::uint32_t i = 0; i < v % 11; ++i) {
        current = std::exchange(next, current + next);
    }
    return current;
}

std::uint32_t indirect_calls(const words&, std::uint32_t v) {
    v %= 10000;
    switch (v % 3) {
        case 0:
            return collatz_steps(v);
        case 1:
            return square_root(v);
        default:
            return digit_sum(v);
    }
}

std::uint32_t early_exits(const words&, std::uint32_t v) {
    v %= 10000;
    for (std::uint32_t divisor = 2; divisor < v; ++divisor) {
        if (v % divisor == 0) return divisor;
    }
    return v;
}

using reference_function = std::uint32_t (*)(const words& in, std::uint32_t v);

constexpr std::pair<divergence_case, reference_function> references[] = {
    {divergence_case::nested_branches, nested_branches},
    {divergence_case::loop_trips, loop_trips},
    {divergence_case::direct_calls, direct_calls},
    // The same function, computed by two that jump into each other.
    {divergence_case::tail_calls, loop_trips},
    {divergence_case::recursion, recursion},
    {divergence_case::indirect_calls, indirect_calls},
    {divergence_case::early_exits, early_exits},
};

void run(device& gpu, const divergence_options& options, const run_context& context,
         workload_report& report) {
    const auto n = options.n;
    const auto in = random_words(context.random("in"), n);
    const device_buffer<std::uint32_t> device_in(gpu, in, "in");
    const device_buffer<std::uint32_t> device_out(gpu, n, "out");

    for (const auto& [which, reference] : references) {
        if (options.only != divergence_case::all && options.only != which) continue;
        const auto kernel = case_names().name(which);
        launch(gpu, kernel, grid_over(n, options.block), n, device_in.get(), device_out.get());
        const auto out = device_out.read();

        words expected(n);
        for (std::uint32_t i = 0; i < n; ++i) expected[i] = reference(in, in[i]);
        report.compare(kernel, out, expected);
        report.declare_deterministic(kernel, out);
    }
    report.add_row("elements", std::uint64_t{n});
}

}  // namespace

workload divergence() {
    return make_workload<divergence_options>(
        "divergence",
        "Nested branches, loops, calls, tail calls, recursion, indirect calls, early exits", "",
        run);
}

}  // namespace heddle::workloads
