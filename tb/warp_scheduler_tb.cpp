// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench of warp_scheduler: SMXs whose warps live, wait and end at random, each with its warp
// schedulers behind protocol checkers. Every decision is compared with a reference that sorts the
// warps. Stalls hold back the units that instructions go to.
#include <algorithm>
#include <array>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/protocol/instrumentation.h"
#include "hw/smx/warp_scheduler/selection_policies.h"
#include "hw/smx/warp_scheduler/slot_assignment.h"
#include "hw/smx/warp_scheduler/warp_scheduler.h"
#include "tb/kit/build_slots.h"
#include "tb/kit/testbench.h"
#include "tb/warp_scheduler_reference.h"

namespace {

using namespace heddle;
using protocol::warp_mask;

constexpr unsigned slots = protocol::maximum_warps;
constexpr unsigned units = 2;

/// Mistakes of the pipeline, to see that the run fails.
enum class fault { none, unready_warp, two_calls, missed_start };

struct traffic {
    unsigned warps = 400;  ///< that each SMX runs
    fault injected = fault::none;
    slot_implementation slot = slot_implementation::tlm;
    std::vector<std::string> policies;  ///< none: all
};

/// The pipeline's side: per warp slot a warp that waits, is ready, issues, and ends after some
/// instructions. It sleeps while all wait.
class pipeline final : public sc_core::sc_module, public clocked {
public:
    pipeline(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench,
             const traffic& what, selection_policy policy, protocol::instrumentation& observers)
        : sc_module(name),
          clocked(domain, this->name()),
          bench_(bench),
          traffic_(what),
          random_(bench.random(this->name())),
          schedulers_count_(1 + static_cast<unsigned>(random_.below(4))),
          longest_wait_(1 + random_.below(200)),
          unit_stalls_{bench.stalls(part_name() + ".unit_0"),
                       bench.stalls(part_name() + ".unit_1")} {
        warp_scheduler_configuration configuration;
        configuration.scheduler = policy;
        if (random_.chance(0.5)) configuration.assignment = scheduler_assignment::contiguous;
        for (unsigned i = 0; i < schedulers_count_; ++i) {
            const std::string child = "scheduler_" + std::to_string(i);
            sockets_.push_back(
                std::make_unique<protocol::initiator_socket_of<pipeline, protocol::warp_link>>(
                    (child + "_socket").c_str()));
            schedulers_.push_back(std::make_unique<warp_scheduler>(
                child.c_str(), i,
                slots_of_scheduler(configuration.assignment, i, schedulers_count_, slots),
                configuration, build_slots<warp_selection_traits>(traffic_.slot, domain, bench),
                bench.waves()));
            observers.connect(*sockets_.back(), schedulers_.back()->socket, child);
            references_.emplace_back(configuration, i, schedulers_count_);
        }
        for (warp& w : warps_) {
            w.due = random_.below(20);
        }
    }

    void evaluate() override {
        for (unsigned i = 0; i < schedulers_count_; ++i) {
            select(i);
        }
        take_due();
    }
    activity update() override {
        latched_ = protocol::warp_status{};
        latched_.resident = resident_;
        latched_.ready = ready_;
        latched_.memory = ready_ & needs_unit_[1];
        latched_.long_latency = resident_ & ~ready_ & needs_unit_[1];
        latched_.memory_done = std::exchange(memory_done_, 0);
        latched_.lost_locality = std::exchange(lost_locality_, 0);
        latched_.cycle = domain().edge() + 1;
        latched_ended_ = std::exchange(ended_now_, 0);
        latched_.started = std::exchange(started_, 0);
        // Whether a unit takes an instruction at the next edge is known at this one.
        for (unsigned unit = 0; unit < units; ++unit) {
            if (!unit_stalls_[unit].stalled(domain().edge())) {
                latched_.issuable |= ready_ & needs_unit_[unit];
            }
        }
        corrupt();
        const warp_mask events = latched_.started | latched_.memory_done | latched_.lost_locality;
        if ((ready_ | events | latched_ended_) != 0) {
            return activity::busy;
        }
        std::uint64_t next = never;
        for (const warp& w : warps_) {
            next = std::min(next, w.due);
        }
        if (next != never) {
            wake_at(next);
        }
        return activity::idle;
    }
    std::string waiting_for() const override {
        return done()
                   ? ""
                   : std::to_string(begun_) + " warps begun, " + std::to_string(ended_) + " ended";
    }
    [[nodiscard]] bool done() const { return ended_ == traffic_.warps; }

