// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cstring>
#include <memory>
#include <string>

#include "hw/cosim/rtl_model.h"
#include "hw/cosim/rtl_slots.h"
#include "hw/cosim/tm_bank_ports.h"
#include "hw/cosim/traced_model.h"
#include "hw/smx/tm/conflict_detectors.h"
#include "models/base/bits.h"
#include "models/base/error.h"

namespace heddle::cosim {

namespace {

using protocol::bank_check;
using protocol::bank_command;
using protocol::item_set;

static_assert(std::tuple_size_v<decltype(tm_bank_call::items)> == item_set::words);

/// Drives the RTL as tm_bank_ports.h says.
class tm_bank_rtl final : public bank_state {
public:
    tm_bank_rtl(const bank_setting& setting, const slot_context& context)
        : context_(context), rtl_(traced(make_tm_bank_rtl(), "tm_bank", context, ports_)) {
        call_.two_hashes = setting.configuration.hashes > 1;
        ports_.pack(call_, rtl_->inputs());
        rtl_->reset();
    }

    void access(bank_check& check, const std::uint8_t* word) override {
        const bool store = check.command == bank_command::store;
        place(store ? bank_operation::store : bank_operation::load, check);
        std::memcpy(&call_.word, word, sizeof(call_.word));
        evaluate();
        check.lost = call_.lost;
        if (call_.lost) check.items = set_of(call_.conflicts);
        rtl_->clock();
    }
    void tell(bank_check& check, std::vector<restored_word>& restored) override {
        switch (check.command) {
            case bank_command::plain:
                place(bank_operation::none, check);
                evaluate();
                check.owned = call_.owned;
                return;
            case bank_command::undo:
                return walk(bank_operation::undo, check, restored);
            case bank_command::forget:
                return walk(bank_operation::forget, check, restored);
            case bank_command::settled:  // signatures have nothing that outlives their items
            case bank_command::load:
            case bank_command::store:
                return;
        }
    }

private:
    void walk(bank_operation operation, const bank_check& check,
              std::vector<restored_word>& restored) {
        place(operation, check);
        for (unsigned w = 0; w < item_set::words; ++w) {
            call_.items[w] = check.items.lanes_of(64 * w, 64);
        }
        for (unsigned clocks = 0; clocks == 0 || call_.busy; ++clocks) {
            if (clocks == tm_bank_call::most_rows) {
                context_.status().report(error_kind::wrong_result,
                                         context_.path() +
                                             ": the RTL of slot.tm_bank is busy with one operation "
                                             "for " +
                                             std::to_string(clocks) + " clocks");
                return;
            }
            ports_.pack(call_, rtl_->inputs());
            rtl_->clock();
            rtl_->evaluate();
            ports_.unpack(rtl_->outputs(), call_);
            if (call_.restore) restored.push_back({call_.restored_row, call_.restored_word});
        }
    }
    void place(bank_operation operation, const bank_check& check) {
        call_.operation = operation;
        call_.slot = static_cast<std::uint8_t>(check.block.value());
        call_.row = static_cast<std::uint16_t>(check.row);
        call_.item = static_cast<std::uint8_t>(check.item);
    }
    void evaluate() {
        ports_.pack(call_, rtl_->inputs());
        rtl_->evaluate();
        ports_.unpack(rtl_->outputs(), call_);
    }
    static item_set set_of(const std::array<std::uint64_t, item_set::words>& words) {
        item_set set;
        for (unsigned w = 0; w < item_set::words; ++w) {
            bits::for_each(words[w], [&](unsigned item) { set.insert(64 * w + item); });
        }
        return set;
    }

    const port_table<tm_bank_call> ports_{tm_bank_ports};
    const slot_context context_;
    const std::unique_ptr<rtl_model> rtl_;
    tm_bank_call call_;
};

void require(bool holds, const std::string& what) {
    if (!holds) throw configuration_error("slot.tm_bank: " + what);
}

}  // namespace

void add_rtl(slot_registry<bank_state_traits>& to) {
    to.add_rtl([](const bank_setting& setting, const slot_context& context) {
        require(setting.configuration.detection == conflict_detectors::of<prw_sig>,
                "the RTL has no such tm.detection; legal with rtl and shadow: prw_sig");
        require(setting.block_slots <= tm_bank_call::most_slots,
                "smx.max_blocks = " + std::to_string(setting.block_slots) +
                    "; the RTL has at most " + std::to_string(tm_bank_call::most_slots));
        require(setting.rows <= tm_bank_call::most_rows,
                "smx.shared_bytes makes " + std::to_string(setting.rows) +
                    " rows of a bank; the RTL has at most " +
                    std::to_string(tm_bank_call::most_rows));
        return std::make_unique<tm_bank_rtl>(setting, context);
    });
}

}  // namespace heddle::cosim
