// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <memory>

#include "hw/cosim/group_allocator_ports.h"
#include "hw/cosim/rtl_model.h"
#include "hw/cosim/rtl_slots.h"
#include "hw/cosim/traced_model.h"

namespace heddle::cosim {

namespace {

/// Drives the RTL as group_allocator_ports.h says. Entries beyond those of the RTL are never used:
/// no SMX has as many threads.
class group_allocator_rtl final : public group_allocator {
public:
    group_allocator_rtl(const group_table_configuration& configuration, const slot_context& context)
        : rtl_(traced(make_group_allocator_rtl(), "group_allocator", context, ports_)) {
        call_.mask = static_cast<std::uint16_t>(
            std::min(configuration.entries, group_allocator_call::most_entries) - 1);
        reset();
    }

    group_answer decide(const group_request& in) override {
        call_.operation = in.what;
        call_.thread = static_cast<std::uint16_t>(in.thread);
        call_.entry = static_cast<std::uint16_t>(in.entry.value());
        ports_.pack(call_, rtl_->inputs());
        rtl_->evaluate();
        ports_.unpack(rtl_->outputs(), call_);
        // An entry that does not exist would be no answer.
        return {call_.granted, agt_entry(call_.index & call_.mask), call_.released,
                call_.executing};
    }
    void clock_edge() override { rtl_->clock(); }
    void reset() override {
        ports_.pack(call_, rtl_->inputs());
        rtl_->reset();
    }

private:
    const port_table<group_allocator_call> ports_{group_allocator_ports};
    const std::unique_ptr<rtl_model> rtl_;
    group_allocator_call call_;
};

}  // namespace

void add_rtl(slot_registry<group_allocator_traits>& to) {
    to.add_rtl([](const group_table_configuration& configuration, const slot_context& context) {
        return std::make_unique<group_allocator_rtl>(configuration, context);
    });
}

}  // namespace heddle::cosim
