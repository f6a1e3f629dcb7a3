// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/tm/serialization.h"

#include "hw/smx/tm/ascending_multiple.h"
#include "hw/smx/tm/ascending_single.h"
#include "hw/smx/tm/descending_multiple.h"
#include "hw/smx/tm/descending_single.h"

namespace heddle {

std::unique_ptr<serialization> make_serialization(transaction_serialization which) {
    switch (which) {
        case transaction_serialization::descending_single:
            return std::make_unique<descending_single>();
        case transaction_serialization::ascending_multiple:
            return std::make_unique<ascending_multiple>();
        case transaction_serialization::descending_multiple:
            return std::make_unique<descending_multiple>();
        default:
            return std::make_unique<ascending_single>();
    }
}

}  // namespace heddle
