// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/kmu/queue_picker.h"

#include <memory>

#include "models/base/bits.h"

namespace heddle {

namespace {

class round_robin_picker final : public queue_picker {
public:
    queue_pick decide(const queue_requests& in) override {
        const std::uint64_t later = in.ready & ~bits::below(last_ + 1);
        picked_ = bits::first(later != 0 ? later : in.ready);
        return {picked_};
    }
    void clock_edge() override { last_ = picked_; }
    void reset() override { last_ = before_first; }

private:
    static constexpr unsigned before_first = 63;

    unsigned picked_ = 0;
    unsigned last_ = before_first;
};

}  // namespace

slot_registry<queue_picker_traits> queue_picker_traits::implementations() {
    return slot_registry<queue_picker_traits>([](const kmu_configuration&, const slot_context&) {
        return std::make_unique<round_robin_picker>();
    });
}

std::ostream& operator<<(std::ostream& to, const queue_requests& requests) {
    return to << "{ready 0x" << std::hex << requests.ready << std::dec << '}';
}

}  // namespace heddle
