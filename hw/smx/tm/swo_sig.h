// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/tm/conflict_detector.h"
#include "hw/smx/tm/signature.h"

namespace heddle {

/// `swo_sig`: as prw_sig, but a read conflicts only with items of warps that have written the word,
/// as far as the warps' signatures of writes tell. The unit has those (tm_engine.h): they are not
/// the bank's.
class swo_sig final : public conflict_detector {
public:
    static constexpr const char* name = "swo_sig";
    static constexpr const char* description = "that and a signature of writes for each warp";
    /// Table 3 of the paper: signatures of 256 threads in 32 banks, 8 bits each.
    static constexpr std::uint32_t vector_registers = 2048;
    static constexpr bool write_signatures = true;

    explicit swo_sig(unsigned hashes) : signatures_(hashes) {}

    void access(protocol::bank_check& check, shadow_memory& shadow) override {
        const bool write = check.command == protocol::bank_command::store;
        protocol::item_set hits = signatures_.hits(check.row);
        const bool known = hits.test(check.item);
        if (!write) hits &= check.writers;
        if (hits.any_but(check.item)) {
            hits.erase(check.item);
            return lose(check, hits);
        }
        if (!known) signatures_.insert(check.item, check.row);
        if (write) shadow.own(check.row, check.item);
    }
    void clear(const protocol::item_set& items) noexcept override { signatures_.clear(items); }

private:
    signature_slices signatures_;
};

}  // namespace heddle
