// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/run_control.h"

#include <algorithm>
#include <csignal>
#include <exception>
#include <string>
#include <utility>

#include "hw/base/clock_domain.h"
#include "hw/base/present.h"
#include "hw/base/sanitizer.h"

namespace heddle {
namespace {

extern "C" void heddle_on_interrupt(int) {
    run_control::interrupt();
}

sc_core::sc_time earliest_limit(const run_limits& limits) {
    sc_core::sc_time limit = limits.max_time;
    if (limits.max_cycles != 0 && limits.cycle_domain != nullptr) {
        const sc_core::sc_time by_cycles = limits.cycle_domain->edge_time(limits.max_cycles);
        limit = limit == sc_core::SC_ZERO_TIME ? by_cycles : std::min(limit, by_cycles);
    }
    return limit;
}

/// "1000 ps (cycle 1 of 'gpu.core_clock')".
std::string at(const sc_core::sc_time& time, const clock_domain* domain) {
    std::string text = time.to_string();
    if (domain != nullptr) {
        const std::uint64_t ps = time.value() / sc_core::sc_time(1, sc_core::SC_PS).value();
        text += " (cycle " + std::to_string(domain->rate().first_edge_after(ps) - 1) + " of '" +
                domain->name() + "')";
    }
    return text;
}

/// Where the kernel's time stops: an edge at the limit must not count as one that has passed.
sc_core::sc_time end_before(const sc_core::sc_time& limit) {
    const sc_core::sc_time last = limit - sc_core::sc_get_time_resolution();
    return last > sc_core::sc_time_stamp() ? last : limit;
}

/// A report of SystemC ends with the kernel's time, which may be behind.
std::string in_the_present(const std::exception& error) {
    std::string text = error.what();
    const std::string kernel = " @ " + sc_core::sc_time_stamp().to_string();
    const std::size_t at = text.rfind(kernel);
    if (at != std::string::npos && text.find_first_not_of('\n', at + kernel.size()) == text.npos) {
        text.replace(at, kernel.size(), " @ " + present::time().to_string());
    }
    return text;
}

}  // namespace

std::string run_control::waiting_report() const {
    std::string text = netlist_report_ ? netlist_report_() : std::string();
    for (const clock_domain* domain : domains()) {
        for (const std::string& line : domain->waiting_parts()) {
            text += "\n  waiting: " + line;
        }
    }
    return text;
}

bool run_control::attend() const {
    if (attention::take(attention::progress) && progress_observer_) progress_observer_();
    return attention::interrupted();
}

void run_control::install_signal_handler() {
    struct sigaction action = {};
    action.sa_handler = heddle_on_interrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

void run_control::stop() {
    if (std::exchange(stopping_, true)) return;
    sc_core::sc_stop();
}

error_kind run_control::run(const run_limits& limits) {
    const sc_core::sc_time limit = earliest_limit(limits);
    if (ahead_) loop_.start(limit == sc_core::SC_ZERO_TIME ? sc_core::sc_max_time() : limit);
    sc_core::sc_time end = limit;
    // Stopping at an edge is the normal end and nothing to tell the user.
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO,
                                            sc_core::SC_DO_NOTHING);
    try {
        if (limit == sc_core::SC_ZERO_TIME) {
            sc_core::sc_start();
        } else if (limit > sc_core::sc_time_stamp()) {
            end = end_before(limit);
            sc_core::sc_start(end - sc_core::sc_time_stamp(), sc_core::SC_EXIT_ON_STARVATION);
            // What comes next lies behind the limit; time had stopped at what came last.
            if (!stop_requested() && sc_core::sc_pending_activity() &&
                sc_core::sc_time_stamp() < end) {
                sc_core::sc_start(end - sc_core::sc_time_stamp(), sc_core::SC_RUN_TO_TIME);
            }
        }
    } catch (const run_error& error) {
        status_->report(error.kind(), error.what());
    } catch (const std::exception& error) {
        status_->report(error_kind::wrong_result, in_the_present(error));
    }
    restore_sanitizer_stack();
    if (status_->kind() == error_kind::interrupted) return error_kind::interrupted;
    if (attention::interrupted()) {
        status_->report(error_kind::interrupted, "run: interrupted at " +
                                                     at(present::time(), limits.cycle_domain) +
                                                     ", results are partial");
    } else if (!stop_requested() && limit != sc_core::SC_ZERO_TIME &&
               sc_core::sc_time_stamp() >= end && sc_core::sc_pending_activity()) {
        status_->report(error_kind::no_progress,
                        "run: not finished at " + at(limit, limits.cycle_domain) +
                            ", the limit of this run" +
                            (limits.max_cycles != 0 ? " (--max-cycles)" : "") + waiting_report());
    }
    return status_->kind();
}

}  // namespace heddle
