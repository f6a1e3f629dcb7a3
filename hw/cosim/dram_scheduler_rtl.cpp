// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <memory>
#include <string>

#include "hw/cosim/dram_scheduler_ports.h"
#include "hw/cosim/rtl_model.h"
#include "hw/cosim/rtl_slots.h"
#include "hw/cosim/traced_model.h"
#include "hw/memory_controller/request_schedulers.h"
#include "models/base/bits.h"
#include "models/base/error.h"

namespace heddle::cosim {

namespace {

/// Drives the RTL as dram_scheduler_ports.h says.
class dram_scheduler_rtl final : public request_scheduler {
public:
    dram_scheduler_rtl(std::uint64_t age_limit, const slot_context& context)
        : rtl_(traced(make_dram_scheduler_rtl(), "dram_scheduler", context, ports_)) {
        call_.age_limit = static_cast<std::uint32_t>(age_limit);
    }

    request_queue::index pick(scheduler_view& view) override {
        for (; view.free_banks != 0; view.free_banks &= view.free_banks - 1) {
            const request_queue::index at = pick_of(bits::first(view.free_banks), view);
            if (at != request_queue::none) return at;
        }
        return request_queue::none;
    }
    [[nodiscard]] bool in_order() const override { return false; }

private:
    request_queue::index pick_of(std::uint32_t bank, const scheduler_view& view) {
        const std::uint64_t row = view.banks.open_row(bank);
        call_.open = row != channel_timing::closed;
        call_.open_row = static_cast<std::uint32_t>(row);
        call_.now = static_cast<std::uint32_t>(view.now);
        call_.candidate = {};
        unsigned waiting = 0;
        for (request_queue::index at = view.queue.oldest(bank); at != request_queue::none;
             at = view.queue[at].bank_after, ++waiting) {
            const request_queue::entry& e = view.queue[at];
            order_[waiting] = at;
            call_.candidate[waiting] = e.write == view.writing && e.blocked == 0;
            call_.row[waiting] = static_cast<std::uint32_t>(e.row);
            call_.arrival[waiting] = static_cast<std::uint32_t>(e.arrival);
        }
        ports_.pack(call_, rtl_->inputs());
        rtl_->evaluate();
        ports_.unpack(rtl_->outputs(), call_);
        return call_.found ? order_[call_.entry] : request_queue::none;
    }

    const port_table<dram_scheduler_call> ports_{dram_scheduler_ports};
    const std::unique_ptr<rtl_model> rtl_;
    dram_scheduler_call call_;
    std::array<request_queue::index, dram_scheduler_call::most> order_{};  ///< by arrival
};

}  // namespace

void add_rtl(slot_registry<request_scheduler_traits>& to) {
    to.add_rtl(
        [](const memory_controller_configuration& configuration, const slot_context& context) {
            if (configuration.scheduler != request_schedulers::key<fr_fcfs_scheduler>) {
                throw configuration_error(
                    "slot.dram_scheduler: the RTL has no such dram.scheduler; legal with rtl and "
                    "shadow: fr_fcfs");
            }
            if (configuration.queue > dram_scheduler_call::most) {
                throw configuration_error(
                    "slot.dram_scheduler: dram.queue = " + std::to_string(configuration.queue) +
                    "; the RTL has at most " + std::to_string(dram_scheduler_call::most));
            }
            return std::make_unique<dram_scheduler_rtl>(configuration.age_limit, context);
        });
}

}  // namespace heddle::cosim
