// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/crossbar/port_bits.h"
#include "models/base/random.h"

namespace heddle {

/// Arbiters that pick at random, one shift register each.
///
/// A pick steps the arbiter's lfsr32 (polynomial x^32 + x^22 + x^2 + x + 1, right-shifting Galois
/// form, see models/base/random.h) once. With n positions to pick from, position
/// (upper 16 bits of the new state * n) >> 16 has the highest priority and the others follow in
/// ascending order, modulo n: a rotator and a priority encoder. All positions requested are equally
/// likely if all request; else one that follows a gap is likelier by the length of the gap.
/// An arbiter that has nothing to pick from does not step. Register k of "PATH.input" starts as
/// lfsr32(run seed, "PATH.input_k").
class random_arbiters {
public:
    /// `count` arbiters over `positions` each.
    random_arbiters(std::uint32_t count, std::uint32_t positions, std::uint64_t run_seed,
                    std::string_view name)
        : positions_(positions) {
        for (std::uint32_t i = 0; i < count; ++i) {
            seeds_.emplace_back(run_seed, std::string(name) + "_" + std::to_string(i));
        }
        reset();
    }
    /// Registers with given states.
    random_arbiters(std::vector<lfsr32> seeds, std::uint32_t positions)
        : positions_(positions), seeds_(std::move(seeds)) {
        reset();
    }

    void reset() {
        now_ = next_ = seeds_;
        stepped_.assign(port_bits::words_for(seeds_.size()), 0);
    }
    /// Forgets the picks that no commit() has followed.
    void begin() noexcept { port_bits::clear(stepped_.data(), stepped_.size()); }
    /// The same for who has up to 64 arbiters, and lets those in `picking` pick once each, by
    /// pick_once().
    void begin(std::uint64_t picking) noexcept { stepped_.front() = picking; }
    [[nodiscard]] std::uint32_t pick_once(std::uint32_t number, std::uint64_t set) noexcept {
        next_[number] = now_[number];
        const std::uint32_t drawn = next_[number].step() >> 16;
        return port_bits::first_from(set, (drawn * positions_) >> 16);
    }
    /// Arbiter `number` picks a member of a set, which is not empty: one word, or words and their
    /// number.
    template <class... Set>
    [[nodiscard]] std::uint32_t pick(std::uint32_t number, Set... set) noexcept {
        if (!port_bits::test(stepped_.data(), number)) {
            port_bits::insert(stepped_.data(), number);
            next_[number] = now_[number];
        }
        const std::uint32_t drawn = next_[number].step() >> 16;
        return port_bits::first_from(set..., (drawn * positions_) >> 16);
    }
    /// The clock edge: keeps the registers as the picks since begin() have left them.
    void commit() noexcept {
        port_bits::for_each(stepped_.data(), stepped_.size(),
                            [this](std::uint32_t number) { now_[number] = next_[number]; });
        begin();
    }

private:
    std::uint32_t positions_;
    std::vector<lfsr32> seeds_, now_, next_;
    std::vector<std::uint64_t> stepped_;  ///< arbiters that have picked since begin()
};

}  // namespace heddle
