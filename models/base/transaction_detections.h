// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/base/parameter.h"

namespace heddle {

/// How a bank of shared memory finds conflicts of transactions; Villegas et al., "Improvements in
/// Hardware Transactional Memory for GPU Architectures", sections 2 and 4.
enum class transaction_detection : std::uint8_t { prw_sig, swo_sig, dcd, smdcd };

/// What the models know of a detection. Its class is in hw/smx/tm (conflict_detectors.h).
struct transaction_detection_facts {
    const char* name;
    const char* description;
    /// Of a block, for what the detection remembers (Table 3): the signatures of 256 threads in 32
    /// banks, 8 bits each; or the S and M bits of all words that fit 64 KB.
    std::uint32_t vector_registers;
    bool directory;         ///< the owners in the shadow memory are asked
    bool write_signatures;  ///< each warp has one, in scalar registers
};

/// In the order of the enumerators. Of rows with equal flags tm_feasibility prefers the last.
inline constexpr std::array transaction_detections{
    transaction_detection_facts{"prw_sig", "a signature of reads and writes for each thread", 2048,
                                false, false},
    transaction_detection_facts{"swo_sig", "that and a signature of writes for each warp", 2048,
                                false, true},
    transaction_detection_facts{"dcd", "an owner for each word", 0, true, false},
    transaction_detection_facts{"smdcd", "that and bits for shared and modified", 456, true, false},
};

[[nodiscard]] constexpr const transaction_detection_facts& facts_of(
    transaction_detection detection) noexcept {
    return transaction_detections[static_cast<std::size_t>(detection)];
}
[[nodiscard]] constexpr bool uses_directory(transaction_detection detection) noexcept {
    return facts_of(detection).directory;
}

/// All of them, in this order.
[[nodiscard]] constexpr std::array<transaction_detection, transaction_detections.size()>
all_transaction_detections() noexcept {
    std::array<transaction_detection, transaction_detections.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<transaction_detection>(i);
    return all;
}

/// By name, and "NAME = DESCRIPTION; NAME = DESCRIPTION".
[[nodiscard]] choices<transaction_detection> transaction_detection_names();
[[nodiscard]] std::string transaction_detection_text();

}  // namespace heddle
