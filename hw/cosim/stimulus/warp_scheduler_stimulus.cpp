// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/stimulus/slot_bench.h"
#include "hw/cosim/stimulus/stimulus.h"
#include "hw/cosim/warp_scheduler_ports.h"
#include "models/base/bits.h"

namespace heddle::cosim {

namespace {

void counts(const warp_scheduler_call& said, warp_scheduler_call& counts) {
    if (!said.valid) counts.warp = 0;
}

constexpr unsigned warp_slots = 64, policies = 3;

class warp_scheduler_driver {
public:
    explicit warp_scheduler_driver(const stimulus_target& to)
        : bench_("warp_scheduler", warp_scheduler_ports, counts, to),
          coverage_(to.coverage),
          random_(to.random),
          events_(to.coverage.declare(
              {"events x policy", {"none", "gone", "started", "completed"}, names})),
          issues_(
              to.coverage.declare({"issuable x policy", {"none", "1", "2 to 63", "64"}, names})),
          memory_(to.coverage.declare(
              {"issuable for memory x policy", {"none", "some", "all"}, names})),
          together_(to.coverage.declare({"a warp issues, with the event x policy",
                                         {"of itself", "of another one", "none"},
                                         names})) {}

    void run(unsigned steps) {
        for (unsigned policy = 0; policy < policies; ++policy) {
            policy_ = policy;
            fill();
            for (unsigned n = 0; n < steps / policies; ++n) {
                if (random_.below(1000) == 0) fill();
                step();
            }
        }
    }

private:
    /// A reset, then warps in slots of a random order: with full slots all 64.
    void fill() {
        warp_scheduler_call call;
        call.policy = static_cast<std::uint8_t>(policy_);
        bench_.reset(call);
        live_ = 0;
        const bool full = random_.below(2) == 0;
        const unsigned first = static_cast<unsigned>(random_.below(warp_slots));
        for (unsigned n = 0; n < warp_slots; ++n) {
            if (!full && random_.below(2) == 0) continue;
            call.event = warp_event::started;
            call.event_warp = static_cast<std::uint8_t>((first + n * 29) % warp_slots);
            live_ |= bits::one(call.event_warp);
            count(call);
            bench_.clock(call);
        }
    }
    void step() {
        warp_scheduler_call call;
        call.policy = static_cast<std::uint8_t>(policy_);
        call.issuable = live_ & some();
        call.memory = live_ & some();
        const warp_scheduler_call said = bench_.answer(call);
        call.issued = said.valid && random_.below(3) != 0;
        call.issued_warp = said.warp;
        call.event_warp = static_cast<std::uint8_t>(
            random_.below(4) == 0 ? said.warp : random_.below(warp_slots));
        const bool lives = bits::test(live_, call.event_warp);
        const bool itself = call.issued && call.issued_warp == call.event_warp;
        const std::uint64_t kind = random_.below(16);
        if (!lives) {
            if (kind < 12) call.event = warp_event::started;
        } else if (kind == 0 && !itself) {
            call.event = warp_event::gone;
        } else if (kind < 8) {
            call.event = warp_event::completed;
        }
        if (random_.below(10) == 0) {
            if (random_.below(2) == 0) {
                bench_.ask(call);
            } else {
                bench_.idle(call);
            }
            return;
        }
        if (call.event == warp_event::started) live_ |= bits::one(call.event_warp);
        if (call.event == warp_event::gone) live_ &= ~bits::one(call.event_warp);
        count(call);
        bench_.clock(call);
    }
    void count(const warp_scheduler_call& call) {
        port_coverage& to = coverage_;
        to.add(events_, static_cast<unsigned>(call.event), policy_);
        const unsigned many = bits::count(call.issuable);
        to.add(issues_, many < 2 ? many : many < warp_slots ? 2 : 3, policy_);
        const std::uint64_t both = call.issuable & call.memory;
        if (many != 0) to.add(memory_, both == 0 ? 0 : both != call.issuable ? 1 : 2, policy_);
        if (!call.issued) return;
        const bool itself = call.event_warp == call.issued_warp;
        to.add(together_, call.event == warp_event::none ? 2 : itself ? 0 : 1, policy_);
    }
    std::uint64_t some() {
        switch (random_.below(5)) {
            case 0:
                return 0;
            case 1:
                return ~std::uint64_t{0};
            case 2:
                return bits::one(static_cast<unsigned>(random_.below(warp_slots)));
            case 3:
                return random_.next();
            default:
                return random_.next() & random_.next() & random_.next();
        }
    }

    static inline const std::vector<std::string> names = {"lrr", "gto", "motrr_recency"};

    slot_bench<warp_scheduler_call> bench_;
    port_coverage& coverage_;
    random_stream& random_;
    const std::size_t events_, issues_, memory_, together_;
    unsigned policy_ = 0;
    std::uint64_t live_ = 0;  ///< slots that hold a warp
};

}  // namespace

void drive_warp_scheduler(const stimulus_target& to) {
    warp_scheduler_driver(to).run(to.steps);
}

}  // namespace heddle::cosim
