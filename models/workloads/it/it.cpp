// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/critical_section.h"
#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct it_options : critical_section_options {
    std::uint32_t positions = 0;

    void declare(parameter_list& p) {
        critical_section_options::declare(p);
        p.add("positions", positions, range(0, 7000), "word",
              "Words of a block among which amounts move, from 2; 0 = 64 with high contention, "
              "4096 with low");
        p.require({"positions"}, "positions is not 1", [this] { return positions != 1; });
    }
    [[nodiscard]] std::uint32_t words() const noexcept {
        if (positions != 0) return positions;
        return high() ? 64 : 4096;
    }
};

void run(device& gpu, const it_options& options, const run_context& context,
         workload_report& report) {
    const std::uint32_t positions = options.words();
    const std::uint32_t count = options.all_items();
    random_stream places = context.random("positions");
    std::vector<std::uint32_t> from(count), to(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        from[i] = static_cast<std::uint32_t>(places.below(positions));
        to[i] = static_cast<std::uint32_t>((from[i] + 1 + places.below(positions - 1)) % positions);
    }
    const auto amounts = random_words(context.random("amounts"), count);

    const device_buffer<std::uint32_t> device_from(gpu, from, "from");
    const device_buffer<std::uint32_t> device_to(gpu, to, "to");
    const device_buffer<std::uint32_t> device_amounts(gpu, amounts, "amounts");
    const device_buffer<std::uint32_t> device_totals(gpu, options.blocks * positions, "totals");
    launch(gpu, options.entry("it"), options.shape(positions), options.items(), positions,
           device_from.get(), device_to.get(), device_amounts.get(), device_totals.get());
    const auto totals = device_totals.read();

    std::vector<std::uint32_t> expected(totals.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t first = i / options.items() * positions;
        expected[first + from[i]] -= amounts[i];
        expected[first + to[i]] += amounts[i];
    }
    report.compare("totals", totals, expected);
    report.declare_deterministic("totals", totals);
    options.describe(report, positions);
}

}  // namespace

workload it() {
    return make_workload<it_options>(
        "it", "Amounts that move between words of shared memory: short sections that write", "",
        run);
}

}  // namespace heddle::workloads
