// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw/base/slot.h"
#include "hw/cosim/enable_checked_model.h"
#include "hw/cosim/free_running_model.h"
#include "hw/cosim/port_table.h"
#include "hw/cosim/rtl_model.h"
#include "hw/cosim/shown_model.h"
#include "models/base/error.h"

namespace heddle::cosim {

/// RTL whose ports a trace hears of.
class traced_model final : public rtl_model {
public:
    traced_model(std::unique_ptr<rtl_model> rtl, slot_trace& trace)
        : rtl_(std::move(rtl)), trace_(trace) {}

    std::uint32_t* inputs() noexcept override {
        // New inputs may follow: those before them have had no clock.
        if (asked_) record(slot_trace::step::evaluation);
        asked_ = false;
        return rtl_->inputs();
    }
    const std::uint32_t* outputs() const noexcept override { return rtl_->outputs(); }
    void evaluate() override {
        rtl_->evaluate();
        asked_ = true;
    }
    void clock() override {
        rtl_->evaluate();
        record(slot_trace::step::clock);
        asked_ = false;
        rtl_->clock();
    }
    void idle_clock() override {
        rtl_->evaluate();
        record(slot_trace::step::idle);
        asked_ = false;
        rtl_->idle_clock();
    }
    void reset() override {
        record(slot_trace::step::reset);
        asked_ = false;
        rtl_->reset();
    }
    [[nodiscard]] bool free_running() const noexcept override { return rtl_->free_running(); }

private:
    void record(slot_trace::step what) { trace_.record(what, rtl_->inputs(), rtl_->outputs()); }

    std::unique_ptr<rtl_model> rtl_;
    slot_trace& trace_;
    bool asked_ = false;  ///< evaluated, and neither recorded nor clocked since
};

/// The model as its slot uses it: with those who listen to it, and with the clocks that it needs.
/// Throws configuration_error if one who listens can't.
template <class Call>
[[nodiscard]] std::unique_ptr<rtl_model> traced(std::unique_ptr<rtl_model> rtl, const char* slot,
                                                const slot_context& context,
                                                const port_table<Call>& ports) {
    const std::vector<port_shape> shapes = ports.shapes();
    const slot_listeners& to = context.listeners();
    rtl->on_stop([context, slot](const std::string& place) {
        context.status().report(error_kind::wrong_result,
                                context.path() + ": the RTL of slot." + slot +
                                    " stopped in cycle " + std::to_string(context.clock().cycle()) +
                                    " of " + context.clock().clock_name() + " at " + place +
                                    "; what it says is printed above");
    });
    if (to.internals != nullptr) {
        const std::string& file = to.internals->begin(slot, context.path());
        if (!rtl->dump(file, [from = to.internals] { return from->now(); })) {
            throw configuration_error("--rtl-vcd: can't write '" + file + "'");
        }
    }
    if (to.trace != nullptr) {
        to.trace->begin(slot, context.path(), bits_of(shapes, port_direction::input),
                        bits_of(shapes, port_direction::output));
        rtl = std::make_unique<traced_model>(std::move(rtl), *to.trace);
    }
    if (to.view != nullptr) {
        rtl = std::make_unique<shown_model>(std::move(rtl), *to.view, context.path(), shapes);
    }
    if (rtl->free_running()) {
        return std::make_unique<free_running_model>(std::move(rtl), context.clock());
    }
    return std::make_unique<enable_checked_model>(std::move(rtl));
}

}  // namespace heddle::cosim
