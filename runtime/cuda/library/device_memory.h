// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <map>

#include "runtime/cuda/library/device_session.h"

namespace heddle::cuda {

enum class memory_kind : std::uint8_t { linear, managed, array };

/// Memory of the device that the program or the library has allocated.
struct device_block {
    std::uint32_t address = 0;
    std::uint64_t bytes = 0;
    memory_kind kind = memory_kind::linear;
    std::uint32_t base = 0;  ///< as the device knows it
    bool reserved = false;   ///< the program's own addresses there are taken
    unsigned flags = 0;      ///< of the call that made it
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
    device_block make_managed(std::uint64_t bytes);

    device_session& session_;
    std::map<std::uint32_t, device_block> blocks_;
    std::uint64_t allocated_ = 0;
};

}  // namespace heddle::cuda
