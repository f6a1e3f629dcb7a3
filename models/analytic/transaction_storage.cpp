// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/analytic/transaction_storage.h"

#include "models/device/transaction_cost.h"

namespace heddle::analytic {

std::uint64_t transaction_geometry::words() const noexcept {
    return transaction_cost::most_words(shared_bytes);
}

std::vector<storage> transaction_storage(const transaction_geometry& geometry) {
    const std::uint64_t words = geometry.words();
    const std::uint64_t signatures = std::uint64_t{geometry.banks} * geometry.threads;
    const std::uint64_t warps = geometry.warps();
    std::vector<storage> all{{"old values", "word 32", words, 32, {}, {}},
                             {"owners", "thread 8", words, 8, {}, {}},
                             {"valid bits of owners", "valid 1", words, 1, {}, {}},
                             {"signatures of reads and writes", "8", signatures, 8, {}, {}},
                             {"signatures of writes", "32", warps, 32, {}, {}},
                             {"Shared and Modified bits", "S 1, M 1", words, 2, {}, {}},
                             {"TCM", "mask", warps, geometry.warp_size, {}, {}},
                             {"MCM", "mask", warps, geometry.warp_size, {}, {}}};
    if (geometry == transaction_geometry{}) {
        all[3].printed_bits = std::uint64_t{2048} * 32;
        all[5].printed_bits = 14562;
        all[6].printed_bits = all[7].printed_bits = 8 * 32;
    }
    return all;
}

std::vector<transaction_quantity> transaction_quantities(const transaction_geometry& geometry) {
    const std::vector<storage> all = transaction_storage(geometry);
    const std::uint64_t shadow = geometry.words() * transaction_cost::shadow_bytes_per_word;
    const scalar_registers scalars = transaction_scalars(geometry.warps(), geometry.warp_size);
    std::vector<transaction_quantity> list{
        {"words that transactions can use", "word", geometry.words(), 7281},
        {"shadow memory", "byte", shadow, 36405},
        {"shadow memory, share of shared memory", "%", 100 * shadow / geometry.shared_bytes, 55},
        {"vector registers of signatures", "register", registers_for(all[3].bits()), 2048},
        {"vector registers of Shared and Modified bits", "register", registers_for(all[5].bits()),
         456},
        {"scalar registers of masks", "register", scalars.masks, 8},
        {"scalar registers of multiple selection", "register", scalars.multiple_selection, 8},
        {"scalar registers of signatures of writes", "register", scalars.write_signatures, {}}};
    if (!(geometry == transaction_geometry{})) {
        for (transaction_quantity& one : list) one.printed.reset();
    }
    return list;
}

}  // namespace heddle::analytic
