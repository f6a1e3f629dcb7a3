// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace heddle {

/// Bytes that no two threads should write at once: two cache lines, as some hosts fetch pairs.
inline constexpr std::size_t bytes_apart = 128;

/// Memory that has its cache lines for itself. For what one thread writes often, as a line that
/// another thread uses, too, has to go to and fro.
template <class T>
struct apart_allocator {
    using value_type = T;

    apart_allocator() noexcept = default;
    template <class U>
    explicit apart_allocator(const apart_allocator<U>&) noexcept {}

    [[nodiscard]] T* allocate(std::size_t count) {
        const std::size_t bytes = (count * sizeof(T) + bytes_apart - 1) / bytes_apart * bytes_apart;
        return static_cast<T*>(::operator new (bytes, std::align_val_t{bytes_apart}));
    }
    void deallocate(T* memory, std::size_t) noexcept {
        ::operator delete (memory, std::align_val_t{bytes_apart});
    }
    friend bool operator==(const apart_allocator&, const apart_allocator&) noexcept { return true; }
    friend bool operator!=(const apart_allocator&, const apart_allocator&) noexcept {
        return false;
    }
};

template <class T>
using apart_vector = std::vector<T, apart_allocator<T>>;

}  // namespace heddle
