// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/crossbar_traffic/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "hw/crossbar/crossbar.h"
#include "hw/protocol/instrumentation.h"
#include "models/base/text_table.h"
#include "tb/crossbar_traffic/closed_forms.h"
#include "tb/crossbar_traffic/traffic_sink.h"
#include "tb/crossbar_traffic/traffic_source.h"
#include "tb/kit/build_slots.h"

namespace heddle::crossbar_traffic {
namespace {

/// The host, who does not look.
struct host final : sc_core::sc_module {
    explicit host(const sc_core::sc_module_name& name) : sc_module(name) {}
    protocol::initiator_socket_of<host, protocol::memory_link> socket{"socket"};
};

/// A crossbar at one load.
struct rig {
    rig(const std::string& name, clock_domain& domain, testbench& bench,
        const traffic_options& options, double load, protocol::instrumentation& links)
        : load(load),
          flows(options.inputs, options.outputs),
          bar((name + "crossbar").c_str(), domain, options.crossbar,
              {options.inputs, options.outputs, 128,
               [](std::uint64_t address) {
                   return static_cast<std::uint32_t>(address / bank_bytes);
               }},
              build_slots<allocator_traits>(options.slot, domain, bench), bench.waves()),
          debugger((name + "host").c_str()) {
        debugger.socket.bind(bar.debug_socket);
        for (std::uint32_t i = 0; i < options.inputs; ++i) {
            const std::string number = std::to_string(i);
            sources.push_back(std::make_unique<traffic_source>(
                (name + "source_" + number).c_str(), domain, bench, options, load, i, flows));
            links.connect(sources[i]->socket, bar.smx_sockets[i], name + "smx_link_" + number);
        }
        for (std::uint32_t i = 0; i < options.outputs; ++i) {
            const std::string number = std::to_string(i);
            sinks.push_back(std::make_unique<traffic_sink>((name + "sink_" + number).c_str(),
                                                           domain, bench, options, i, flows));
            links.connect(bar.bank_sockets[i], sinks[i]->socket, name + "bank_link_" + number);
        }
    }
    [[nodiscard]] bool done() const {
        return bar.empty() && std::all_of(sources.begin(), sources.end(),
                                          [](const auto& source) { return source->done(); });
    }

