// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/kit/testbench.h"

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <utility>

#include "hw/protocol/timeline_recorder.h"

namespace heddle {
namespace {

void add_common_options(CLI::App& app, testbench_options& options) {
    app.add_option("--seed", options.seed, "Seed of everything random")
        ->check([](const std::string& given) {
            // A negative number would become a large one.
            return given.find('-') == std::string::npos
                       ? std::string()
                       : given + "; legal: 0 to 18446744073709551615";
        })
        ->capture_default_str();
    app.add_option("--vcd", options.vcd, "Write a waveform")->type_name("FILE");
    app.add_option("--trace-scope", options.trace_scope,
                   "Only these hierarchical names in the waveform; repeatable")
        ->type_name("GLOB");
    app.add_option("--timeline,--transactions", options.timeline, "Write a Chrome/Perfetto trace")
        ->type_name("FILE");
    app.add_option("--stall-probability", options.stall_probability,
                   "Chance that a handshake is held back in a cycle")
        ->check(CLI::Range(0.0, 0.95))
        ->capture_default_str();
    app.add_option("--max-cycles", options.max_cycles, "Fail if the run takes longer")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40))
        ->capture_default_str();
    app.add_option("--watchdog", options.watchdog, "Fail after this many cycles without progress")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40))
        ->capture_default_str();
    app.add_flag("--no-sleep", options.no_sleep, "Run idle parts too: same result, slower");
}

}  // namespace

/// Looks every `period` cycles whether anything has happened since.
class testbench::watchdog final : public clocked {
public:
    watchdog(testbench& bench, clock_domain& domain)
        : clocked(domain, bench.name_ + ".watchdog"), bench_(&bench) {}

    void evaluate() override {}
    activity update() override {
        const std::uint64_t edge = domain().edge();
        if (edge < due_) {
            return activity::idle;
        }
        if (edge != 0 && bench_->progress_ == seen_) {
            bench_->status_.report(error_kind::no_progress,
                                   bench_->name_ + ": no progress in " +
                                       std::to_string(bench_->options_.watchdog) +
                                       " cycles, at cycle " + std::to_string(edge) + " of '" +
                                       domain().name() + "'" + bench_->control_.waiting_report());
        }
        seen_ = bench_->progress_;
        due_ = edge + bench_->options_.watchdog;
        wake_at(due_);
        return activity::idle;
    }

private:
    testbench* bench_;
    std::uint64_t seen_ = 0;
    std::uint64_t due_ = 0;
};

testbench::testbench(std::string name, const testbench_options& options)
    : name_(std::move(name)), options_(options), control_(status_) {
    if (!options_.vcd.empty()) {
        waves_ =
            std::make_unique<waveform>(options_.vcd, waveform_options{options_.trace_scope, {}});
        slot_waves_ = std::make_unique<slot_waves>(*waves_);
    }
    rtl_usage_ = std::make_unique<slot_usage>(slot_waves_.get());
    if (!options_.timeline.empty()) {
        timeline_ = std::make_unique<protocol::trace_writer>(options_.timeline);
    }
}

testbench::~testbench() {}

error_kind testbench::run(clock_domain& domain) {
    if (waves_ != nullptr && !waves_->scopes().unmatched().empty()) {
        status_.report(error_kind::configuration, name_ + ": --trace-scope '" +
                                                      waves_->scopes().unmatched().front() +
                                                      "' matches no variable");
        return status_.kind();
    }
    watchdog_ = std::make_unique<watchdog>(*this, domain);
    const error_kind kind = control_.run({options_.max_cycles, &domain, sc_core::SC_ZERO_TIME});
    if (kind != error_kind::none || control_.finished()) {
        return kind;
    }
    status_.report(error_kind::no_progress,
                   name_ + ": no event is left at " + sc_core::sc_time_stamp().to_string() +
                       ", but the testbench has not finished" + control_.waiting_report());
    return status_.kind();
}

void testbench::report_rtl() {
    for (const std::string& line : rtl_usage_->lines()) std::cout << line << '\n';
    const std::string never = rtl_usage_->never_asked();
    check(never.empty(), never + ": the RTL was asked 0 times");
}

void testbench::close_outputs() {
    if (waves_ != nullptr) {
        waves_->close();
    }
    if (timeline_ != nullptr) {
        std::exchange(timeline_, nullptr)->finish();
    }
}

int run_testbench(const testbench_description& description, int argc, char** argv,
                  const std::function<void(testbench&)>& body) {
    testbench_options options;
    CLI::App app(description.summary, description.name);
    add_common_options(app, options);
    if (description.add_options) {
        command_line line(app);
        description.add_options(line);
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : exit_code(error_kind::configuration);
    }
    std::cout << description.name << ": seed " << options.seed << '\n';
    run_control::install_signal_handler();
    run_status outcome;
    try {
        testbench bench(description.name, options);
        body(bench);
        if (bench.status().kind() == error_kind::none) bench.report_rtl();
        bench.close_outputs();
        std::cout << description.name << ": " << bench.checks() << " results compared\n";
        for (const std::string& message : bench.status().messages()) {
            outcome.report(bench.status().kind(), message);
        }
    } catch (const run_error& error) {
        outcome.report(error.kind(), error.what());
    } catch (const std::exception& error) {
        outcome.report(error_kind::wrong_result, error.what());
    }
    const bool good = outcome.kind() == error_kind::none;
    if (!good) {
        std::cerr << outcome.text() << '\n';
    }
    std::cout << description.name << ": " << (good ? "passed" : "FAILED") << ", seed "
              << options.seed << ", stopped at " << sc_core::sc_time_stamp() << '\n';
    return exit_code(outcome.kind());
}

}  // namespace heddle
