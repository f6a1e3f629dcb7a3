// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/bits.h"
#include "models/base/strong_index.h"
#include "models/isa/instruction.h"

namespace heddle {

/// Where the threads of pipeline lanes are at home. All that is left of a group of threads when
/// memory answers: by then its lanes and its PC may be others.
struct thread_homes {
    std::uint16_t home = 0;  ///< in place: the warp slot
    /// Numbers of the threads by pipeline lane; null: in place.
    const std::uint16_t* threads = nullptr;
};

/// What a front calls a group that it has issued, in 16 bits. A front has one type of names, a
/// strong_index, which it gives and reads; nobody else looks into them.
class group_name {
public:
    constexpr group_name() noexcept = default;
    template <class Tag>
    explicit constexpr group_name(strong_index<Tag> name) noexcept
        : bits_(static_cast<std::uint16_t>(name.value())) {}
    template <class Name>
    [[nodiscard]] constexpr Name as() const noexcept {
        return Name(bits_);
    }

private:
    std::uint16_t bits_ = 0;
};

/// Threads of one block that execute one instruction together. Each set lane of the pipeline holds
/// a thread. While its block is resident, the number of a thread in its SMX is home warp slot x
/// warp size + home lane. Registers, private memory and ids belong to that number.
///
/// A group is in place if all its threads have the same home warp and each is in its home lane.
struct thread_group {
    static constexpr std::uint16_t no_transaction = 0xffff;

    isa::lane_mask lanes = 0;  ///< of the pipeline
    std::uint32_t pc = 0;
    std::uint16_t block = 0;  ///< slot
    std::uint16_t home = 0;   ///< in place: the warp slot
    /// Numbers of the threads by pipeline lane, for the set lanes; null: in place.
    const std::uint16_t* threads = nullptr;
    group_name name{};  ///< comes back with its loads, stores and atomics
    /// Whose accesses they are: fences and ends of blocks wait for all accesses of an owner.
    std::uint16_t owner = 0;
    std::uint16_t transaction = no_transaction;  ///< the context in which the threads run one

    [[nodiscard]] bool in_transaction() const noexcept { return transaction != no_transaction; }
    // NOLINTNEXTLINE(google-explicit-constructor): a group has its homes
    operator thread_homes() const noexcept { return {home, threads}; }
};

/// A thread's home warp slot and lane.
struct thread_home {
    unsigned warp, lane;
};
[[nodiscard]] inline thread_home home_of(const thread_homes& homes, unsigned lane,
                                         unsigned warp_size) noexcept {
    if (homes.threads == nullptr) return {homes.home, lane};
    return {homes.threads[lane] / warp_size, homes.threads[lane] % warp_size};
}

/// values[home lane] of the threads of `lanes` in home warp `warp`, from those by pipeline lane.
inline void to_home_lanes(const thread_homes& homes, isa::lane_mask lanes, unsigned warp,
                          unsigned warp_size, const std::uint32_t* by_pipeline,
                          std::uint32_t* by_home) noexcept {
    bits::for_each(lanes, [&](unsigned lane) {
        const thread_home home = home_of(homes, lane, warp_size);
        if (home.warp == warp) by_home[home.lane] = by_pipeline[lane];
    });
}

/// Calls f(home warp slot, home lanes) for each home warp of the threads in `lanes`,
/// in the order of their lowest pipeline lanes.
template <class Function>
void for_each_home(const thread_homes& homes, isa::lane_mask lanes, unsigned warp_size,
                   Function&& f) {
    if (homes.threads == nullptr) return f(homes.home, lanes);
    while (lanes != 0) {
        const unsigned warp = homes.threads[bits::first(lanes)] / warp_size;
        isa::lane_mask home_lanes = 0;
        bits::for_each(lanes, [&](unsigned lane) {
            const thread_home home = home_of(homes, lane, warp_size);
            if (home.warp != warp) return;
            home_lanes |= bits::one(home.lane);
            lanes &= ~bits::one(lane);
        });
        f(warp, home_lanes);
    }
}

}  // namespace heddle
