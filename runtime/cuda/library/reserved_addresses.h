// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace heddle::cuda {

/// The pages that have some of the bytes.
class page_range {
public:
    static constexpr std::uint64_t page = 4096;

    page_range(std::uint32_t address, std::uint64_t bytes)
        : begin_(address / page * page), end_((address + bytes + page - 1) / page * page) {}

    [[nodiscard]] std::uint32_t begin() const { return static_cast<std::uint32_t>(begin_); }
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
    [[nodiscard]] void* data() const { return reinterpret_cast<void*>(std::uintptr_t{begin()}); }

private:
    std::uint64_t begin_, end_;
};

/// Takes pages of the program's addresses out of use: an access faults, and nothing else gets them.
/// Whether they were free.
bool reserve(const page_range& pages);

/// The program's addresses at device memory, so that no pointer is of both; an access by the
/// program faults, as with a GPU.
class reserved_addresses {
public:
    /// Whether nothing of the program is there.
    bool add(std::uint32_t address, std::uint64_t bytes);
    void remove(std::uint32_t address, std::uint64_t bytes);

private:
    /// A first or last page, which several blocks may have.
    bool add_edge(std::uint32_t page);
    void remove_edge(std::uint32_t page);

    std::map<std::uint32_t, unsigned> edges_;  ///< blocks by page
};

}  // namespace heddle::cuda
