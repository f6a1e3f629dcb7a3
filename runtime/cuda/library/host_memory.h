// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace heddle::cuda {

/// Memory of the program that it has registered as page-locked. Nothing is locked: it says which
/// memory asynchronous copies may read later.
class host_memory {
public:
    struct block {
        std::size_t bytes = 0;
        unsigned flags = 0;
    };
    struct found_block {
        void* begin;
        block what;
    };

    /// Throws error(cudaErrorHostMemoryAlreadyRegistered).
    void add(void* begin, std::size_t bytes, unsigned flags);
    /// Throws error(cudaErrorHostMemoryNotRegistered).
    void remove(void* begin);
    /// The one that has this address; none: `begin` is null.
    [[nodiscard]] found_block find(const void* pointer) const;
    /// Whether all of these bytes are page-locked.
    [[nodiscard]] bool holds(const void* pointer, std::uint64_t bytes) const;

private:
    std::map<std::uintptr_t, block> blocks_;
};

}  // namespace heddle::cuda
