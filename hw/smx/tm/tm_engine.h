// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hw/smx/tm/context_set.h"
#include "hw/smx/tm/tm_counts.h"
#include "hw/smx/tm/transaction_masks.h"
#include "hw/smx/tm/undo_log.h"

namespace heddle {

/// What a tm_engine is made for.
struct tm_setting {
    transaction_configuration configuration;
    unsigned lanes;        ///< of a warp
    unsigned contexts;     ///< transactions at a time
    unsigned block_slots;  ///< of the SMX
    unsigned banks;
    std::uint32_t window;       ///< bytes of a block slot in the shared memory
    unsigned directory_cycles;  ///< what a directory adds to a pass
};

/// Transactions of an SMX: the masks of each warp, its accesses pass by pass, who of a block may be
/// alone. Villegas et al., "Improvements in Hardware Transactional Memory for GPU Architectures".
/// No SystemC; it reaches the banks by tm_banks.
///
/// A warp is here whatever runs a transaction with masks of its own: the warp of a slot, or a group
/// of threads of a block from a pool. It has a context, and with it item numbers of the block, one
/// for each lane, which no other context has at the same time.
///
/// Of a warp, the calls are: begin(); then for each attempt may_run(), run(), access() ...,
/// end_attempt(), until that says that the transaction is over.
///
/// An access is cut into passes: lanes in ascending order, each in the first pass in which its bank
/// is free. All banks check a pass against the state at its start. Then its losers are broadcast:
/// their words get their old values, and no bank knows them any more. So two items can make each
/// other lose. A pass takes tm.pass_cycles, with a directory 2 x shared.latency more; passes do not
/// overlap. Restoring takes one cycle for each word of the losers in the bank with most of them;
/// where they lose because another warp runs alone, the next access waits for it.
class tm_engine {
public:
    tm_engine(const tm_setting& setting, tm_banks& banks);

    /// Lanes of a warp begin a transaction. Lane 0 is item `first_item` of the block.
    void begin(unsigned warp, unsigned block, unsigned first_item, isa::lane_mask lanes);
    /// Whether the warp's next attempt may begin: no other warp of its block is alone.
    [[nodiscard]] bool may_run(unsigned warp) const noexcept;
    void run(unsigned warp);
    struct access_cost {
        unsigned cycles;  ///< that the banks are busy
        unsigned passes;
        unsigned plain_turns;  ///< of the banks, for a plain access (bank_cycles())
    };
    /// A load or store of a warp. The answer says which of its lanes have lost.
    access_cost access(protocol::shared_access& access);
    /// An access of a warp outside of transactions: counts it if it touches an owned word.
    void watch(protocol::shared_access& access);
    struct attempt_end {
        bool over;  ///< the transaction, too
        /// Lanes of other warps that have lost, as the warp is alone from now on; valid until the
        /// next call.
        const std::vector<transaction_lanes>& losers;
    };
    /// The warp's attempt is over: tx.commit, or all lanes have lost. Lanes that still ran commit.
    attempt_end end_attempt(unsigned warp);
    /// Old values of what has been stored.
    [[nodiscard]] undo_log& undo() noexcept { return undo_; }

    /// Transactions that it can carry out at a time.
    [[nodiscard]] unsigned contexts() const noexcept {
        return static_cast<unsigned>(warps_.size());
    }
    /// Warps that have begun a transaction and have not ended it.
    [[nodiscard]] const context_set& inside() const noexcept { return inside_; }
    /// Lanes that run in this attempt, or in the next if there is none.
    [[nodiscard]] isa::lane_mask active(unsigned warp) const noexcept {
        return warps_[warp].masks.active();
    }
    [[nodiscard]] const transaction_masks& masks(unsigned warp) const noexcept {
        return warps_[warp].masks;
    }
    /// The warp of the block that is alone, or no_warp.
    [[nodiscard]] unsigned holder(unsigned block) const noexcept { return blocks_[block].holder; }
    static constexpr unsigned no_warp = ~0U;

    /// The cycles of its warps are left 0.
    [[nodiscard]] const tm_counts& counts() const noexcept { return counts_; }
    /// For the wait-for report: who is alone in the warp's block, who has lost last, where, to
    /// whom.
    [[nodiscard]] std::string waiting_text(unsigned warp) const;

private:
    struct warp_context {
        transaction_masks masks;
        unsigned block = 0;
        unsigned first_item = 0;
        bool running = false;  ///< an attempt, perhaps without lanes that still run
        bool live = false;     ///< an attempt, with such lanes
        bool aborted = false;  ///< its attempt, by a warp that wants to be alone
    };
    struct block_context {
        unsigned holder = no_warp;
        unsigned live = 0;  ///< warps with lanes that run an attempt
        bank_passes::loss last_loss{};
    };

    /// One pass, and what its losers lose. Returns its cycles.
    unsigned pass(bank_passes& passes, protocol::shared_access& access);
    void enter_writes(const protocol::shared_access& access, isa::lane_mask lanes);
    [[nodiscard]] transaction_lanes lanes_of(unsigned warp, isa::lane_mask lanes) const noexcept;
    std::uint32_t lose(const transaction_lanes& losers);
    [[nodiscard]] bool next_attempt(unsigned warp);
    void settle(unsigned warp);
    void be_alone(unsigned warp);

    const tm_setting setting_;
    const unsigned pass_cycles_;
    const bank_layout layout_;
    tm_banks& banks_;
    const serialization choice_;
    undo_log undo_;
    std::vector<warp_context> warps_;  ///< by context
    std::vector<block_context> blocks_;
    std::vector<write_signatures> writes_;  ///< swo_sig: by block
    context_set inside_;
    protocol::bank_check check_;
    unsigned owed_cycles_ = 0;               ///< that undoing for a warp that runs alone takes
    std::vector<transaction_lanes> losers_;  ///< of end_attempt()
    tm_counts counts_;
};

}  // namespace heddle
