// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace heddle {

/// Which pages of device memory may have been written since they were last asked for. Pages are
/// marked by whoever carries out a write, in any thread.
class written_pages {
public:
    static constexpr std::uint32_t page_bytes = 4096;

    void mark(std::uint64_t address) noexcept {
        pages_[(address & 0xffffffff) / page_bytes].store(true, std::memory_order_relaxed);
    }
    void mark(std::uint32_t address, std::uint64_t bytes) noexcept {
        const std::uint64_t end = address + bytes;
        for (std::uint64_t at = std::uint64_t{address / page_bytes} * page_bytes; at < end;
             at += page_bytes) {
            mark(at);
        }
    }
    /// Whether the page of this address is marked; it is not any more.
    [[nodiscard]] bool take(std::uint32_t address) noexcept {
        std::atomic<bool>& page = pages_[address / page_bytes];
        if (!page.load(std::memory_order_relaxed)) return false;
        page.store(false, std::memory_order_relaxed);
        return true;
    }

private:
    static constexpr std::size_t count = (std::uint64_t{1} << 32) / page_bytes;
    std::unique_ptr<std::atomic<bool>[]> pages_ { new std::atomic<bool>[ count ]() };
};

/// A device that marks them.
class write_marker {
public:
    write_marker() = default;
    write_marker(const write_marker&) = delete;
    write_marker& operator=(const write_marker&) = delete;
    virtual ~write_marker() = default;

    /// Null: it does not know at present; every page may have been written.
    [[nodiscard]] virtual written_pages* written() noexcept = 0;
};

}  // namespace heddle
