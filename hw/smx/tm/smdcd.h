// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/tm/conflict_detector.h"

namespace heddle {

/// `smdcd`: a directory with a Shared and a Modified bit for each word.
///  - A read makes the item the owner if there is none. With another owner the word becomes shared,
///    or it is a conflict if that one has modified it.
///  - A write needs a word that is not shared and has no other owner, else it is a conflict.
/// A word stays shared until no item of the block runs a transaction: nobody knows who reads it. So
/// a write may conflict with items that are not known.
class smdcd final : public conflict_detector {
public:
    static constexpr const char* name = "smdcd";
    static constexpr const char* description = "that and bits for shared and modified";
    /// Table 3 of the paper: the S and M bits of all words that fit 64 KB.
    static constexpr std::uint32_t vector_registers = 456;
    static constexpr bool directory = true;

    void access(protocol::bank_check& check, shadow_memory& shadow) override {
        const bool write = check.command == protocol::bank_command::store;
        const shadow_word& word = shadow.at(check.row);
        const bool others = word.owned && word.owner != check.item;
        if (write ? others || word.shared : others && word.modified) {
            return lose(check, others ? protocol::item_set::one(word.owner) : protocol::item_set());
        }
        if (others) {
            shadow.share(check.row);
        } else {
            shadow.own(check.row, check.item);
        }
    }
    void settle(shadow_memory& shadow) noexcept override { shadow.unshare(); }
};

}  // namespace heddle
