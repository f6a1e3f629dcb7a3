// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "hw/smx/l1/l1_data_cache_configuration.h"
#include "models/base/parameter.h"

namespace heddle {

/// A cache of an SMX that serves only loads of memory that is not written meanwhile.
struct load_cache_configuration {
    /// 0: no such cache; its loads are ordinary loads of global memory.
    std::uint32_t size = 0;
    std::uint32_t line = 64;
    std::uint32_t ways = 4;
    /// Cycles from the access to the value.
    std::uint32_t hit_latency = 16;
    std::uint32_t mshrs = 2;
    /// Accesses that can wait for one miss.
    std::uint32_t mshr_targets = 32;
    /// Accesses in a cycle, of several instructions.
    std::uint32_t ports = 1;

    /// The same lines as those of a data cache that keeps nothing but global memory.
    [[nodiscard]] l1_data_cache_configuration as_data_cache() const noexcept;

protected:
    /// `key`: the prefix of its keys; `name`: what descriptions call the cache.
    void declare_as(parameter_list& p, const std::string& key, const std::string& name);
};

/// The constant cache of an SMX, keys `constant_cache.`. The defaults are those of
/// configs/gk110.toml.
struct constant_cache_configuration : load_cache_configuration {
    constant_cache_configuration() {
        size = 2048;
        ports = 4;
    }
    void declare(parameter_list& p);
};

/// The read-only cache of an SMX, keys `read_only_cache.`: what `ldg` loads comes from it. Only
/// configs/gk110.toml has one.
struct read_only_cache_configuration : load_cache_configuration {
    read_only_cache_configuration() {
        line = 32;
        ways = 96;
        hit_latency = 112;
        mshrs = 32;
        mshr_targets = 8;
        ports = 4;
    }
    void declare(parameter_list& p);
};

}  // namespace heddle
