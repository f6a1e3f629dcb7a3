// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string_view>

#include "hw/base/part_list.h"
#include "hw/smx/tm/dcd.h"
#include "hw/smx/tm/prw_sig.h"
#include "hw/smx/tm/smdcd.h"
#include "hw/smx/tm/swo_sig.h"
#include "models/base/transaction_detections.h"

namespace heddle {

/// The classes of transaction_detections, in its order.
template <class... Detectors>
struct checked_detectors : part_list<transaction_detection, Detectors...> {
    [[nodiscard]] static constexpr bool are_those_of_the_models() {
        std::size_t at = 0;
        return sizeof...(Detectors) == transaction_detections.size() &&
               ((std::string_view(Detectors::name) == transaction_detections[at++].name) && ...);
    }
};
using conflict_detectors = checked_detectors<prw_sig, swo_sig, dcd, smdcd>;
static_assert(conflict_detectors::are_those_of_the_models());

}  // namespace heddle
