// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/tm/conflict_detector.h"
#include "hw/smx/tm/signature.h"

namespace heddle {

/// `prw_sig`: a private signature of reads and writes for each item. An access conflicts with all
/// other items whose signature hits: also two reads, and false positives of the signatures.
class prw_sig final : public conflict_detector {
public:
    static constexpr const char* name = "prw_sig";
    static constexpr const char* description = "a signature of reads and writes for each thread";
    /// Table 3 of the paper: signatures of 256 threads in 32 banks, 8 bits each.
    static constexpr std::uint32_t vector_registers = 2048;

    explicit prw_sig(unsigned hashes) : signatures_(hashes) {}

    void access(protocol::bank_check& check, shadow_memory& shadow) override {
        protocol::item_set hits = signatures_.hits(check.row);
        if (hits.any_but(check.item)) {
            hits.erase(check.item);
            return lose(check, hits);
        }
        if (!hits.test(check.item)) signatures_.insert(check.item, check.row);
        if (check.command == protocol::bank_command::store) shadow.own(check.row, check.item);
    }
    void clear(const protocol::item_set& items) noexcept override { signatures_.clear(items); }

private:
    signature_slices signatures_;
};

}  // namespace heddle
