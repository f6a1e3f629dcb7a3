// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/reserved_addresses.h"

#include <sys/mman.h>

namespace heddle::cuda {
namespace {

constexpr std::uint32_t page = page_range::page;

/// First and last page of a block, and what lies between them.
struct block_pages {
    std::uint32_t first, last;
    block_pages(std::uint32_t address, std::uint64_t bytes)
        : first(address / page * page),
          last(static_cast<std::uint32_t>(address + bytes - 1) / page * page) {}
    [[nodiscard]] bool has_inner() const { return last - first > page; }
    [[nodiscard]] page_range inner() const { return {first + page, last - first - page}; }
};

void give_back(const page_range& pages) {
    ::munmap(pages.data(), pages.size());
}

}  // namespace

bool reserve(const page_range& pages) {
    void* const at = pages.data();
    void* const mapped =
        ::mmap(at, pages.size(), PROT_NONE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (mapped == at) return true;
    if (mapped != MAP_FAILED) ::munmap(mapped, pages.size());  // an older kernel
    return false;
}

bool reserved_addresses::add_edge(std::uint32_t at) {
    const auto found = edges_.find(at);
    if (found != edges_.end()) {
        ++found->second;
        return true;
    }
    if (!reserve({at, page})) return false;
    edges_[at] = 1;
    return true;
}

void reserved_addresses::remove_edge(std::uint32_t at) {
    const auto found = edges_.find(at);
    if (--found->second != 0) return;
    edges_.erase(found);
    give_back({at, page});
}

bool reserved_addresses::add(std::uint32_t address, std::uint64_t bytes) {
    const block_pages pages(address, bytes);
    if (!add_edge(pages.first)) return false;
    if (pages.last == pages.first) return true;
    if (add_edge(pages.last)) {
        if (!pages.has_inner() || reserve(pages.inner())) return true;
        remove_edge(pages.last);
    }
    remove_edge(pages.first);
    return false;
}

void reserved_addresses::remove(std::uint32_t address, std::uint64_t bytes) {
    const block_pages pages(address, bytes);
    remove_edge(pages.first);
    if (pages.last == pages.first) return;
    remove_edge(pages.last);
    if (pages.has_inner()) give_back(pages.inner());
}

}  // namespace heddle::cuda