    double load;
    ledger flows;
    crossbar bar;
    host debugger;
    std::vector<std::unique_ptr<traffic_source>> sources;
    std::vector<std::unique_ptr<traffic_sink>> sinks;
};

class supervisor final : public sc_core::sc_module, public clocked {
public:
    supervisor(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench,
               std::vector<std::unique_ptr<rig>>& rigs, std::uint64_t first)
        : sc_module(name),
          clocked(domain, sc_module::name()),
          bench_(bench),
          rigs_(rigs),
          first_(first) {
        wake_at(first);
    }
    void evaluate() override {
        if (domain().edge() >= first_ &&
            std::all_of(rigs_.begin(), rigs_.end(), [](const auto& r) { return r->done(); })) {
            bench_.finish();
        }
    }
    activity update() override {
        return domain().edge() >= first_ ? activity::busy : activity::idle;
    }

private:
    testbench& bench_;
    std::vector<std::unique_ptr<rig>>& rigs_;
    std::uint64_t first_;
};

struct result {
    double offered = 0, throughput = 0, latency = 0;
    std::uint64_t longest = 0;
};

result result_of(const rig& r, const traffic_options& options) {
    histogram latency = histogram::powers_of_two();
    for (const auto& sink : r.sinks) {
        latency.merge(sink->latency());
    }
    const double slots = static_cast<double>(options.cycles) * options.outputs;
    return {r.load, static_cast<double>(latency.samples()) * options.flits / slots, latency.mean(),
            latency.maximum()};
}

void check(testbench& bench, const traffic_options& options, const result& r,
           const expectation& e) {
    if (options.expect != 0 && r.offered == options.loads.back()) {
        bench.check(std::abs(r.throughput - options.expect) <= 0.02,
                    fmt::format("throughput {:.4f}, --expect {}", r.throughput, options.expect));
    }
    if (options.receiver_stalls > 0) {
        return;
    }
    const bool hot = options.traffic == pattern::hotspot;  // an upper bound
    if (e.throughput) {
        const bool good = hot ? r.throughput < *e.throughput + 0.01
                              : std::abs(r.throughput - *e.throughput) < 0.01;
        bench.check(good, fmt::format("load {}: throughput {:.4f}, closed form {:.4f}", r.offered,
                                      r.throughput, *e.throughput));
    }
    if (e.latency && r.latency > 0) {
        const bool good = e.is_bound ? r.latency > *e.latency - 0.1
                                     : std::abs(r.latency - *e.latency) < 0.05 * *e.latency + 0.05;
        bench.check(good, fmt::format("load {}: latency {:.2f}, closed form {:.2f}", r.offered,
                                      r.latency, *e.latency));
    }
}

void print(testbench& bench, const traffic_options& options,
           const std::vector<std::unique_ptr<rig>>& rigs) {
    using align = text_table::align;
    text_table table({{"offered", align::right},
                      {"throughput", align::right},
                      {"closed form", align::right},
                      {"latency", align::right},
                      {"closed form", align::right},
                      {"longest", align::right}});
    if (options.csv) {
        std::cout << "offered,throughput,expected_throughput,latency,expected_latency,longest\n";
    }
    for (const auto& each : rigs) {
        const result r = result_of(*each, options);
        const expectation e = expected(options, r.offered);
        const auto text = [](const std::optional<double>& value, const char* form) {
            return value ? fmt::format(fmt::runtime(form), *value) : std::string();
        };
        const std::string offered =
            options.traffic == pattern::backlogged ? "all" : fmt::format("{:.3f}", r.offered);
        const std::vector<std::string> cells = {
            offered,
            fmt::format("{:.4f}", r.throughput),
            text(e.throughput, "{:.4f}"),
            fmt::format("{:.2f}", r.latency),
            text(e.latency, e.is_bound && !options.csv ? ">= {:.2f}" : "{:.2f}"),
            std::to_string(r.longest)};
        if (options.csv) {
            std::cout << fmt::format("{},{},{},{},{},{}\n", cells[0], cells[1], cells[2], cells[3],
                                     cells[4], cells[5]);
        } else {
            table.add_row(cells);
        }
        check(bench, options, r, e);
    }
    if (!options.csv) {
        std::cout << "flits per output and cycle; cycles from creation to delivery\n"
                  << table.str();
    }
}

}  // namespace

void measure(testbench& bench, const traffic_options& options) {
    clock_domain domain("clock", frequency::megahertz(1000), bench.domain_options());
    protocol::instrumentation links(false, bench.timeline());
    std::vector<std::unique_ptr<rig>> rigs;
    const bool one = options.traffic == pattern::backlogged || options.loads.size() == 1;
    for (std::size_t i = 0; i < (one ? 1 : options.loads.size()); ++i) {
        rigs.push_back(std::make_unique<rig>(one ? "" : "load_" + std::to_string(i) + "_", domain,
                                             bench, options, options.loads[i], links));
    }
    supervisor end("supervisor", domain, bench, rigs, options.warm_up + options.cycles + 1);
    const std::clock_t begin = std::clock();
    if (bench.run(domain) != error_kind::none) {
        return;
    }
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    for (const auto& each : rigs) {
        bench.check(each->flows.sent == each->flows.seen, "messages were lost");
    }
    print(bench, options, rigs);
    if (options.speed) {
        const double cycles = static_cast<double>(domain.edge_count() * rigs.size());
        std::cout << fmt::format("{:.0f} crossbar cycles a second\n", cycles / seconds);
    }
}

}  // namespace heddle::crossbar_traffic
