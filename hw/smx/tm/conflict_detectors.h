// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "hw/base/part_list.h"
#include "hw/smx/tm/dcd.h"
#include "hw/smx/tm/prw_sig.h"
#include "hw/smx/tm/smdcd.h"
#include "hw/smx/tm/swo_sig.h"
#include "models/base/transaction_detection.h"

namespace heddle {

/// A part_list whose classes have what they state of themselves for a key: the models work with
/// that, and don't know the classes.
template <class... Detectors>
class detector_list {
    enum class place : std::uint8_t {};
    using parts = part_list<place, Detectors...>;

public:
    /// What a class states.
    template <class Detector>
    static constexpr transaction_detection of{Detector::name, Detector::description,
                                              Detector::vector_registers, Detector::directory,
                                              Detector::write_signatures};

    [[nodiscard]] static std::vector<transaction_detection> all() { return {of<Detectors>...}; }
    /// f(part_type<Detector>()) for the class that states this.
    template <class Function>
    static auto visit(const transaction_detection& which, const Function& f) {
        const auto found = parts::names().find(which.name);
        if (!found) {
            throw std::logic_error("no class detects conflicts as '" + std::string(which.name) +
                                   "'");
        }
        return parts::visit(*found, f);
    }
};

/// What `tm.detection` chooses from; the first one is the default. Of those that suit a kernel
/// alike `heddle tm_feasibility` prefers the last.
using conflict_detectors = detector_list<prw_sig, swo_sig, dcd, smdcd>;

}  // namespace heddle
