// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <memory>
#include <string>

#include "hw/cosim/formation_ports.h"
#include "hw/cosim/rtl_model.h"
#include "hw/cosim/rtl_slots.h"
#include "hw/cosim/traced_model.h"
#include "hw/smx/divergence/formation.h"
#include "models/base/error.h"

namespace heddle::cosim {

namespace {

/// Drives the RTL as formation_ports.h says.
class formation_rtl final : public formation {
public:
    formation_rtl(const formation_setting& setting, const slot_context& context)
        : context_(context), rtl_(traced(make_formation_rtl(), "formation", context, ports_)) {
        call_.entries = static_cast<std::uint8_t>(setting.stack_entries);
        ports_.pack(call_, rtl_->inputs());
        rtl_->reset();
    }

    warp_group start(unsigned warp, std::uint32_t pc, isa::lane_mask lanes) override {
        return run(stack_operation::start, warp, pc, lanes);
    }
    warp_group advance(unsigned warp, std::uint32_t pc) override {
        return run(stack_operation::advance, warp, pc);
    }
    std::optional<warp_group> follow(unsigned warp, const simt::transfer& to) override {
        using kind = simt::transfer::kind;
        stack_operation operation = stack_operation::advance;
        switch (to.what) {
            case kind::together:
            case kind::refused:
                break;
            case kind::part:
                call_.reconvergence_pc = to.reconvergence_pc;
                operation = stack_operation::part;
                break;
            case kind::call:
                call_.reconvergence_pc = to.return_address;
                operation = stack_operation::call;
                break;
            case kind::ret:
                operation = to.count == 1 ? stack_operation::back : stack_operation::back_apart;
                break;
        }
        warp_group top;
        for (unsigned g = 0; g < to.count; ++g) {
            top = run(operation, warp, to.groups[g].pc, to.groups[g].lanes);
            if (call_.overflow) return {};
            operation = stack_operation::group;
        }
        return top;
    }
    warp_group exit(unsigned warp, isa::lane_mask lanes) override {
        return run(stack_operation::exit, warp, 0, lanes);
    }
    void save(unsigned warp, std::vector<std::uint32_t>& words) const override {
        words.push_back(look(warp).size);
        for (unsigned e = 0, entries = words.back(); e < entries; ++e) {
            const formation_call& entry = look(warp, e);
            words.insert(words.end(), {entry.entry_pc, entry.entry_reconvergence_pc,
                                       entry.entry_depth, entry.entry_reconvergence_depth,
                                       static_cast<std::uint32_t>(entry.entry_lanes),
                                       static_cast<std::uint32_t>(entry.entry_lanes >> 32)});
        }
    }
    warp_group restore(unsigned warp, const std::uint32_t* words) override {
        warp_group top = run(stack_operation::start, warp);
        for (std::uint32_t left = *words++; left != 0; --left, words += 6) {
            call_.reconvergence_pc = words[1];
            call_.depth = static_cast<std::uint16_t>(words[2]);
            call_.reconvergence_depth = static_cast<std::uint16_t>(words[3]);
            top = run(stack_operation::load, warp, words[0],
                      words[4] | isa::lane_mask{words[5]} << 32);
        }
        return top;
    }
    void mark(unsigned warp, std::uint32_t pc) override { run(stack_operation::mark, warp, pc); }
    [[nodiscard]] bool at_mark(unsigned warp) const override { return look(warp).at_mark; }
    warp_group leave(unsigned warp, isa::lane_mask lanes) override {
        return run(stack_operation::leave, warp, 0, lanes);
    }
    warp_group rewind(unsigned warp, isa::lane_mask lanes) override {
        return run(stack_operation::rewind, warp, 0, lanes);
    }
    warp_group release(unsigned warp, std::uint32_t pc) override {
        return run(stack_operation::release, warp, pc);
    }
    [[nodiscard]] warp_group waiting(unsigned warp, isa::lane_mask live) const override {
        const isa::lane_mask others = live & ~look(warp).entry_lanes;
        for (unsigned e = call_.size; e-- > 0;) {
            const formation_call& entry = look(warp, e);
            if ((entry.entry_lanes & others) != 0) return {entry.entry_pc, simt::never, others};
        }
        return {simt::never, simt::never, 0};
    }

private:
    /// More than any operation takes: a walk over all entries, and pops of all of them.
    static constexpr unsigned most_clocks = 4 * formation_call::most_entries;

    /// The top after an operation.
    warp_group run(stack_operation operation, unsigned warp, std::uint32_t pc = 0,
                   isa::lane_mask lanes = 0) {
        call_.operation = operation;
        call_.warp = static_cast<std::uint8_t>(warp);
        call_.pc = pc;
        call_.lanes = lanes;
        ports_.pack(call_, rtl_->inputs());
        for (unsigned clocks = 0; clocks == 0 || call_.busy; ++clocks) {
            if (clocks == most_clocks) {
                context_.status().report(error_kind::wrong_result,
                                         context_.path() +
                                             ": the RTL of slot.formation is busy "
                                             "with one operation for " +
                                             std::to_string(clocks) + " clocks");
                break;
            }
            rtl_->clock();
            rtl_->evaluate();
            ports_.unpack(rtl_->outputs(), call_);
        }
        return {call_.entry_pc, call_.limit, call_.entry_lanes};
    }
    /// The outputs for the top of a warp, without a clock.
    const formation_call& look(unsigned warp) const { return show(stack_operation::none, warp, 0); }
    /// The outputs for an entry, 0 being the bottom.
    const formation_call& look(unsigned warp, unsigned entry) const {
        return show(stack_operation::read, warp, entry);
    }
    const formation_call& show(stack_operation operation, unsigned warp, unsigned entry) const {
        call_.operation = operation;
        call_.warp = static_cast<std::uint8_t>(warp);
        call_.index = static_cast<std::uint8_t>(entry);
        ports_.pack(call_, rtl_->inputs());
        rtl_->evaluate();
        ports_.unpack(rtl_->outputs(), call_);
        return call_;
    }

    const port_table<formation_call> ports_{formation_ports};
    const slot_context context_;
    const std::unique_ptr<rtl_model> rtl_;
    mutable formation_call call_;  ///< what lies at the ports; to look changes no register
};

}  // namespace

void add_rtl(slot_registry<formation_traits>& to) {
    to.add_rtl([](const formation_setting& setting, const slot_context& context) {
        if (setting.stack_entries == 0 || setting.stack_entries > formation_call::most_entries) {
            throw configuration_error(
                "slot.formation: smx.stack_entries = " + std::to_string(setting.stack_entries) +
                "; legal with rtl and shadow: 1 to " +
                std::to_string(formation_call::most_entries));
        }
        return std::make_unique<formation_rtl>(setting, context);
    });
}

}  // namespace heddle::cosim
