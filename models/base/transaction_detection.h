// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle {

/// How a bank of shared memory finds conflicts of transactions; Villegas et al., "Improvements in
/// Hardware Transactional Memory for GPU Architectures", sections 2 and 4. It is what a class of
/// hardware states of itself, as hw/smx/tm/conflict_detector.h describes: who it is, and what the
/// models need to know. The default detects nothing and takes nothing. Equal: of the same class.
struct transaction_detection {
    const char* name = "";
    const char* description = "";
    std::uint32_t vector_registers = 0;  ///< of a block
    bool directory = false;              ///< the owners in the shadow memory are asked
    bool write_signatures = false;       ///< each warp has one, in scalar registers
};

[[nodiscard]] constexpr bool operator==(const transaction_detection& a,
                                        const transaction_detection& b) noexcept {
    return std::string_view(a.name) == b.name;
}

}  // namespace heddle
