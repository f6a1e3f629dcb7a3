// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <memory>

#include "hw/cosim/queue_picker_ports.h"
#include "hw/cosim/rtl_model.h"
#include "hw/cosim/rtl_slots.h"
#include "hw/cosim/traced_model.h"

namespace heddle::cosim {

namespace {

/// Drives the RTL as queue_picker_ports.h says.
class queue_picker_rtl final : public queue_picker {
public:
    explicit queue_picker_rtl(const slot_context& context)
        : rtl_(traced(make_queue_picker_rtl(), "queue_picker", context, ports_)) {
        reset();
    }

    queue_pick decide(const queue_requests& in) override {
        call_.ready = in.ready;
        ports_.pack(call_, rtl_->inputs());
        rtl_->evaluate();
        ports_.unpack(rtl_->outputs(), call_);
        return {call_.queue};
    }
    void clock_edge() override { rtl_->clock(); }
    void reset() override { rtl_->reset(); }

private:
    const port_table<queue_picker_call> ports_{queue_picker_ports};
    const std::unique_ptr<rtl_model> rtl_;
    queue_picker_call call_;
};

}  // namespace

void add_rtl(slot_registry<queue_picker_traits>& to) {
    to.add_rtl([](const kmu_configuration&, const slot_context& context) {
        return std::make_unique<queue_picker_rtl>(context);
    });
}

}  // namespace heddle::cosim
