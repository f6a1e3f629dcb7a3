// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "models/base/parameter.h"
#include "models/base/transaction_detection.h"

namespace heddle {

/// Which of the work-items that conflict run again while the others wait; section 3.
enum class transaction_serialization : std::uint8_t {
    ascending_single,
    descending_single,
    ascending_multiple,
    descending_multiple,
};

/// Transactions in local (shared) memory, keys `tm.*`.
struct transaction_configuration {
    /// Most threads of a block with transactions: owners are 8 bits wide.
    static constexpr std::uint32_t maximum_items = 256;

    /// A machine that detects no conflicts, as the functional simulator. It has no tm.detection.
    transaction_configuration() = default;
    /// With what tm.detection chooses from; the first one is the default.
    explicit transaction_configuration(std::vector<transaction_detection> all)
        : detections(std::move(all)), detection(detections.at(0)) {}

    bool enabled = false;
    std::vector<transaction_detection> detections;  ///< to choose from
    transaction_detection detection;
    transaction_serialization serialization = transaction_serialization::ascending_single;
    std::uint32_t hashes = 2;
    std::uint32_t pass_cycles = 5;
    std::uint32_t checkpoint_cycles = 0;
    std::uint32_t private_log = 64;
    std::uint32_t scalar_registers = 2048;

    void declare(parameter_list& p);
};

[[nodiscard]] choices<transaction_serialization> transaction_serialization_names();

}  // namespace heddle
