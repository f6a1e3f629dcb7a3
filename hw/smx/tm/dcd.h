// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/tm/conflict_detector.h"

namespace heddle {

/// `dcd`: the shadow memory is a directory. Who accesses a word first owns it; every other item
/// conflicts with the owner.
class dcd final : public conflict_detector {
public:
    [[nodiscard]] conflict access(const item_access& access, shadow_memory& shadow) override {
        const shadow_word& word = shadow.at(access.row);
        if (word.owned && word.owner != access.item) {
            return conflict::with_items(protocol::item_set::one(word.owner));
        }
        shadow.own(access.row, access.item);
        return {};
    }
};

}  // namespace heddle
