// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "include/heddle/retire.h"
#include "models/isa/csr.h"
#include "models/isa/instruction.h"

namespace heddle::iss {

/// What kind of access an instruction is, as records say it.
[[nodiscard]] constexpr heddle_access access_of(const isa::instruction& i) noexcept {
    switch (i.cls) {
        case isa::instruction_class::load:
            return HEDDLE_LOAD;
        case isa::instruction_class::store:
            return HEDDLE_STORE;
        case isa::instruction_class::atomic:
            return HEDDLE_ATOMIC;
        default:
            return HEDDLE_NO_ACCESS;
    }
}

/// Whether it reads a clock or the core's number, which a core has of its own.
[[nodiscard]] inline bool reads_own_state_of_core(const isa::instruction& i) noexcept {
    return i.cls == isa::instruction_class::csr &&
           (isa::tells_time(i) || static_cast<isa::csr>(isa::csr_number(i)) == isa::csr::smid);
}

}  // namespace heddle::iss
