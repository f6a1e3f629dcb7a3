// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <cstring>

#include "models/isa/execute.h"
#include "models/isa/float_bits.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// No iteration of the loop depends on another one: register rows are either the same row or don't
// overlap.
#if defined(__clang__)
#define HEDDLE_VECTOR_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define HEDDLE_VECTOR_LOOP _Pragma("GCC ivdep")
#endif

/// Loops over the lanes of a warp in the form that the compiler vectorises.
namespace heddle::isa::lanes {

/// d[lane] = value(lane) in the active lanes. A full warp needs no blend.
template <unsigned Lanes, class Value>
[[gnu::always_inline]] inline void assign(std::uint32_t* d, lane_mask active, Value value) {
    if (active == all_lanes<Lanes>) {
        HEDDLE_VECTOR_LOOP
        for (unsigned lane = 0; lane < Lanes; ++lane) d[lane] = value(lane);
        return;
    }
    // A 32-bit variable shift is one vector instruction.
    constexpr unsigned part = Lanes < 32 ? Lanes : 32;
    for (unsigned base = 0; base < Lanes; base += part) {
        const auto mask = static_cast<std::uint32_t>(active >> base);
        HEDDLE_VECTOR_LOOP
        for (unsigned lane = 0; lane < part; ++lane) {
            const std::uint32_t result = value(base + lane);
            d[base + lane] = (mask & (1u << lane)) != 0 ? result : d[base + lane];
        }
    }
}

/// Calls visit(lane) for every active lane, in ascending order.
template <class Visit>
[[gnu::always_inline]] inline void for_active(lane_mask active, Visit visit) {
    for (; active != 0; active &= active - 1) {
        visit(static_cast<unsigned>(__builtin_ctzll(active)));
    }
}

/// One bit per lane from the top bit of each word.
template <unsigned Lanes>
inline lane_mask top_bits(const std::uint32_t* words) {
    lane_mask mask = 0;
#if defined(__SSE2__)
    const auto eight = [](const __m128i* w) {
        return _mm_packs_epi32(_mm_load_si128(w), _mm_load_si128(w + 1));
    };
    for (unsigned lane = 0; lane < Lanes; lane += 16) {
        const auto* four = reinterpret_cast<const __m128i*>(words + lane);
        const __m128i low = eight(four);
        const __m128i high = Lanes < 16 ? _mm_setzero_si128() : eight(four + 2);
        const auto bits = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
        mask |= static_cast<lane_mask>(bits) << lane;
    }
#else
    for (unsigned lane = 0; lane < Lanes; ++lane) {
        mask |= static_cast<lane_mask>(words[lane] >> 31) << lane;
    }
#endif
    return mask;
}

/// Mask of the lanes where condition(lane) holds.
template <unsigned Lanes, class Condition>
[[gnu::always_inline]] inline lane_mask where(Condition condition) {
    alignas(64) std::uint32_t words[Lanes];
    for (unsigned lane = 0; lane < Lanes; ++lane) words[lane] = condition(lane) ? 0xffffffff : 0;
    return top_bits<Lanes>(words);
}

/// Whether every lane's dynamic rounding mode is RNE.
template <unsigned Lanes>
[[gnu::always_inline]] inline bool all_nearest_even(const std::uint8_t* frm) {
    if (frm == nullptr) return true;
    std::uint64_t any = 0;
    for (unsigned lane = 0; lane < Lanes; lane += 8) {
        std::uint64_t eight;
        std::memcpy(&eight, frm + lane, sizeof eight);
        any |= eight;
    }
    return any == 0;
}

}  // namespace heddle::isa::lanes