    /// After the run: the schedulers' own counts are the reference's.
    void check_counts() {
        for (unsigned i = 0; i < schedulers_count_; ++i) {
            bench_.check(schedulers_[i]->issues() == references_[i].issues() &&
                             schedulers_[i]->switches() == references_[i].switches(),
                         std::string(schedulers_[i]->name()) + ": counted " +
                             std::to_string(schedulers_[i]->issues()) + " issues and " +
                             std::to_string(schedulers_[i]->switches()) + " switches, expected " +
                             std::to_string(references_[i].issues()) + " and " +
                             std::to_string(references_[i].switches()));
            std::cout << schedulers_[i]->name() << ": " << schedulers_[i]->issues() << " issues, "
                      << schedulers_[i]->switches() << " switches\n";
        }
        std::cout << part_name() << ": order of issue " << std::hex << order_ << std::dec
                  << ", ended at edge " << last_end_ << "\n";
    }

private:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
    static std::array<bool, slots> flags_of(warp_mask mask) {
        std::array<bool, slots> flags{};
        for (unsigned slot = 0; slot < slots; ++slot) flags[slot] = (mask >> slot & 1) != 0;
        return flags;
    }
    struct warp {
        unsigned left = 0;          ///< instructions until its end; 0: the slot is empty
        std::uint64_t due = never;  ///< when it is ready, or the slot gets a new warp
    };

    void select(unsigned scheduler) {
        // Left out are only calls that may be; a run without sleep makes them all.
        const warp_mask candidates = latched_.issuable & schedulers_[scheduler]->own();
        reference_scheduler::signals signals;
        signals.issuable = flags_of(latched_.issuable);
        signals.memory = flags_of(latched_.memory);
        signals.long_latency = flags_of(latched_.long_latency);
        signals.memory_done = flags_of(latched_.memory_done);
        signals.lost_locality = flags_of(latched_.lost_locality);
        signals.started = expected_started_;
        signals.ended = latched_ended_;
        signals.cycle = latched_.cycle;
        const std::optional<unsigned> expected = references_[scheduler].cycle(signals);
        const warp_mask events = latched_.started | latched_.memory_done | latched_.lost_locality;
        if ((candidates | events | latched_ended_) == 0 && !domain().no_sleep()) {
            return;
        }
        cycle_.scheduler = scheduler;
        cycle_.status = latched_;
        const int calls = traffic_.injected == fault::two_calls && begun_ == 100 ? 2 : 1;
        for (int i = 0; i < calls; ++i) {
            protocol::warp_phase phase = protocol::warp_phase::select;
            sc_core::sc_time time;
            (*sockets_[scheduler])->nb_transport_fw(cycle_, phase, time);
        }
        const protocol::issue& got = cycle_.decision;
        const auto text = [](bool valid, unsigned slot) {
            return valid ? "warp " + std::to_string(slot) : std::string("nothing");
        };
        const bool right =
            got.valid == expected.has_value() && (!got.valid || got.warp.value() == *expected);
        bench_.check(right, std::string(schedulers_[scheduler]->name()) + ": issued " +
                                text(got.valid, got.warp.value()) + " at cycle " +
                                std::to_string(domain().edge()) + ", expected was " +
                                text(expected.has_value(), expected.value_or(0)));
        if (right && got.valid) {
            issue(*expected);
        }
    }
    void issue(unsigned slot) {
        bench_.progress();
        order_ = (order_ ^ (slot + 1)) * 0x100000001b3U;  // FNV-1a
        const warp_mask bit = warp_mask{1} << slot;
        warp& w = warps_[slot];
        const std::uint64_t wait = random_.chance(0.5) ? 1 : 1 + random_.below(longest_wait_);
        if (--w.left == 0) {
            ready_ &= ~bit;
            resident_ &= ~bit;
            ended_now_ |= bit;
            last_end_ = domain().edge();
            ++ended_;
            w.due = domain().edge() + random_.below(wait + 1);  // the slot may be taken at once
        } else if (random_.chance(0.7)) {
            ready_ &= ~bit;
            w.due = domain().edge() + wait;
        }
        choose_unit(slot);
    }
    void take_due() {
        for (unsigned slot = 0; slot < slots; ++slot) {
            warp& w = warps_[slot];
            const warp_mask bit = warp_mask{1} << slot;
            if (w.due > domain().edge()) {
                continue;
            }
            w.due = never;
            if (w.left != 0) {
                ready_ |= bit;
                memory_done_ |= random_.chance(0.3) ? bit : 0;
                lost_locality_ |= random_.chance(0.05) ? bit : 0;
            } else if (begun_ < traffic_.warps) {
                ++begun_;
                w.left = 1 + static_cast<unsigned>(random_.below(60));
                w.due = domain().edge() + 1 + random_.below(8);
                resident_ |= bit;
                started_ |= bit;
                choose_unit(slot);
            }
        }
        expected_started_ = started_;
    }
    void choose_unit(unsigned slot) {
        const warp_mask bit = warp_mask{1} << slot;
        const std::size_t unit = random_.below(units);
        needs_unit_[unit] |= bit;
        needs_unit_[1 - unit] &= ~bit;
    }
    void corrupt() {
        if (begun_ < 100) {
            return;
        }
        if (traffic_.injected == fault::unready_warp) {
            latched_.issuable |= latched_.resident;
        } else if (traffic_.injected == fault::missed_start) {
            latched_.started = 0;
        }
    }

