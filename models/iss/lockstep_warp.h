// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/base/flat_memory.h"
#include "models/base/machine_configuration.h"
#include "models/iss/followed_transaction.h"
#include "models/iss/lane_paths.h"
#include "models/iss/shared_races.h"
#include "models/iss/transaction_words.h"
#include "models/iss/undefined_registers.h"
#include "models/iss/warp.h"
#include "models/iss/write_history.h"
#include "models/program/address_map.h"

namespace heddle::iss {

/// Bytes of write_history for the shared memory of a block.
[[nodiscard]] constexpr std::uint32_t shared_stride(const machine_configuration& machine) noexcept {
    return (machine.smx.shared_bytes + 3) / 4 * 4;
}

/// Whether an access may change memory.
inline bool writes(const isa::instruction& i) noexcept {
    return i.cls != isa::instruction_class::load && i.op != isa::opcode::lr_w;
}

/// An access as bytes of its word; the bits of `value` above them are ignored.
inline write_history::word_part part_of(const isa::instruction& i, std::uint32_t address,
                                        std::uint32_t value) noexcept {
    const unsigned first = address % 4;
    const unsigned bytes = i.access_bytes();
    return {address & ~3u, static_cast<std::uint8_t>(((1u << bytes) - 1) << first),
            value << 8 * first};
}

/// A launch that the lock-step simulation follows.
struct followed_grid {
    followed_grid(const prepared_launch& made, unsigned smx_count)
        : launch(made), of(launch), begun(of.blocks()), on_smx(smx_count) {
        if (!launch.shape.cooperative) return;
        of.cooperation.emplace(static_cast<std::uint32_t>(of.blocks()), 1U,
                               simt::cooperation_rules{});
    }
    followed_grid(const followed_grid&) = delete;  // `of` refers to `launch`
    followed_grid& operator=(const followed_grid&) = delete;

    prepared_launch launch;  ///< a copy: stores are judged when the machine may have forgotten it
    grid of;
    std::vector<bool> begun;   ///< by block
    std::vector<bool> on_smx;  ///< SMXs that have had a block of it
    // Of a cooperative launch:
    /// Blocks that have started and have not been told to end. One that starts anew may be twice
    /// here: the end of its former stay is on its way.
    std::multiset<std::uint32_t> active;
};

/// A block of it that is resident.
template <unsigned Lanes>
struct followed_block {
    block<Lanes> state;
    followed_grid* launch = nullptr;  ///< null: the slot is free
    std::uint32_t index = 0;
    bool owed = false;  ///< it must end at its call, as a lower one has, or it has started anew
    shared_races races{0};
    std::uint32_t untold_releases = 0;  ///< barriers that are complete, of a core that tells them
    /// Where write_history has its shared memory, if accesses to that take time; 0: nowhere.
    std::uint32_t shared_base = 0;
    bool has_transactions = false;  ///< its kernel has
    transaction_words transactions{};
};

/// A load or atomic of a warp that has not completed.
template <unsigned Lanes>
struct flight {
    std::uint64_t number = 0;
    std::uint32_t pc = 0;
    const isa::instruction* instruction = nullptr;
    lane_mask lanes = 0;
    lane_mask delivered = 0;
    lane_mask returned = 0;    ///< lanes that have gone on
    lane_mask global = 0;      ///< lanes that access global memory; the others are done already
    lane_mask in_shared = 0;   ///< lanes whose values are those of shared memory when they come
    lane_mask excused = 0;     ///< lanes that have lost their transaction and get no value
    lane_mask stale = 0;       ///< some bytes were never written: the machine's are as good
    write_history::read as;    ///< lane 0's; the lanes follow each other
    std::uint64_t issued = 0;  ///< when: what lanes see that no cache serves
    std::array<std::uint32_t, Lanes> address, data, compare;
    std::array<std::uint8_t, Lanes> place;  ///< of each lane among those that access together
    std::array<write_history::write_id, Lanes> write;  ///< atomics
};

/// A store to shared memory that has not been made.
template <unsigned Lanes>
struct shared_store {
    std::uint64_t number = 0;
    std::uint32_t pc = 0;
    std::uint32_t bytes = 0;
    lane_mask lanes = 0;
    std::array<std::uint32_t, Lanes> offset, data;
};

/// A warp of it.
template <unsigned Lanes>
struct followed_warp {
    warp<Lanes> state;
    lane_paths<Lanes> paths;  ///< if threads run apart; state.stack is of one instruction then
    followed_block<Lanes>* in = nullptr;  ///< null: no warp
    std::vector<std::unique_ptr<flight<Lanes>>> flights;
    std::array<lane_mask, isa::register_count + 1> pending{};  ///< lanes whose load is under way
    undefined_registers<Lanes> undefined;
    struct begun_write {
        write_history::write_id id;
        std::uint64_t number;  ///< of the instruction
    };
    std::vector<begun_write> undrained;
    std::vector<begun_write> undrained_shared;  ///< where accesses to shared memory take time
    std::uint64_t last_time = 0;                ///< of its last instruction
    std::uint8_t* written = nullptr;  ///< defined bytes of each private word, as private_words
    std::string refused;              ///< what the last access did wrong, if it did
    followed_transaction<Lanes> transaction;
    std::uint32_t transaction_pc = 0;             ///< of its last tx.begin or tx.commit
    std::array<std::uint32_t, Lanes> begun_at{};  ///< PC of tx.begin, if threads run apart
    std::vector<shared_store<Lanes>> stores;      ///< of blocks with transactions
};

/// An address in write_history, as the thread has it.
template <unsigned Lanes>
[[nodiscard]] std::uint32_t shown_address(std::uint32_t address, const followed_warp<Lanes>& w) {
    const bool shared = w.in->shared_base != 0 && program::shared_window.contains(address);
    return shared ? address - w.in->shared_base + program::shared_window.base : address;
}

/// Warps with private memory of their own, beyond those of the SMXs' slots.
template <unsigned Lanes>
class spare_warps {
public:
    using pointer = std::unique_ptr<followed_warp<Lanes>>;

    /// `private_bytes`: of a thread.
    explicit spare_warps(std::uint32_t private_bytes) : private_bytes_(private_bytes) {}

    [[nodiscard]] pointer take() {
        if (free_.empty()) return make();
        pointer spare = std::move(free_.back());
        free_.pop_back();
        return spare;
    }
    void give_back(pointer spare) { free_.push_back(std::move(spare)); }

private:
    [[nodiscard]] pointer make() {
        const std::size_t words = std::size_t{private_bytes_} / 4 * Lanes;
        auto made = std::make_unique<followed_warp<Lanes>>();
        made->state.private_words = reinterpret_cast<std::uint32_t*>(
            backing_.emplace_back(words * sizeof(std::uint32_t)).data());
        made->written = reinterpret_cast<std::uint8_t*>(backing_.emplace_back(words).data());
        made->state.lowest_private_offset = private_bytes_;
        return made;
    }

    const std::uint32_t private_bytes_;
    std::vector<pointer> free_;
    std::deque<flat_memory> backing_;
};

}  // namespace heddle::iss
