// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>

#include "tests/fuzz/fuzz_target.h"

namespace heddle {

memory_file::memory_file(const std::uint8_t* data, std::size_t size)
    : file_(memfd_create("fuzz", 0)) {
    if (file_ < 0 || write(file_, data, size) != static_cast<ssize_t>(size)) {
        throw std::runtime_error("no file in memory");
    }
}

memory_file::~memory_file() {
    (void)close(file_);
}

std::string memory_file::path() const {
    return "/proc/self/fd/" + std::to_string(file_);
}

}  // namespace heddle
