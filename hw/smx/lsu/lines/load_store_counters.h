// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

namespace heddle {

struct load_store_counters {
    std::uint64_t loads = 0;              ///< instructions
    std::uint64_t stores = 0;             ///< instructions
    std::uint64_t atomics = 0;            ///< instructions
    std::uint64_t line_accesses = 0;      ///< to global and private memory
    std::uint64_t thread_accesses = 0;    ///< so, of lanes
    std::uint64_t line_instructions = 0;  ///< instructions that access these
    std::uint64_t shared_accesses = 0;    ///< to shared memory
    std::uint64_t uncached_loads = 0;     ///< line accesses that bypassed L1D
    std::uint64_t write_requests = 0;     ///< global stores to memory
    std::uint64_t atomic_requests = 0;
    std::uint64_t bank_conflicts = 0;  ///< cycles with lanes that wait for a bank of L1D
};

}  // namespace heddle
