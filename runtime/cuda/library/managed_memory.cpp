// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/managed_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "runtime/cuda/library/device_session.h"

namespace heddle::cuda {
namespace {

constexpr std::uint64_t page = 4096;

void* pointer_to(std::uint32_t address) {
    return reinterpret_cast<void*>(std::uintptr_t{address});
}

/// Whole pages within the range: its first one may be another allocation's, too.
struct pages {
    std::uint64_t begin, end;
    pages(std::uint32_t address, std::uint64_t bytes)
        : begin((address + page - 1) / page * page), end((address + bytes) / page * page) {}
    [[nodiscard]] bool any() const { return end > begin; }
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end - begin); }
    [[nodiscard]] void* data() const { return pointer_to(static_cast<std::uint32_t>(begin)); }
};

bool map_pages(void* at, std::size_t bytes, int access) {
    void* const mapped =
        ::mmap(at, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
               -1, 0);
    if (mapped == at) return true;
    if (mapped != MAP_FAILED) ::munmap(mapped, bytes);  // an older kernel
    return false;
}

}  // namespace

managed_memory::~managed_memory() {
    while (!ranges_.empty()) unmap(ranges_.begin()->first);
}

bool managed_memory::map(std::uint32_t address, std::uint64_t bytes) {
    range made{bytes, std::vector<std::byte>(bytes)};
    if (!map_pages(pointer_to(address), bytes, PROT_READ | PROT_WRITE)) return false;
    ranges_[address] = std::move(made);
    return true;
}

void managed_memory::unmap(std::uint32_t address) {
    const auto found = ranges_.find(address);
    if (found == ranges_.end()) return;
    ::munmap(pointer_to(address), found->second.bytes);
    ranges_.erase(found);
}

void managed_memory::to_device(device_session& device) {
    // What the device has written beside what the program has changed must not be lost.
    if (stale_ && is_changed()) to_program(device);
    for (auto& [address, range] : ranges_) {
        const auto* const now = static_cast<const std::byte*>(pointer_to(address));
        for (std::uint64_t at = 0; at < range.bytes;) {
            const auto differs = [&](std::uint64_t begin) {
                return begin < range.bytes && std::memcmp(now + begin, range.known.data() + begin,
                                                          std::min(page, range.bytes - begin)) != 0;
            };
            std::uint64_t end = at;
            while (differs(end)) end += page;
            if (end == at) {
                at += page;
                continue;
            }
            end = std::min(end, range.bytes);
            device.write({now + at, 0, 0}, {static_cast<std::uint32_t>(address + at), 0, 0},
                         {end - at, 1, 1});
            std::memcpy(range.known.data() + at, now + at, end - at);
            at = end;
        }
    }
}

void managed_memory::to_program(device_session& device) {
    if (!stale_) return;
    constexpr std::uint64_t most = 1u << 20;
    for (auto& [address, range] : ranges_) {
        for (std::uint64_t at = 0; at < range.bytes; at += most) {
            take(device, address, range, at, std::min(most, range.bytes - at));
        }
    }
    stale_ = false;
}

void managed_memory::take(device_session& device, std::uint32_t address, range& of,
                          std::uint64_t at, std::uint64_t bytes) {
    fresh_.resize(bytes);
    device.read({fresh_.data(), 0, 0}, {static_cast<std::uint32_t>(address + at), 0, 0},
                {bytes, 1, 1});
    auto* const now = static_cast<std::byte*>(pointer_to(address)) + at;
    std::byte* const known = of.known.data() + at;
    if (std::memcmp(now, known, bytes) == 0) {
        std::memcpy(now, fresh_.data(), bytes);
    } else {
        for (std::size_t i = 0; i < bytes; ++i) {
            if (now[i] == known[i]) now[i] = fresh_[i];
        }
    }
    std::memcpy(known, fresh_.data(), bytes);
}

bool managed_memory::is_changed() const {
    return std::any_of(ranges_.begin(), ranges_.end(), [](const auto& each) {
        const range& one = each.second;
        return std::memcmp(pointer_to(each.first), one.known.data(), one.bytes) != 0;
    });
}

bool reserve_addresses(std::uint32_t address, std::uint64_t bytes) {
    const pages whole(address, bytes);
    return whole.any() && map_pages(whole.data(), whole.size(), PROT_NONE);
}

void free_addresses(std::uint32_t address, std::uint64_t bytes) {
    const pages whole(address, bytes);
    if (whole.any()) ::munmap(whole.data(), whole.size());
}

}  // namespace heddle::cuda
