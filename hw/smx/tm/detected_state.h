// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "hw/smx/tm/bank_state.h"
#include "hw/smx/tm/conflict_detector.h"

namespace heddle {

/// A bank's state with one kind of conflict detector. The kind is known here, so that an access
/// makes one virtual call.
template <class Detector>
class detected_state final : public bank_state {
public:
    explicit detected_state(const bank_setting& setting)
        : hashes_(setting.configuration.hashes), blocks_(setting.block_slots) {}

    void access(protocol::bank_check& check, const std::uint8_t* word) override {
        block& of = blocks_[check.block.value()];
        if (!of.detector) of.detector = make();
        of.detector->access(check, of.shadow);
        if (check.lost || check.command != protocol::bank_command::store) return;
        if (of.shadow.at(check.row).modified) return;
        std::uint32_t old = 0;
        std::memcpy(&old, word, sizeof(old));
        of.shadow.back_up(check.row, old);
    }
    void tell(protocol::bank_check& check, std::vector<restored_word>& restored) override {
        using protocol::bank_command;
        block& of = blocks_[check.block.value()];
        if (!of.detector) {
            check.owned = false;
            return;
        }
        switch (check.command) {
            case bank_command::plain:
                check.owned = of.shadow.at(check.row).owned;
                return;
            case bank_command::undo:
                of.shadow.for_each_modified(check.items,
                                            [&](std::uint32_t row, std::uint32_t value) {
                                                restored.push_back({row, value});
                                            });
                [[fallthrough]];
            case bank_command::forget:
                of.shadow.release(check.items);
                of.detector->clear(check.items);
                return;
            case bank_command::settled:
                of.detector->settle(of.shadow);
                return;
            case bank_command::load:
            case bank_command::store:
                return;
        }
    }

private:
    struct block {
        std::unique_ptr<Detector> detector;  ///< null: no transaction has come
        shadow_memory shadow;
    };

    [[nodiscard]] std::unique_ptr<Detector> make() const {
        if constexpr (std::is_constructible_v<Detector, unsigned>) {
            return std::make_unique<Detector>(hashes_);
        } else {
            return std::make_unique<Detector>();
        }
    }

    const unsigned hashes_;
    std::vector<block> blocks_;  ///< by slot
};

}  // namespace heddle
