// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/host_memory.h"

#include "runtime/cuda/library/error.h"

namespace heddle::cuda {

void host_memory::add(void* begin, std::size_t bytes, unsigned flags) {
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const auto next = blocks_.lower_bound(address);
    const bool overlaps =
        find(begin).begin != nullptr || (next != blocks_.end() && next->first < address + bytes);
    require(!overlaps, cudaErrorHostMemoryAlreadyRegistered);
    blocks_[address] = {bytes, flags};
}

void host_memory::remove(void* begin) {
    const auto found = blocks_.find(reinterpret_cast<std::uintptr_t>(begin));
    require(found != blocks_.end(), cudaErrorHostMemoryNotRegistered);
    blocks_.erase(found);
}

host_memory::found_block host_memory::find(const void* pointer) const {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    auto found = blocks_.upper_bound(address);
    if (found == blocks_.begin()) return {nullptr, {}};
    --found;
    if (address - found->first >= found->second.bytes) return {nullptr, {}};
    return {reinterpret_cast<void*>(found->first), found->second};
}

bool host_memory::holds(const void* pointer, std::uint64_t bytes) const {
    const found_block found = find(pointer);
    if (found.begin == nullptr) return false;
    const auto offset = static_cast<std::uint64_t>(static_cast<const char*>(pointer) -
                                                   static_cast<const char*>(found.begin));
    return bytes <= found.what.bytes - offset;
}

}  // namespace heddle::cuda
