// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/round_crew.h"

#include <atomic>

#include "models/base/error.h"
#include "models/base/wait_until.h"

namespace heddle::iss {

/// What a thread has of its own.
template <unsigned Lanes>
struct round_crew<Lanes>::hand {
    hand(const engine_parts& parts, std::uint64_t seed)
        : memory(parts.memory, parts.ranges, parts.machine.smx.private_bytes),
          cpu(memory, nullptr, parts.machine.iss.watchdog),
          random(seed) {}

    alignas(bytes_apart) std::atomic<std::uint64_t> done{0};  ///< the last round completed
    alignas(bytes_apart) memory_system<Lanes> memory;
    interpreter<Lanes> cpu;
    bool main = false;
    std::uint64_t round = 0;
    std::uint64_t random;
    std::thread thread;
};

template <unsigned Lanes>
round_crew<Lanes>::round_crew(const engine_parts& parts, const host_threads& threads)
    : parts_(parts), threads_(threads) {
    for (unsigned i = 0; i < threads_.count; ++i) {
        hands_.push_back(std::make_unique<hand>(parts, threads_.delay_seed * 2654435761U + i + 1));
    }
    hands_.front()->main = true;
    for (unsigned i = 1; i < threads_.count; ++i) {
        hand& self = *hands_[i];
        self.thread = start_thread([this, &self] { serve(self); });
    }
}

template <unsigned Lanes>
round_crew<Lanes>::~round_crew() {
    gate_.close();
    for (const auto& each : hands_) {
        if (each->thread.joinable()) each->thread.join();
    }
}

template <unsigned Lanes>
void round_crew<Lanes>::allocations_changed(std::size_t instructions) {
    for (const auto& each : hands_) each->memory.allocations_changed(instructions);
}

template <unsigned Lanes>
void round_crew<Lanes>::run(const std::vector<block_type*>& blocks, std::uint64_t executed) {
    blocks_ = &blocks;
    logs_.assign(blocks.size(), {});
    turns_.begin(blocks.size(), executed);
    (void)gate_.open(++rounds_);
    work(*hands_.front());
    for (const auto& each : hands_) {
        (void)wait_until([&] { return each->done.load(std::memory_order_acquire) == rounds_; });
    }
    waits_.shared(2 * turns_.waits() > blocks.size());
}

template <unsigned Lanes>
void round_crew<Lanes>::serve(hand& self) {
    while (gate_.wait(self.round)) work(self);
}

template <unsigned Lanes>
void round_crew<Lanes>::work(hand& self) {
    self.round = gate_.piece();
    for (;;) {
        const std::size_t turn = turns_.claim();
        if (turn == blocks_->size()) break;
        if (threads_.delay_seed != 0) delay(self);
        std::exception_ptr failure;
        try {
            take(turn, self);
        } catch (const turn_abandoned&) {
            continue;  // a turn before this one has failed
        } catch (...) {
            failure = std::current_exception();
        }
        turns_.end(turn, logs_[turn].counts.warp_instructions, std::move(failure));
    }
    self.done.store(self.round, std::memory_order_release);
}

template <unsigned Lanes>
void round_crew<Lanes>::take(std::size_t turn, hand& self) {
    if (self.main && parts_.interrupted && parts_.interrupted()) {
        throw run_error(error_kind::interrupted, "interrupted");
    }
    block_type& b = *(*blocks_)[turn];
    execution_counts& counts = logs_[turn].counts;
    self.memory.place().among(turns_, turn);
    take_turn(
        b, logs_[turn],
        [&](warp<Lanes>& w) {
            const std::uint64_t before = counts.warp_instructions;
            self.cpu.run(b, w, parts_.machine.iss.quantum, before, counts);
            return counts.warp_instructions - before;
        },
        [] {});  // such blocks run on one thread
}

/// For tests: waits at random.
template <unsigned Lanes>
void round_crew<Lanes>::delay(hand& self) const {
    self.random = self.random * 6364136223846793005U + 1442695040888963407U;
    const auto pauses = static_cast<unsigned>(self.random >> 50);
    if (pauses % 4 != 0) return;
    for (unsigned i = 0; i < pauses; ++i) pause_core();
}

#define HEDDLE_INSTANTIATE(lanes) template class round_crew<lanes>;
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_INSTANTIATE)
#undef HEDDLE_INSTANTIATE

}  // namespace heddle::iss
