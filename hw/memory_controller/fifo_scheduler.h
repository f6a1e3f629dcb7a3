// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/memory_controller/request_scheduler.h"

namespace heddle {

/// First come, first served: while the bank of the oldest waiting request is busy, nothing younger
/// goes to any bank.
class fifo_scheduler final : public request_scheduler {
public:
    static constexpr const char* name = "fifo";
    static constexpr const char* description = "in the order of their arrival";

    request_queue::index pick(scheduler_view& view) override {
        request_queue::index at = view.queue.oldest();
        while (at != request_queue::none && view.queue[at].dispatched) {
            at = view.queue[at].after;
        }
        const bool is_free =
            at != request_queue::none && ((view.free_banks >> view.queue[at].bank) & 1) != 0;
        return is_free ? at : request_queue::none;
    }
    [[nodiscard]] bool in_order() const override { return true; }
};

}  // namespace heddle
