// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/base/slot_registry.h"

namespace heddle {

/// Makes the `tlm` parts of a kind of slot, for a block that stands alone.
template <class Traits>
slot_maker<Traits> tlm_slots(const cycle_counter& clock, run_status& status,
                             std::uint64_t run_seed = 1) {
    return {Traits::implementations(), slot_implementation::tlm, run_seed, clock, status};
}

}  // namespace heddle
