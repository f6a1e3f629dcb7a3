// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "models/base/contention.h"
#include "models/iss/block_turn.h"
#include "models/iss/engine.h"
#include "models/iss/interpreter.h"
#include "models/iss/memory_system.h"
#include "models/iss/shared_turns.h"

namespace heddle::iss {

/// Threads of the host that share the turns of a round.
///
/// Between its turns a block waits for all others of the round. Within them, blocks see each
/// other's plain stores at any time; atomics on global memory, loads that bypass L1, reads of the
/// clock and faults come in the order of one thread (turn_place). Transactions are of one block.
template <unsigned Lanes>
class round_crew {
public:
    using block_type = block<Lanes>;

    round_crew(const engine_parts& parts, const host_threads& threads);
    ~round_crew();
    round_crew(const round_crew&) = delete;
    round_crew& operator=(const round_crew&) = delete;

    /// As memory_system's.
    void allocations_changed(std::size_t instructions);
    /// Whether the next round is worth several threads: in the last ones, not too many turns had to
    /// wait for others.
    [[nodiscard]] bool worth() noexcept { return threads_.delay_seed != 0 || !waits_.rests(); }
    /// One turn of each block. `executed`: warp instructions so far. After a failure some blocks
    /// behind the failing one have run, too.
    void run(const std::vector<block_type*>& blocks, std::uint64_t executed);

    // ---- after run() ----

    [[nodiscard]] const shared_turns& turns() const noexcept { return turns_; }
    /// By turn, for those that count.
    [[nodiscard]] turn_log& log(std::size_t turn) noexcept { return logs_[turn]; }

private:
    struct hand;

    void serve(hand& self);
    void work(hand& self);
    void take(std::size_t turn, hand& self);
    void delay(hand& self) const;

    const engine_parts& parts_;
    const host_threads threads_;
    contention waits_;
    thread_gate gate_;
    shared_turns turns_;
    std::uint64_t rounds_ = 0;
    const std::vector<block_type*>* blocks_ = nullptr;
    std::vector<turn_log> logs_;
    std::vector<std::unique_ptr<hand>> hands_;  ///< the first one is the main thread's
};

#define HEDDLE_DECLARE(lanes) extern template class round_crew<lanes>;
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_DECLARE)
#undef HEDDLE_DECLARE

}  // namespace heddle::iss
