// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace heddle::inputs {

/// The bytes of a file can't be had: it is missing, unreadable, or damaged gzip.
class source_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The bytes of a file, unpacked if its content (first bytes 1f 8b) says gzip.
class text_source {
public:
    /// Throws source_error if the file can't be opened.
    explicit text_source(const std::string& file);
    ~text_source();
    text_source(const text_source&) = delete;
    text_source& operator=(const text_source&) = delete;

    /// The next bytes, at most `size` > 0; 0 at the end. Throws source_error for a read error and
    /// for gzip data that is truncated, damaged, or followed by something else.
    std::size_t read(char* to, std::size_t size);

    /// Size of the file as it lies on disk; 0 if it has none (a pipe).
    [[nodiscard]] std::uint64_t file_bytes() const noexcept { return file_bytes_; }

private:
    struct streams;
    std::unique_ptr<streams> streams_;
    std::uint64_t file_bytes_ = 0;
};

}  // namespace heddle::inputs
