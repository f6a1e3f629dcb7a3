// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle {

/// Zero-filled memory of the host, given by the system page by page as it is touched, so that the
/// whole 32-bit address space of the device can be one array.
class flat_memory {
public:
    /// Throws run_error if the host has not enough address space.
    explicit flat_memory(std::size_t bytes);
    flat_memory(const flat_memory&) = delete;
    flat_memory& operator=(const flat_memory&) = delete;
    ~flat_memory();

    [[nodiscard]] std::byte* data() noexcept { return data_; }
    [[nodiscard]] const std::byte* data() const noexcept { return data_; }

private:
    std::byte* data_;
    std::size_t bytes_;
};

}  // namespace heddle
