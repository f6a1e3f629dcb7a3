// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/random.h"

namespace heddle {
namespace {

/// splitmix64 (Steele, Lea, Flood 2014): the seeding that xoshiro's authors recommend.
std::uint64_t splitmix64(std::uint64_t& state) noexcept {
    state += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

/// One number from run seed and name. Both pass through the mixer, so that neither neighbouring
/// seeds nor similar names give related streams.
std::uint64_t mixed_seed(std::uint64_t run_seed, std::string_view name) noexcept {
    std::uint64_t state = stable_hash(name);
    return splitmix64(run_seed) ^ splitmix64(state);
}

constexpr std::uint64_t rotate_left(std::uint64_t x, int by) noexcept {
    return (x << by) | (x >> (64 - by));
}

__extension__ using wide = unsigned __int128;

}  // namespace

random_stream::random_stream(std::uint64_t run_seed, std::string_view name) noexcept {
    std::uint64_t seed = mixed_seed(run_seed, name);
    for (std::uint64_t& word : state_) word = splitmix64(seed);
}

std::uint64_t random_stream::next() noexcept {
    const std::uint64_t result = rotate_left(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate_left(state_[3], 45);
    return result;
}

std::uint64_t random_stream::below(std::uint64_t n) noexcept {
    if (n == 0) return 0;
    // The high word of next() * n is the result; low words under 2^64 mod n are drawn again,
    // because they would make some results one draw more likely than others.
    wide product = static_cast<wide>(next()) * n;
    if (static_cast<std::uint64_t>(product) < n) {
        const std::uint64_t unfair = (0 - n) % n;
        while (static_cast<std::uint64_t>(product) < unfair) {
            product = static_cast<wide>(next()) * n;
        }
    }
    return static_cast<std::uint64_t>(product >> 64);
}

double random_stream::uniform() noexcept {
    return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

lfsr32::lfsr32(std::uint64_t run_seed, std::string_view path) noexcept
    : lfsr32(static_cast<std::uint32_t>(mixed_seed(run_seed, path) >> 32)) {}

}  // namespace heddle
