// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/managed_memory.h"

#include <sys/mman.h>

#include "runtime/cuda/library/device_session.h"
#include "runtime/cuda/library/reserved_addresses.h"

namespace heddle::cuda {

bool managed_memory::map(device_session& device, std::uint32_t address, std::uint64_t bytes,
                         bool keep) {
    const page_range pages(address, bytes);
    if (!reserve(pages)) return false;
    try {
        travels_ = !device.call(runtime::share_request{address, bytes, keep}).direct;
        void* const mapped = ::mmap64(pages.data(), pages.size(), PROT_READ | PROT_WRITE,
                                      MAP_SHARED | MAP_FIXED | MAP_NORESERVE, device.shared_file(),
                                      runtime::shared_offset(pages.begin()));
        require(mapped != MAP_FAILED, cudaErrorMemoryAllocation);
    } catch (...) {
        ::munmap(pages.data(), pages.size());
        throw;
    }
    // What a child wrote would be the parent's.
    (void)::madvise(pages.data(), pages.size(), MADV_DONTFORK);
    ranges_[address] = bytes;
    return true;
}

void managed_memory::unmap(device_session& device, std::uint32_t address) {
    const auto found = ranges_.find(address);
    if (found == ranges_.end()) return;
    const page_range pages(address, found->second);
    ::munmap(pages.data(), pages.size());
    ranges_.erase(found);
    device.post(runtime::unshare_request{address});
}

bool managed_memory::has(std::uint32_t address) const {
    auto found = ranges_.upper_bound(address);
    return found != ranges_.begin() && address - (--found)->first < found->second;
}

void managed_memory::forget() {
    for (const auto& [address, bytes] : ranges_) {
        const page_range pages(address, bytes);
        ::munmap(pages.data(), pages.size());
    }
    ranges_.clear();
}

void managed_memory::to_device(device_session& device) {
    if (travels_ && !ranges_.empty()) device.post(runtime::exchange_request{false});
}

void managed_memory::to_program(device_session& device) {
    if (!stale_) return;
    if (!ranges_.empty()) device.call(runtime::exchange_request{true});
    stale_ = false;
}

}  // namespace heddle::cuda
