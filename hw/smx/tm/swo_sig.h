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
    explicit swo_sig(unsigned hashes) : signatures_(hashes) {}

    [[nodiscard]] conflict access(const item_access& access, shadow_memory& shadow) override {
        protocol::item_set others = signatures_.hits(access.row);
        others.erase(access.item);
        if (!access.write) others &= access.writers;
        if (!others.none()) return conflict::with_items(others);
        signatures_.insert(access.item, access.row);
        if (access.write) shadow.own(access.row, access.item);
        return {};
    }
    void clear(const protocol::item_set& items) noexcept override { signatures_.clear(items); }

private:
    signature_slices signatures_;
};

}  // namespace heddle
