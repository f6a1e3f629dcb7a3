// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/memory_controller/request_scheduler.h"

namespace heddle {

/// First ready, first come first served (Rixner et al., ISCA 2000; Fung 2008, section 5.1.3): a
/// free bank takes its oldest request to the open row, else its oldest request, among those whose
/// turn it is (reads or writes). Neither source bounds the wait of the others; here a request that
/// is older than `age_limit` clocks goes first.
class fr_fcfs_scheduler final : public request_scheduler {
public:
    static constexpr const char* name = "fr_fcfs";
    static constexpr const char* description = "accesses to open rows first";

    explicit fr_fcfs_scheduler(const memory_controller_configuration& configuration) noexcept
        : age_limit_(configuration.age_limit) {}

    request_queue::index pick(scheduler_view& view) override {
        view.free_banks &= view.queue.used_banks(view.writing);
        for (; view.free_banks != 0; view.free_banks &= view.free_banks - 1) {
            const auto bank = static_cast<std::uint32_t>(__builtin_ctzll(view.free_banks));
            const request_queue::index at = pick(view, bank);
            if (at != request_queue::none) {
                return at;
            }
        }
        return request_queue::none;
    }
    [[nodiscard]] bool in_order() const override { return false; }

private:
    [[nodiscard]] request_queue::index pick(const scheduler_view& view, std::uint32_t bank) const {
        const std::uint64_t row = view.banks.open_row(bank);
        request_queue::index oldest = request_queue::none;
        for (request_queue::index at = view.queue.oldest(bank); at != request_queue::none;
             at = view.queue[at].bank_after) {
            const request_queue::entry& e = view.queue[at];
            if (e.write != view.writing || e.blocked != 0) {
                continue;
            }
            if (e.row == row) {
                return at;
            }
            if (oldest == request_queue::none) {
                oldest = at;
                if (view.now - e.arrival > age_limit_) {
                    return at;
                }
            }
        }
        return oldest;
    }

    std::uint64_t age_limit_;
};

}  // namespace heddle
