// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <memory>
#include <string>

#include "hw/cosim/crossbar_allocator_ports.h"
#include "hw/cosim/rtl_model.h"
#include "hw/cosim/rtl_slots.h"
#include "hw/cosim/traced_model.h"
#include "hw/crossbar/allocators.h"
#include "models/base/error.h"
#include "models/base/random.h"

namespace heddle::cosim {

namespace {

/// Drives the RTL as crossbar_allocator_ports.h says.
class crossbar_allocator_rtl final : public allocator {
public:
    crossbar_allocator_rtl(const allocator_shape& shape, const slot_context& context)
        : rtl_(traced(make_crossbar_allocator_rtl(), "crossbar_allocator", context, ports_)) {
        call_.rows = static_cast<std::uint8_t>(shape.rows);
        call_.columns = static_cast<std::uint8_t>(shape.columns);
        const auto seed = [&](const char* side, std::uint32_t number) {
            return lfsr32(context.run_seed(), context.path() + side + std::to_string(number))
                .value();
        };
        for (std::uint32_t n = 0; n < shape.rows; ++n) call_.row_seed[n] = seed(".input_", n);
        for (std::uint32_t n = 0; n < shape.columns; ++n) {
            call_.column_seed[n] = seed(".output_", n);
        }
        reset();
    }

    matching decide(const request_matrix& in) override {
        for (std::uint32_t row = 0; row < call_.rows; ++row) {
            const bool active = port_bits::test(in.active_rows(), row);
            call_.request[row] = active ? static_cast<std::uint32_t>(*in.row(row)) : 0;
        }
        ports_.pack_from(first_live_port, call_, rtl_->inputs());
        rtl_->evaluate();
        ports_.unpack(rtl_->outputs(), call_);
        matching grants;
        const std::uint64_t granted = call_.granted;
        port_bits::for_each(&granted, 1,
                            [&](std::uint32_t row) { grants.grant(row, call_.column[row]); });
        return grants;
    }
    void clock_edge() override { rtl_->clock(); }
    void reset() override {
        ports_.pack(call_, rtl_->inputs());
        rtl_->reset();
    }

private:
    static constexpr std::size_t first_live_port = 4;  ///< those before it change at reset only

    const port_table<crossbar_allocator_call> ports_{crossbar_allocator_ports};
    const std::unique_ptr<rtl_model> rtl_;
    crossbar_allocator_call call_;
};

}  // namespace

void add_rtl(slot_registry<allocator_traits>& to) {
    to.add_rtl([](const allocator_setting& setting, const slot_context& context) {
        if (setting.kind != allocators::key<input_first_allocator>) {
            throw configuration_error(
                "slot.crossbar_allocator: the RTL has no such crossbar.allocator; legal with rtl "
                "and shadow: input_first");
        }
        const std::uint32_t largest = std::max(setting.shape.rows, setting.shape.columns);
        if (largest > crossbar_allocator_call::most) {
            throw configuration_error("slot.crossbar_allocator: " + context.path() + " has " +
                                      std::to_string(largest) + " ports; the RTL has at most " +
                                      std::to_string(crossbar_allocator_call::most));
        }
        return std::make_unique<crossbar_allocator_rtl>(setting.shape, context);
    });
}

}  // namespace heddle::cosim
