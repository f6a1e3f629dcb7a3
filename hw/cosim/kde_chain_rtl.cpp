// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <memory>
#include <string>

#include "hw/cosim/kde_chain_ports.h"
#include "hw/cosim/rtl_model.h"
#include "hw/cosim/rtl_slots.h"
#include "hw/cosim/traced_model.h"
#include "models/base/error.h"

namespace heddle::cosim {

namespace {

/// Drives the RTL as kde_chain_ports.h says.
class kde_chain_rtl final : public kde_chain {
public:
    kde_chain_rtl(const kde_chain_setting& setting, const slot_context& context)
        : rtl_(traced(make_kde_chain_rtl(), "kde_chain", context, ports_)) {
        call_.entries = static_cast<std::uint8_t>(setting.entries);
        ports_.pack(call_, rtl_->inputs());
        rtl_->reset();
    }

    [[nodiscard]] bool empty() const override { return look().empty; }
    [[nodiscard]] source head() const override {
        look();
        return {kde_index(call_.head), group_index::of_bits(call_.head_group)};
    }
    [[nodiscard]] registers operator[](kde_index entry) const override {
        call_.entry = static_cast<std::uint8_t>(entry.value());
        look();
        return {call_.first_time, group_index::of_bits(call_.next_group),
                group_index::of_bits(call_.last_group)};
    }
    [[nodiscard]] unsigned chains() const override { return 1; }
    [[nodiscard]] group_index ahead(kde_index entry, unsigned) const override {
        return (*this)[entry].next_group;
    }
    [[nodiscard]] const std::uint64_t* marks() const override { return &look().marks; }

    bool start(kde_index entry, std::uint32_t rank, bool stays) override {
        if (entry.value() >= call_.entries) return false;  // the port has no number for it
        call_.rank = rank;
        call_.stays = stays;
        return run(chain_operation::start, entry, null_group).accepted;
    }
    group_index append(kde_index entry, group_index group) override {
        return group_index::of_bits(run(chain_operation::append, entry, group).linked);
    }
    void advance(group_index next) override { run(chain_operation::advance, kde_index(0), next); }

private:
    /// One clock; what the RTL has answered before its edge.
    const kde_chain_call& run(chain_operation operation, kde_index entry, group_index group) {
        call_.operation = operation;
        call_.entry = static_cast<std::uint8_t>(entry.value());
        call_.group = group.bits();
        evaluate();
        rtl_->clock();
        call_.operation = chain_operation::none;
        return call_;
    }
    const kde_chain_call& look() const {
        evaluate();
        return call_;
    }
    void evaluate() const {
        ports_.pack(call_, rtl_->inputs());
        rtl_->evaluate();
        ports_.unpack(rtl_->outputs(), call_);
    }

    const port_table<kde_chain_call> ports_{kde_chain_ports};
    const std::unique_ptr<rtl_model> rtl_;
    mutable kde_chain_call call_;  ///< what lies at the ports; to look changes no register
};

}  // namespace

void add_rtl(slot_registry<kde_chain_traits>& to) {
    to.add_rtl([](const kde_chain_setting& setting, const slot_context& context) {
        if (setting.entries > kde_chain_call::most_entries) {
            throw configuration_error(
                "slot.kde_chain: kernel_distributor.entries = " + std::to_string(setting.entries) +
                "; the RTL has at most " + std::to_string(kde_chain_call::most_entries));
        }
        if (setting.chains != 1) {
            throw configuration_error(
                "slot.kde_chain: agt.chains = " + std::to_string(setting.chains) +
                "; legal with rtl and shadow: 1");
        }
        return std::make_unique<kde_chain_rtl>(setting, context);
    });
}

}  // namespace heddle::cosim
