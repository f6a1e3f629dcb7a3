// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/tm/conflict_detector.h"

namespace heddle {

/// `dcd`: the shadow memory is a directory. Who accesses a word first owns it; every other item
/// conflicts with the owner.
class dcd final : public conflict_detector {
public:
    static constexpr const char* name = "dcd";
    static constexpr const char* description = "an owner for each word";
    static constexpr bool directory = true;

    void access(protocol::bank_check& check, shadow_memory& shadow) override {
        const shadow_word& word = shadow.at(check.row);
        if (!word.owned) return shadow.own(check.row, check.item);
        if (word.owner != check.item) lose(check, protocol::item_set::one(word.owner));
    }
};

}  // namespace heddle
