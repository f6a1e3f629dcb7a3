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
    explicit prw_sig(unsigned hashes) : signatures_(hashes) {}

    [[nodiscard]] conflict access(const item_access& access, shadow_memory& shadow) override {
        protocol::item_set others = signatures_.hits(access.row);
        others.erase(access.item);
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
