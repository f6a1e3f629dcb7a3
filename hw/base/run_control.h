// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "hw/base/edge_loop.h"
#include "models/base/attention.h"
#include "models/base/error.h"
#include "models/base/run_status.h"

namespace heddle {

struct run_limits {
    /// The run ends without progress when `cycle_domain` has done this many cycles; 0: no limit.
    std::uint64_t max_cycles = 0;
    const clock_domain* cycle_domain = nullptr;
    /// The run ends without progress at this simulated time; SC_ZERO_TIME: no limit.
    sc_core::sc_time max_time = sc_core::SC_ZERO_TIME;
};

/// Starts, bounds and stops one simulation.
///
/// A clock domain asks stop_requested() at the end of every edge that it runs and ends the
/// simulation there: all domains complete their edges of that instant, so that the end does not
/// depend on the order of modules. Reasons: an error in run_status, finish(), Ctrl-C.
class run_control {
public:
    explicit run_control(run_status& status) : status_(&status) {}

    /// Ends the run at the next edge, as a good run.
    void finish() noexcept { finished_ = true; }
    [[nodiscard]] bool finished() const noexcept { return finished_; }
    /// Also calls the observer of progress, if attention::progress was raised.
    [[nodiscard]] bool stop_requested() const {
        return finished_ || (attention::raised() && attend()) || status_->stop_requested();
    }
    /// Called during the run, at an edge, after attention::progress was raised. It must not change
    /// anything.
    void observe_progress(std::function<void()> observer) {
        progress_observer_ = std::move(observer);
    }
    /// For clock domains: ends the simulation. Several domains may call it at one instant.
    void stop();
    [[nodiscard]] run_status& status() const noexcept { return *status_; }

    /// Runs the simulation until finish(), an error, a limit, Ctrl-C, or until no event is left.
    /// Elaboration errors and limits are reported to run_status. A limit is exact: edges before the
    /// limit run and are counted, edges at or after it aren't. Returns status().kind().
    error_kind run(const run_limits& limits = {});

    /// Calls `look` when all edges before time `due` (ps) have run, and before any edge at or after
    /// `due`. No edge runs for this call, and its result does not depend on which parts sleep.
    /// `look` returns the next such time, or `never`.
    static constexpr std::uint64_t never = ~std::uint64_t{0};
    void look_at(std::uint64_t due, std::function<std::uint64_t()> look) {
        look_due_ = due;
        look_ = std::move(look);
    }
    [[nodiscard]] bool looks_before(std::uint64_t time) const noexcept { return time >= look_due_; }
    /// For clock domains, before an edge at `time` (ps).
    void look_before(std::uint64_t time) {
        while (time >= look_due_) look_due_ = look_();
    }

    /// The domains that were constructed with this control, in that order.
    [[nodiscard]] const std::vector<clock_domain*>& domains() const noexcept {
        return loop_.domains();
    }
    /// Lets the domains run ahead of SystemC's kernel (edge_loop.h). For a simulation of which
    /// nothing outside of the domains reads sc_time_stamp() while an edge runs.
    /// Parts use present::notify() there, or clock_domain::stay_with_kernel().
    void run_ahead() noexcept { ahead_ = true; }
    /// For clock domains.
    [[nodiscard]] edge_loop& edges() noexcept { return loop_; }
    /// A line "\n  waiting: part: for what" for every part that waits, after the lines of the
    /// netlist.
    [[nodiscard]] std::string waiting_report() const;
    /// The lines of the netlist, which come first in waiting_report(); each begins with "\n  ".
    void set_netlist_report(std::function<std::string()> report) {
        netlist_report_ = std::move(report);
    }

    /// Makes Ctrl-C (SIGINT) and SIGTERM set a flag and do nothing else. A second Ctrl-C ends the
    /// process at once. Call once, from main.
    static void install_signal_handler();
    /// Acts as Ctrl-C does; may be called from a signal handler.
    static void interrupt() noexcept { attention::raise(attention::interrupt); }

private:
    /// Whether the run has to stop for what was raised.
    bool attend() const;

    run_status* status_;
    edge_loop loop_;
    std::function<std::string()> netlist_report_;
    std::function<void()> progress_observer_;
    std::uint64_t look_due_ = never;
    std::function<std::uint64_t()> look_;
    bool ahead_ = false;
    bool finished_ = false;
    bool stopping_ = false;
};

}  // namespace heddle
