// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/parameter.h"

namespace heddle {

/// When the data cache sends stores to global memory on. Those to private memory always stay.
enum class write_policy : std::uint8_t {
    through,  ///< at once; they allocate no line
    back,     ///< when the line loses its place, and before others may look
};

/// What a store to global memory does that finds no line. Only under write_policy::back.
enum class store_miss : std::uint8_t {
    allocate,  ///< makes a line of which only its own bytes are valid
    around,    ///< goes to memory, and makes no line
};

/// How the number of a line chooses its set.
enum class set_index : std::uint8_t {
    hashed,  ///< the exclusive or of all its bit groups
    plain,   ///< its lowest bits
};

/// The data cache of an SMX, keys `l1d.`. The defaults are those of configs/gk110.toml.
struct l1_data_cache_configuration {
    /// 0: no data cache; private memory is then accessed like global memory.
    std::uint32_t size = 16384;
    std::uint32_t line = 128;
    std::uint32_t ways = 4;
    /// Cycles from the access to the value.
    std::uint32_t hit_latency = 28;
    std::uint32_t mshrs = 32;
    /// Accesses that can wait for one miss.
    std::uint32_t mshr_targets = 8;
    /// Whether plain loads of global memory are cached; private memory always is.
    bool cache_global = false;
    /// Of global memory.
    write_policy policy = write_policy::through;
    store_miss missed_store = store_miss::allocate;
    set_index sets = set_index::hashed;
    /// Lines that a warp reads or writes in one cycle, if they lie in different banks.
    std::uint32_t banks = 1;

    void declare(parameter_list& p);
    /// Whether the size is 0 or a power of two of sets.
    [[nodiscard]] bool has_whole_sets() const noexcept {
        const std::uint32_t sets = size / (line * ways);
        return size == 0 || (sets * line * ways == size && (sets & (sets - 1)) == 0 && sets != 0);
    }
};

}  // namespace heddle
