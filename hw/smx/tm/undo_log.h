// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "hw/smx/tm/bank_passes.h"
#include "hw/smx/tm/private_log.h"

namespace heddle {

/// How the engine reaches the banks.
class tm_banks {
public:
    /// One pass: asks the banks of its lanes.
    virtual void check(bank_passes& passes) = 0;
    /// All banks; `what` is the same for each. Returns the most words that one of them restored.
    virtual std::uint32_t tell_all(protocol::bank_check& what) = 0;

protected:
    ~tm_banks() = default;
};

/// Lanes of a warp, which are items of a block: lane 0 is `first_item`.
struct transaction_lanes {
    unsigned warp = 0;
    unsigned block = 0;
    unsigned first_item = 0;
    isa::lane_mask lanes = 0;
};

/// Old values of the words that transactions have stored to, in both kinds of memory. The banks
/// hold those of shared memory (shadow_memory), and give them back as soon as a lane loses. A
/// private_log holds those of private memory; the pipeline stores them back, one store after the
/// other, when the attempt is over.
class undo_log {
public:
    /// `limit`: stores of one thread to private memory.
    undo_log(tm_banks& banks, unsigned warps, unsigned limit)
        : banks_(banks), private_words_(warps, limit), restored_(warps) {}

    struct undone {
        std::uint32_t words;   ///< of shared memory that have their old values
        std::uint32_t cycles;  ///< the most in one bank
    };
    /// The lanes lose: their words of shared memory get their old values.
    undone lose(const transaction_lanes& losers) {
        tell(protocol::bank_command::undo, losers.block, items(losers));
        return {check_.words, most_};
    }
    /// The lanes keep what they have stored to shared memory.
    void commit(const transaction_lanes& winners) {
        tell(protocol::bank_command::forget, winners.block, items(winners));
    }
    /// No attempt runs in the block any more.
    void settle(unsigned block) { tell(protocol::bank_command::settled, block, {}); }
    /// The attempt of a warp is over, and its transaction goes on: all lanes but `committed` get
    /// their private memory back.
    void end_attempt(unsigned warp, isa::lane_mask committed) noexcept {
        restored_[warp] = ~committed;
    }
    /// The transaction of a warp is over.
    void end_transaction(unsigned warp) noexcept { private_words_.clear(warp); }

    /// Whether stores to private memory are still to be undone, after end_attempt().
    [[nodiscard]] bool restores(unsigned warp) const noexcept {
        return !private_words_.empty(warp);
    }
    /// The newest of them. False: none of the warp's losers made it.
    [[nodiscard]] bool next_restored(unsigned warp, old_words& words) {
        const bool any = private_words_.take(warp, restored_[warp], words);
        if (private_words_.empty(warp)) private_words_.clear(warp);
        return any;
    }
    /// The load-store unit enters what transactions store to.
    [[nodiscard]] private_log& private_words() noexcept { return private_words_; }

private:
    [[nodiscard]] static protocol::item_set items(const transaction_lanes& of) {
        return protocol::item_set::of_warp(of.first_item, of.lanes);
    }
    void tell(protocol::bank_command what, unsigned block, const protocol::item_set& items) {
        check_.recycle();
        check_.command = what;
        check_.block = block_slot(block);
        check_.items = items;
        most_ = banks_.tell_all(check_);
    }

    tm_banks& banks_;
    protocol::bank_check check_;
    std::uint32_t most_ = 0;
    private_log private_words_;
    std::vector<isa::lane_mask> restored_;  ///< by warp: lanes whose private memory is restored
};

}  // namespace heddle
