// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <memory>
#include <ostream>
#include <utility>

#include "hw/memory_controller/request_scheduler.h"

namespace heddle {
namespace {

struct pick_call {
    std::uint64_t free_banks;
    bool writing;
    std::size_t requests;
};
std::ostream& operator<<(std::ostream& to, const pick_call& call) {
    return to << "{free banks 0x" << std::hex << call.free_banks << std::dec
              << (call.writing ? ", writes" : ", reads") << ", " << call.requests << " requests}";
}

class shadow_request_scheduler final : public request_scheduler {
public:
    shadow_request_scheduler(std::unique_ptr<request_scheduler> tlm,
                             std::unique_ptr<request_scheduler> rtl, lock_step comparison)
        : tlm_(std::move(tlm)), rtl_(std::move(rtl)), comparison_(std::move(comparison)) {
        comparison_.show(fields);
    }

    request_queue::index pick(scheduler_view& view) override {
        const pick_call call{view.free_banks, view.writing, view.queue.size()};
        scheduler_view same = view;  // each may take banks out of its own
        const request_queue::index wanted = tlm_->pick(view);
        const request_queue::index got = rtl_->pick(same);
        comparison_.compare(fields, answer(view.queue, *tlm_, wanted),
                            answer(view.queue, *rtl_, got), [&](std::ostream& to) {
                                to << call;
                                history_.write(to);
                            });
        history_.add(comparison_.cycle(), call);
        return wanted;
    }
    [[nodiscard]] bool in_order() const override { return tlm_->in_order(); }

private:
    struct picked {
        bool in_order;
        std::uint64_t bank, row, entry;
    };
    using field = slot_field<picked>;
    static constexpr field fields[] = {
        {"in_order", [](const picked& p, std::uint32_t) { return std::uint64_t{p.in_order}; }},
        {"bank", [](const picked& p, std::uint32_t) { return p.bank; }},
        {"row", [](const picked& p, std::uint32_t) { return p.row; }},
        {"entry", [](const picked& p, std::uint32_t) { return p.entry; }}};

    static picked answer(const request_queue& queue, const request_scheduler& from,
                         request_queue::index entry) {
        if (entry == request_queue::none) {
            return {from.in_order(), field::none, field::none, field::none};
        }
        return {from.in_order(), queue[entry].bank, queue[entry].row, entry};
    }

    std::unique_ptr<request_scheduler> tlm_;
    std::unique_ptr<request_scheduler> rtl_;
    lock_step comparison_;
    call_history<pick_call> history_;
};

}  // namespace

std::unique_ptr<request_scheduler> request_scheduler_traits::shadow(
    std::unique_ptr<request_scheduler> tlm, std::unique_ptr<request_scheduler> rtl,
    lock_step comparison) {
    return std::make_unique<shadow_request_scheduler>(std::move(tlm), std::move(rtl),
                                                      std::move(comparison));
}

}  // namespace heddle
