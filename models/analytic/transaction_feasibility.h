// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/machine_configuration.h"
#include "models/program/kernel.h"

/// Which mechanisms of transactional memory a compiled kernel can use, and which suit it: section 7
/// of Villegas, Navarro, Asenjo, Plata, "Improvements in Hardware Transactional Memory for GPU
/// Architectures".
namespace heddle::analytic {

/// What the code between a tx.begin and the next tx.commit may do, on any path.
struct transaction_site {
    std::uint32_t pc = 0;        ///< of tx.begin
    std::uint32_t loads = 0;     ///< instructions
    std::uint32_t stores = 0;    ///< instructions; stores relative to sp are not counted
    bool loops = false;          ///< with accesses to memory
    bool calls_unknown = false;  ///< calls what only a run knows

    [[nodiscard]] bool read_only() const noexcept { return stores == 0 && !calls_unknown; }
    /// More words than a signature of 8 bits tells apart.
    [[nodiscard]] bool large() const noexcept {
        return loops || calls_unknown || loads + stores > 8;
    }
};
[[nodiscard]] std::vector<transaction_site> find_transactions(const program::kernel& kernel);

/// One way to detect conflicts, for one block.
struct detection_fit {
    transaction_detection detection;
    std::uint64_t shared_bytes;  ///< with shadow memory
    std::uint64_t registers;
    std::uint64_t scalar_registers;  ///< with single selection
    std::uint32_t blocks = 0;        ///< that an SMX holds; 0: it does not fit
    std::string reason;              ///< why it does not fit
};

/// The answer.
struct transaction_feasibility {
    std::vector<transaction_site> sites;
    std::vector<detection_fit> fits;
    bool multiple_selection = false;  ///< there are scalar registers for it
    /// "swo_sig with ascending_multiple", "a lock of the block" or "nothing".
    std::string preferred;
    std::string reason;
};

/// For blocks of `threads` threads and `dynamic_shared_bytes` of dynamic shared memory, under each
/// of the machine's detections; of those that suit alike it prefers the last. The kernel has
/// transactions.
[[nodiscard]] transaction_feasibility judge_transactions(const program::kernel& kernel,
                                                         std::uint32_t threads,
                                                         std::uint32_t dynamic_shared_bytes,
                                                         machine_configuration machine);

}  // namespace heddle::analytic
