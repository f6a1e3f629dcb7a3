// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/file_buffer.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace heddle {

void file_buffer::attach(int descriptor) noexcept {
    close();
    descriptor_ = descriptor;
    error_ = 0;
    setp(buffer_.data(), buffer_.data() + buffer_.size());
}

int file_buffer::close() noexcept {
    if (descriptor_ < 0) return error_;
    write_buffer();
    // Some file systems notice only here that there is no space.
    if (::close(descriptor_) != 0 && error_ == 0) error_ = errno;
    descriptor_ = -1;
    setp(nullptr, nullptr);
    return error_;
}

file_buffer::int_type file_buffer::overflow(int_type c) {
    if (descriptor_ < 0 || !write_buffer()) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
}

std::streamsize file_buffer::xsputn(const char* text, std::streamsize count) {
    if (descriptor_ < 0) return 0;
    const auto size = static_cast<std::size_t>(count);
    if (size > static_cast<std::size_t>(epptr() - pptr())) {
        if (!write_buffer()) return 0;
        if (size >= buffer_.size()) return write(text, size) ? count : 0;
    }
    std::memcpy(pptr(), text, size);
    pbump(static_cast<int>(size));
    return count;
}

int file_buffer::sync() {
    return write_buffer() ? 0 : -1;
}

bool file_buffer::write(const char* text, std::size_t count) noexcept {
    while (error_ == 0 && count != 0) {
        const ssize_t written = ::write(descriptor_, text, count);
        if (written >= 0) {
            text += written;
            count -= static_cast<std::size_t>(written);
        } else if (errno != EINTR) {
            error_ = errno;
        }
    }
    return error_ == 0;
}

bool file_buffer::write_buffer() noexcept {
    const bool written = write(pbase(), static_cast<std::size_t>(pptr() - pbase()));
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return written;
}

}  // namespace heddle
