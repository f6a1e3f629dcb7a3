// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <map>

#include "runtime/cuda/library/device_session.h"
#include "runtime/cuda/library/reserved_addresses.h"

namespace heddle::cuda {

/// Managed and page-locked memory has its addresses in the program, too.
enum class memory_kind : std::uint8_t { linear, managed, page_locked, array };

/// Memory of the device that the program or the library has allocated.
struct device_block {
    std::uint32_t address = 0;
    std::uint64_t bytes = 0;
    memory_kind kind = memory_kind::linear;
    std::uint32_t base = 0;  ///< as the device knows it
    unsigned flags = 0;      ///< of the call that made it

    [[nodiscard]] bool is_shared() const {
        return kind == memory_kind::managed || kind == memory_kind::page_locked;
    }
};

class device_memory {
public:
    explicit device_memory(device_session& session) : session_(session) {}
    device_memory(const device_memory&) = delete;
    device_memory& operator=(const device_memory&) = delete;

    /// Throws error(cudaErrorMemoryAllocation).
    std::uint32_t allocate(std::uint64_t bytes, memory_kind kind, unsigned flags);
    /// After all launches. Throws error(cudaErrorInvalidValue) for an address that is none of that
    /// kind's; linear and managed are one kind.
    void release(std::uint32_t address, memory_kind kind);
    /// The one that has all of these bytes; null: there is none.
    [[nodiscard]] const device_block* find(std::uint32_t address, std::uint64_t bytes) const;
    [[nodiscard]] std::uint64_t allocated() const noexcept { return allocated_; }
    /// The program's addresses are its own again.
    void forget();

private:
    template <class Place>
    std::uint32_t allocate_at_free_addresses(std::uint64_t bytes, const Place& place);
    device_block make_shared(std::uint64_t bytes);
    device_block make_device_only(std::uint64_t bytes);
    void give_addresses_back(const device_block& gone);

    device_session& session_;
    reserved_addresses reserved_;
    std::map<std::uint32_t, device_block> blocks_;
    std::uint64_t allocated_ = 0;
};

}  // namespace heddle::cuda
