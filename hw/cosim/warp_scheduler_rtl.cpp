// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <memory>

#include "hw/cosim/rtl_model.h"
#include "hw/cosim/rtl_slots.h"
#include "hw/cosim/traced_model.h"
#include "hw/cosim/warp_scheduler_ports.h"
#include "hw/smx/warp_scheduler/selection_policies.h"
#include "models/base/bits.h"
#include "models/base/error.h"

namespace heddle::cosim {

namespace {

std::uint8_t policy_code(const warp_scheduler_configuration& configuration) {
    const selection_policy policy = configuration.scheduler;
    if (policy == selection_policies::key<loose_round_robin>) return 0;
    if (policy == selection_policies::key<greedy_then_oldest>) return 1;
    if (policy == selection_policies::key<memory_then_recent>) return 2;
    throw configuration_error(
        "slot.warp_scheduler: the RTL has no such smx.scheduler; legal with rtl and shadow: lrr, "
        "gto, motrr_recency");
}

/// Drives the RTL as warp_scheduler_ports.h says.
class warp_scheduler_rtl final : public warp_selection {
public:
    warp_scheduler_rtl(std::uint8_t policy, const slot_context& context)
        : rtl_(traced(make_warp_scheduler_rtl(), "warp_scheduler", context, ports_)) {
        call_.policy = policy;
    }

    outputs decide(const inputs& in) override {
        resident_ = in.resident;
        started_ = in.started;
        completed_ = completions(in);
        call_.event = warp_event::none;
        call_.issued = false;
        call_.issuable = in.issuable;
        call_.memory = in.memory;
        ports_.pack(call_, rtl_->inputs());
        rtl_->evaluate();
        ports_.unpack(rtl_->outputs(), call_);
        return {call_.valid, call_.warp};
    }
    void clock_edge() override {
        call_.issued_warp = call_.warp;
        const std::uint64_t gone = gone_warps(before_, resident_, started_);
        before_ = resident_;
        bits::for_each(gone, [&](unsigned warp) { clock(warp_event::gone, warp); });
        bits::for_each(started_, [&](unsigned warp) { clock(warp_event::started, warp); });
        call_.issued = call_.valid;
        bits::for_each(completed_, [&](unsigned warp) { clock(warp_event::completed, warp); });
        if (call_.issued) clock(warp_event::none, 0);
    }
    void reset() override {
        before_ = 0;
        ports_.pack(call_, rtl_->inputs());
        rtl_->reset();
    }

private:
    /// One clock; the warp that issues does so in the first one with `issued`.
    void clock(warp_event event, unsigned warp) {
        call_.event = event;
        call_.event_warp = static_cast<std::uint8_t>(warp);
        ports_.pack(call_, rtl_->inputs());
        rtl_->clock();
        call_.issued = false;
    }

    const port_table<warp_scheduler_call> ports_{warp_scheduler_ports};
    const std::unique_ptr<rtl_model> rtl_;
    warp_scheduler_call call_;
    std::uint64_t before_ = 0;  ///< slots that held a warp at the last clock edge
    std::uint64_t resident_ = 0;
    std::uint64_t started_ = 0;
    std::uint64_t completed_ = 0;
};

}  // namespace

void add_rtl(slot_registry<warp_selection_traits>& to) {
    to.add_rtl([](const selection_setting& setting, const slot_context& context) {
        auto part =
            std::make_unique<warp_scheduler_rtl>(policy_code(setting.configuration), context);
        part->reset();
        return part;
    });
}

}  // namespace heddle::cosim
