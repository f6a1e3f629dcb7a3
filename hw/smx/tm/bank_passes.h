// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/protocol/bank_check.h"
#include "hw/protocol/shared_access.h"
#include "hw/smx/tm/signature.h"

namespace heddle {

/// What the passes of all accesses have in common.
struct bank_layout {
    unsigned lanes;  ///< of a warp
    unsigned banks;
    std::uint32_t window;  ///< bytes of a block slot in the shared memory
};

/// The passes of one access of a warp over the banks: lanes in ascending order, each in the first
/// pass in which its bank is free. Costs a call for each lane, and some words of the host's memory
/// that are the same for all lanes.
class bank_passes {
public:
    /// `lanes` of `access` do `command`; lane 0 is item `first_item`. `check` is what the banks are
    /// asked. `writes`: signatures of writes that count for it; may be null.
    bank_passes(protocol::shared_access& access, isa::lane_mask lanes,
                protocol::bank_command command, unsigned first_item, const bank_layout& layout,
                protocol::bank_check& check, const write_signatures* writes)
        : access_(access),
          check_(check),
          writes_(writes),
          first_item_(first_item),
          lanes_(layout.lanes),
          bank_mask_(layout.banks - 1),
          row_shift_(2 + bits::first(layout.banks)),
          base_(access.block.value() * layout.window),
          command_(command),
          left_(lanes) {}

    [[nodiscard]] bool done() const noexcept { return left_ == 0; }

    /// One pass: calls ask(bank, check) for each of its lanes, which the bank answers. Values that
    /// are loaded go into the access.
    template <class Ask>
    void pass(Ask&& ask) {
        // Copies, which the calls can't change, stay in registers of the host.
        protocol::shared_access& access = access_;
        protocol::bank_check& check = check_;
        const std::uint32_t base = base_;
        const unsigned first_item = first_item_;
        std::uint64_t used = 0;
        isa::lane_mask pass = 0;
        losers_ = to_lower_ = to_higher_ = 0;
        ++passes_;
        check.recycle();
        check.command = command_;
        check.block = access.block;
        check.bytes = access.bytes;
        for (isa::lane_mask todo = left_; todo != 0; todo &= todo - 1) {
            const unsigned lane = bits::first(todo);
            const std::uint32_t address = access.address[lane];
            const unsigned bank = address / 4 & bank_mask_;
            if (bits::test(used, bank)) continue;
            if (passes_ == 1) {
                first_[bank] = address;
            } else {
                differs_ |= (address ^ first_[bank]) / 4;
            }
            used |= bits::one(bank);
            pass |= todo & -todo;
            check.answered = false;
            check.row = (address - base) >> row_shift_;
            check.address = address;
            check.item = first_item + lane;
            check.data = access.data[lane];
            if (writes_ != nullptr) check.writers = writes_->writers((address - base) / 4);
            ask(bank, check);
            if (check.lost) lose(lane);
            access.data[lane] = check.data;
            owned_ |= check.owned;
        }
        pass_ = pass;
        left_ &= ~pass;
    }

    [[nodiscard]] unsigned passes() const noexcept { return passes_; }

    /// Turns of the banks that these lanes would take outside of a transaction, where lanes of one
    /// word share a turn (bank_cycles() is slower). 0 if the passes don't tell.
    [[nodiscard]] unsigned plain_turns() const noexcept {
        if (passes_ > 2) return 0;
        return passes_ == 2 && differs_ != 0 ? 2 : 1;
    }

    // Of the last pass:
    /// Lanes that have not lost.
    [[nodiscard]] isa::lane_mask winners() const noexcept { return pass_ & ~losers_; }
    [[nodiscard]] isa::lane_mask losers() const noexcept { return losers_; }
    /// Of the losers, those that lost to a lower lane of their warp; to a higher one.
    [[nodiscard]] isa::lane_mask to_lower() const noexcept { return to_lower_; }
    [[nodiscard]] isa::lane_mask to_higher() const noexcept { return to_higher_; }

    /// The last loser and its conflict.
    struct loss {
        std::uint32_t offset;  ///< of the word in the block's window
        std::uint32_t item;
        protocol::item_set with;
    };
    [[nodiscard]] const loss& last_loss() const noexcept { return last_loss_; }

    /// A lane's word was owned (bank_command::plain).
    [[nodiscard]] bool owned() const noexcept { return owned_; }

private:
    /// Out of line, so that a pass without losers saves fewer registers.
    [[gnu::noinline]] void lose(unsigned lane) noexcept {
        losers_ |= bits::one(lane);
        const isa::lane_mask others = check_.items.lanes_of(first_item_, lanes_);
        if ((others & bits::below(lane)) != 0) to_lower_ |= bits::one(lane);
        if ((others & ~bits::below(lane)) != 0) to_higher_ |= bits::one(lane);
        last_loss_ = {access_.address[lane] - base_, check_.item, check_.items};
        check_.lost = false;
        check_.items = {};
    }

    protocol::shared_access& access_;
    protocol::bank_check& check_;
    const write_signatures* const writes_;
    const unsigned first_item_;
    const unsigned lanes_;
    const unsigned bank_mask_;
    const unsigned row_shift_;
    const std::uint32_t base_;
    const protocol::bank_command command_;
    isa::lane_mask left_;
    unsigned passes_ = 0;
    std::array<std::uint32_t, 64> first_;  ///< by bank: its address in the first pass
    std::uint32_t differs_ = 0;            ///< bits of words in which later passes differ from it
    isa::lane_mask pass_ = 0;
    isa::lane_mask losers_ = 0;
    isa::lane_mask to_lower_ = 0;
    isa::lane_mask to_higher_ = 0;
    loss last_loss_{};
    bool owned_ = false;
};

}  // namespace heddle
