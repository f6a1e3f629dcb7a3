// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "hw/base/slot_registry.h"
#include "hw/cosim/rtl_slots.h"
#include "hw/cosim/stimulus/port_recorder.h"
#include "hw/cosim/stimulus/stimulus.h"
#include "models/base/error.h"
#include "models/base/run_status.h"

namespace heddle::cosim {

/// For slots whose operations take several clocks, which have no reference clock by clock: Heddle's
/// own RTL in lock step with the C++ part, whose ports are recorded.
template <class Traits, class Call>
class module_bench {
public:
    template <std::size_t Count>
    module_bench(const port_field<Call> (&fields)[Count],
                 typename port_recorder<Call>::means counts, const stimulus_target& to,
                 typename port_recorder<Call>::listener seen)
        : recorder_(fields, counts, to.file, to.coverage, std::move(seen)), name_(to.name) {
        add_rtl(registry_);
    }

    /// Of the instance of this setting: a trace has one.
    [[nodiscard]] std::unique_ptr<typename Traits::interface> make(
        const typename Traits::setting& setting) {
        slot_listeners listeners;
        listeners.trace = &recorder_;
        return slot_maker<Traits>{registry_, slot_implementation::shadow, 1, clock_, status_,
                                  listeners}
            .make(setting, name_);
    }
    /// Throws run_error if RTL and C++ part have differed.
    void expect_no_difference() const {
        if (status_.stop_requested()) throw run_error(error_kind::wrong_result, status_.text());
    }
    void next_step() noexcept { ++clock_.now; }

private:
    struct step_counter final : cycle_counter {
        [[nodiscard]] std::string clock_name() const override { return "stimulus"; }
        [[nodiscard]] std::uint64_t cycle() const override { return now; }
        std::uint64_t now = 0;
    };

    slot_registry<Traits> registry_ = Traits::implementations();
    step_counter clock_;
    run_status status_;
    port_recorder<Call> recorder_;
    const std::string name_;
};

}  // namespace heddle::cosim