    testbench& bench_;
    traffic traffic_;
    random_stream random_;
    unsigned schedulers_count_;
    std::uint64_t longest_wait_;
    std::array<stall_source, units> unit_stalls_;
    std::vector<std::unique_ptr<protocol::initiator_socket_of<pipeline, protocol::warp_link>>>
        sockets_;
    std::vector<std::unique_ptr<warp_scheduler>> schedulers_;
    std::vector<reference_scheduler> references_;
    std::array<warp, slots> warps_;
    protocol::warp_cycle cycle_;
    protocol::warp_status latched_;
    warp_mask resident_ = 0, ready_ = 0, started_ = 0, memory_done_ = 0;
    warp_mask lost_locality_ = 0, ended_now_ = 0, latched_ended_ = 0;
    warp_mask expected_started_ = 0;  ///< what the latched status has to say
    std::array<warp_mask, units> needs_unit_{};
    unsigned begun_ = 0, ended_ = 0;
    std::uint64_t order_ = 0xcbf29ce484222325U;
    std::uint64_t last_end_ = 0;
};

/// Ends the run when all pipelines are done.
class supervisor final : public clocked {
public:
    supervisor(clock_domain& domain, testbench& bench,
               const std::vector<std::unique_ptr<pipeline>>& pipelines)
        : clocked(domain, "supervisor"), bench_(bench), pipelines_(pipelines) {}
    void evaluate() override {
        bool done = domain().edge() % period == 0;
        for (const auto& one : pipelines_) {
            done = done && one->done();
        }
        if (done) {
            bench_.finish();
        }
    }
    activity update() override {
        wake_at(domain().edge() + period - domain().edge() % period);
        return activity::idle;
    }

private:
    static constexpr std::uint64_t period = 100;
    testbench& bench_;
    const std::vector<std::unique_ptr<pipeline>>& pipelines_;
};

void run(testbench& bench, const traffic& what) {
    clock_domain core("core", frequency::megahertz(706), bench.domain_options());
    protocol::instrumentation observers(true, bench.timeline());
    std::vector<std::unique_ptr<pipeline>> pipelines;
    for (const selection_policy each : selection_policies::all()) {
        const std::vector<std::string>& wanted = what.policies;
        if (!wanted.empty() && std::find(wanted.begin(), wanted.end(),
                                         selection_policies::name(each)) == wanted.end()) {
            continue;
        }
        for (unsigned i = 0; i < 3; ++i) {
            const std::string full = selection_policies::name(each) + "_" + std::to_string(i);
            pipelines.push_back(
                std::make_unique<pipeline>(full.c_str(), core, bench, what, each, observers));
        }
    }
    supervisor control(core, bench, pipelines);
    const error_kind end = bench.run(core);
    if (end == error_kind::none) {
        observers.report_lost();
        for (const auto& one : pipelines) {
            one->check_counts();
        }
    }
    observers.finish();
}

}  // namespace

int sc_main(int argc, char** argv) {
    traffic what;
    testbench_description description;
    description.name = "warp_scheduler_tb";
    description.summary = "Warp schedulers under random traffic against a reference";
    description.add_options = [&](command_line& line) {
        line.number("--warps", what.warps, "Warps that each of the SMXs runs", 1, 1000000);
        line.choice<slot_implementation>("--slot", what.slot, slot_choices(),
                                         "What selects the warps: the model, the RTL, or both in "
                                         "lock step");
        line.repeated("--policy", what.policies, "Only this policy");
        line.choice<fault>("--inject", what.injected,
                           {{"unready_warp", fault::unready_warp},
                            {"two_calls", fault::two_calls},
                            {"missed_start", fault::missed_start}},
                           "A mistake of the pipeline, to fail the run");
    };
    return run_testbench(description, argc, argv, [&](testbench& bench) {
        if (what.policies.empty() && what.slot != slot_implementation::tlm) {
            what.policies = {"lrr", "gto", "motrr_recency"};  // those that Heddle has in RTL
        }
        run(bench, what);
    });
}
