// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hw/cosim/rtl_slots.h"
#include "tb/kit/testbench.h"

namespace heddle {

/// Makes the parts of a kind of slot that can have RTL, for a block that stands alone. Throws
/// configuration_error for an implementation that this build does not have.
template <class Traits>
slot_maker<Traits> build_slots(slot_implementation which, const cycle_counter& clock,
                               testbench& bench) {
    slot_registry<Traits> registry = Traits::implementations();
    cosim::add_rtl(registry);
    return {std::move(registry),  which,
            bench.options().seed, clock,
            bench.status(),       {nullptr, &bench.rtl_usage(), nullptr}};
}

/// Values of the option --slot.
inline std::vector<std::pair<std::string, slot_implementation>> slot_choices() {
    return {{"tlm", slot_implementation::tlm},
            {"rtl", slot_implementation::rtl},
            {"shadow", slot_implementation::shadow}};
}

}  // namespace heddle
