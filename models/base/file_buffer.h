// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <streambuf>

namespace heddle {

/// Buffers what is written to a file descriptor. Unlike std::filebuf it remembers why the first
/// write that failed did so, also when more was written after it.
class file_buffer final : public std::streambuf {
public:
    file_buffer() = default;
    ~file_buffer() override { close(); }
    file_buffer(const file_buffer&) = delete;
    file_buffer& operator=(const file_buffer&) = delete;

    /// Writes to this descriptor from now on, and closes it in the end.
    void attach(int descriptor) noexcept;
    /// Writes the rest and closes the descriptor. Returns 0, or the errno of the first failure
    /// since attach().
    int close() noexcept;

protected:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* text, std::streamsize count) override;
    int sync() override;

private:
    /// False if a write fails or one has failed before.
    bool write(const char* text, std::size_t count) noexcept;
    bool write_buffer() noexcept;

    int descriptor_ = -1;
    int error_ = 0;
    std::array<char, 1U << 16> buffer_;
};

}  // namespace heddle
