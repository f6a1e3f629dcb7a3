// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/flat_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>

#include "models/base/error.h"

namespace heddle {

flat_memory::flat_memory(std::size_t bytes)
    : data_(nullptr), bytes_(std::max<std::size_t>(bytes, 1)) {  // none of 0 bytes can be mapped
    void* const mapping = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) {
        throw configuration_error(fmt::format(
            "the host does not provide {} MiB of address space (see ulimit -v)", bytes >> 20));
    }
    data_ = static_cast<std::byte*>(mapping);
}

flat_memory::~flat_memory() {
    munmap(data_, bytes_);
}

}  // namespace heddle
