// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace heddle {

/// 64-bit FNV-1a hash of a name: the same on every host and in every version.
[[nodiscard]] constexpr std::uint64_t stable_hash(std::string_view name) noexcept {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : name) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3U;
    }
    return hash;
}

/// The random numbers of one module: a stream of its own, which depends on the run's seed and the
/// module's hierarchical name only, so that adding a module changes no other module's numbers.
///
/// xoshiro256** (Blackman, Vigna 2018), seeded through splitmix64. Also a standard
/// UniformRandomBitGenerator, but std:: distributions differ between libraries: use the members.
class random_stream {
public:
    using result_type = std::uint64_t;

    random_stream(std::uint64_t run_seed, std::string_view name) noexcept;

    /// The next 64 uniform bits.
    std::uint64_t next() noexcept;
    /// Uniform in [0, n), without modulo bias (Lemire 2019). below(0) is 0.
    std::uint64_t below(std::uint64_t n) noexcept;
    /// Uniform in [0, 1), a multiple of 2^-53.
    double uniform() noexcept;
    /// True with probability p; p <= 0 is never, p >= 1 is always. Draws one number in any case.
    bool chance(double p) noexcept { return uniform() < p; }

    static constexpr result_type min() noexcept { return 0; }
    static constexpr result_type max() noexcept { return std::numeric_limits<result_type>::max(); }
    result_type operator()() noexcept { return next(); }

private:
    std::uint64_t state_[4];
};

/// Randomness of a hardware slot: 32-bit Galois shift register, right-shifting, polynomial
/// x^32 + x^22 + x^2 + x + 1 (primitive: period 2^32 - 1). The RTL steps the same register.
class lfsr32 {
public:
    /// Feedback mask: bit i-1 stands for x^i.
    static constexpr std::uint32_t polynomial = 0x80200003U;

    /// The all-zero state would stay for ever and is replaced by 1.
    explicit constexpr lfsr32(std::uint32_t seed) noexcept : state_(seed == 0 ? 1 : seed) {}
    /// Seed of the slot at `path` (hierarchical name) in the run with `run_seed`.
    lfsr32(std::uint64_t run_seed, std::string_view path) noexcept;

    [[nodiscard]] constexpr std::uint32_t value() const noexcept { return state_; }
    /// One clock of the register; returns the new value.
    constexpr std::uint32_t step() noexcept {
        state_ = (state_ >> 1) ^ ((state_ & 1) != 0 ? polynomial : 0);
        return state_;
    }

private:
    std::uint32_t state_;
};

}  // namespace heddle
