// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench of one DRAM channel: bandwidth and latency by kind of traffic. Without --traffic it
// runs every row of the table of docs/results/dram.md, each on a channel of its own, beside what is
// expected; with it, one channel with that traffic, for its statistics, waveform and host speed.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <vector>

#include "hw/dram/command_checker.h"
#include "hw/dram/dram.h"
#include "hw/memory_controller/memory_controller.h"
#include "hw/top/gpu_configuration.h"
#include "models/base/configuration.h"
#include "tb/channel/channel_table.h"
#include "tb/channel/driver.h"
#include "tb/kit/paths.h"
#include "tb/kit/testbench.h"
#include "tb/kit/tlm_slots.h"

namespace {

using namespace heddle;
using channel::traffic_kind;

struct channel_options {
    std::string traffic;
    channel::traffic_options shape;
    std::uint64_t accesses = 20'000;
    std::uint64_t period = 1;
    std::string config = "gf100";
    std::vector<std::string> settings;  ///< KEY=VALUE
    bool no_checker = false;
};

gpu_configuration configuration_of(const channel_options& options) {
    gpu_configuration configuration;
    parameter_list parameters(configuration);
    load_configuration(parameters, {options.config, options.settings, {source_path("configs")}});
    return configuration;
}

/// One channel: driver, controller, checker; the memory is shared by all.
class rig {
public:
    rig(testbench& bench, clock_domain& clock, const std::string& name,
        const memory_controller_configuration& configuration,
        std::function<channel::channel_access()> next, std::uint64_t accesses, std::uint64_t period,
        bool check)
        : driver_(("driver_" + name).c_str(), clock, configuration.access_granularity,
                  std::move(next), accesses, period),
          controller_(("controller_" + name).c_str(), clock, configuration, {},
                      tlm_slots<request_scheduler_traits>(clock, bench.status()), bench.status(),
                      bench.waves()),
          checker_(controller_.name(), configuration.timing, configuration.banks(),
                   configuration.bank_groups) {
        driver_.socket.bind(controller_.request_socket);
        if (check) controller_.observe(checker_);
    }
    void bind(dram::channel_socket& memory) { controller_.dram_socket.bind(memory); }
    [[nodiscard]] channel::driver& source() { return driver_; }
    [[nodiscard]] memory_controller& controller() { return controller_; }
    [[nodiscard]] const command_checker& checker() const { return checker_; }
    /// Share of the peak bandwidth from the first quarter of the accesses on.
    [[nodiscard]] double share(std::uint64_t accesses, std::uint32_t burst) const {
        const auto rest = static_cast<double>(accesses - (accesses + 3) / 4);
        return rest * burst / static_cast<double>(driver_.end() - driver_.quarter());
    }

private:
    channel::driver driver_;
    memory_controller controller_;
    command_checker checker_;
};

/// All channels of one row of the table.
struct row_run {
    std::vector<std::unique_ptr<rig>> rigs;

    /// Of all placements, sorted.
    [[nodiscard]] std::vector<double> measured(const channel::table_row& row,
                                               std::uint64_t accesses) const {
        std::vector<double> all;
        for (const auto& each : rigs) {
            all.push_back(row.chosen.empty() ? each->share(accesses, row.configuration.timing.burst)
                                             : static_cast<double>(each->source().last_latency()));
        }
        std::sort(all.begin(), all.end());
        return all;
    }
};

std::function<channel::channel_access()> source_of(const testbench& bench,
                                                   const channel::table_row& row,
                                                   const std::string& name) {
    if (!row.chosen.empty()) {
        return [&row, at = std::size_t{0}]() mutable { return row.chosen[at++]; };
    }
    auto decoder = std::make_shared<address_decoder>(row.configuration.masks(),
                                                     row.configuration.access_granularity);
    auto source = std::make_shared<channel::traffic>(
        row.traffic, *decoder, row.configuration.access_granularity, bench.random(name));
    return [decoder, source] { return source->next(); };
}

void print_row(testbench& bench, const channel::table_row& row, const std::vector<double>& all) {
    const double median = all[all.size() / 2];
    const bool good = row.by_range ? all.front() <= row.high && all.back() >= row.low
                                   : median >= row.low && median <= row.high;
    fmt::print("{:<30} {:>8.{}f}  {}", row.name, median, row.chosen.empty() ? 3 : 0, row.expected);
    if (all.size() > 1) {
        fmt::print(", {} placements: {:.3f} to {:.3f}", all.size(), all.front(), all.back());
    }
    fmt::print("{}\n", good ? "" : "  <- differs");
    if (row.judged) bench.check(good, row.name + " differs from what is expected");
}

void run_table(testbench& bench, const channel_options& options) {
    const gpu_configuration gf100 = configuration_of(options);
    const std::vector<channel::table_row> rows = channel::channel_table(gf100.dram);
    unsigned channels = 0;
    for (const channel::table_row& row : rows) channels += row.placements;
    clock_domain clock("clock", frequency::kilohertz(gf100.clock.dram), bench.domain_options());
    dram memory("memory", channels);
    std::vector<row_run> runs(rows.size());
    unsigned running = channels;
    unsigned next = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const channel::table_row& row = rows[i];
        for (unsigned k = 0; k < row.placements; ++k, ++next) {
            const bool chosen = !row.chosen.empty();
            runs[i].rigs.push_back(
                std::make_unique<rig>(bench, clock, std::to_string(next), row.configuration,
                                      source_of(bench, row, row.name + std::to_string(k)),
                                      chosen ? row.chosen.size() : options.accesses,
                                      chosen ? 1000 : options.period, true));
            rig& each = *runs[i].rigs.back();
            each.bind(memory.channel_sockets[next]);
            each.source().on_answer = [&bench, &each, &running] {
                bench.progress();
                if (each.source().done() && --running == 0) bench.finish();
            };
        }
    }
    if (bench.run(clock) != error_kind::none) return;
    fmt::print("{:<30} {:>8}  {}\n", "traffic", "measured", "expected");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        print_row(bench, rows[i], runs[i].measured(rows[i], options.accesses));
    }
}

void run_one(testbench& bench, const channel_options& options) {
    const gpu_configuration whole = configuration_of(options);
    const memory_controller_configuration& configuration = whole.dram;
    const address_decoder decoder(configuration.masks(), configuration.access_granularity);
    channel::traffic source(options.shape, decoder, configuration.access_granularity,
                            bench.random("traffic"));
    clock_domain clock("clock", frequency::kilohertz(whole.clock.dram), bench.domain_options());
    rig one(
        bench, clock, "0", configuration, [&] { return source.next(); }, options.accesses,
        options.period, !options.no_checker);
    dram memory("memory", 1);
    one.bind(memory.channel_sockets[0]);
    one.source().on_answer = [&] {
        bench.progress();
        if (one.source().done()) bench.finish();
    };
    const std::clock_t before = std::clock();
    bench.run(clock);
    const double seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    statistics values;
    one.controller().collect(values, "channel");
    std::cout << to_table(values);
    fmt::print("share of the peak bandwidth {:.3f}\n",
               one.share(options.accesses, configuration.timing.burst));
    fmt::print("{} clocks, {:.2f} M channel clocks/s, {:.0f} k requests/s\n", clock.edge_count(),
               static_cast<double>(clock.edge_count()) / seconds / 1e6,
               static_cast<double>(options.accesses) / seconds / 1e3);
}

}  // namespace

int sc_main(int argc, char** argv) {
    channel_options options;
    testbench_description description;
    description.name = "channel_tb";
    description.summary = "Bandwidth and latency of a DRAM channel by kind of traffic";
    description.add_options = [&](command_line& line) {
        const std::map<std::string, traffic_kind> kinds{{"one_row", traffic_kind::one_row},
                                                        {"sequential", traffic_kind::sequential},
                                                        {"random", traffic_kind::random},
                                                        {"streams", traffic_kind::streams}};
        line.name_of(
            "--traffic", {"one_row", "sequential", "random", "streams"},
            [&options, kinds](const std::string& name) {
                options.traffic = name;
                options.shape.kind = kinds.at(name);
            },
            "Run this instead of the table");
        line.number("--streams", options.shape.streams, "Interleaved streams", 1, 4096);
        line.number("--writes", options.shape.writes, "Share of writes", 0.0, 1.0);
        line.flag("--in-turn", options.shape.in_turn,
                  "Streams take turns, else the next one is drawn");
        line.numbers("--start-banks", options.shape.start_banks,
                     "Banks that the streams start in, B,B,...; else anywhere");
        line.number("--accesses", options.accesses, "Accesses of 64 bytes of each channel", 100,
                    1'000'000'000);
        line.number("--period", options.period, "Clocks between two requests at least", 1,
                    1'000'000);
        line.words("--config", options.config, "Whose channel, with --traffic");
        line.repeated("--set", options.settings, "KEY=VALUE, as dram.scheduler=fifo");
        line.flag("--no-checker", options.no_checker, "Without the checker of commands");
    };
    return run_testbench(description, argc, argv, [&](testbench& bench) {
        if (options.traffic.empty()) {
            run_table(bench, options);
        } else {
            run_one(bench, options);
        }
    });
}
