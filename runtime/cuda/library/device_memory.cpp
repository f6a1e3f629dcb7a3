// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/device_memory.h"

#include <exception>
#include <vector>

namespace heddle::cuda {
namespace {

constexpr std::uint64_t page = 4096;
/// Where the program has something at an address, another one is tried, so often.
constexpr unsigned attempts = 64;

std::uint64_t round_to_pages(std::uint64_t bytes) {
    return (bytes + page - 1) / page * page;
}

}  // namespace

device_block device_memory::make_managed(std::uint64_t bytes) {
    const std::uint64_t whole = round_to_pages(bytes);
    std::vector<std::uint32_t> refused;  // kept until one fits, or the device gives it again
    device_block made;
    try {
        for (unsigned i = 0; i < attempts && made.base == 0; ++i) {
            const std::uint32_t base = session_.allocate(whole + page);
            refused.push_back(base);
            const auto address = static_cast<std::uint32_t>(round_to_pages(base));
            if (!session_.managed().map(address, whole)) continue;
            made = {address, bytes, memory_kind::managed, base, false, 0};
            refused.pop_back();
        }
    } catch (const std::exception&) {
        // Neither side has room for it, or for one more attempt.
    }
    for (const std::uint32_t each : refused) session_.post(runtime::release_request{each});
    require(made.base != 0, cudaErrorMemoryAllocation);
    return made;
}

std::uint32_t device_memory::allocate(std::uint64_t bytes, memory_kind kind, unsigned flags) {
    device_block made;
    if (kind == memory_kind::managed) {
        made = make_managed(bytes);
    } else {
        made.address = made.base = session_.allocate(bytes);
        made.bytes = bytes;
        made.kind = kind;
        made.reserved = reserve_addresses(made.address, bytes);
    }
    made.flags = flags;
    blocks_[made.address] = made;
    allocated_ += made.bytes;
    return made.address;
}

void device_memory::release(std::uint32_t address, memory_kind kind) {
    const auto found = blocks_.find(address);
    require(found != blocks_.end(), cudaErrorInvalidValue);
    const device_block gone = found->second;
    require((gone.kind == memory_kind::array) == (kind == memory_kind::array),
            cudaErrorInvalidValue);
    cudaError_t earlier = cudaSuccess;
    try {
        session_.wait_for_all();
    } catch (const error& caught) {
        earlier = caught.code();
        require(session_.lost() == cudaSuccess, earlier);
    }
    if (gone.kind == memory_kind::managed) session_.managed().unmap(address);
    if (gone.reserved) free_addresses(gone.address, gone.bytes);
    blocks_.erase(address);
    allocated_ -= gone.bytes;
    session_.post(runtime::release_request{gone.base});
    require(earlier == cudaSuccess, earlier);  // of a launch
}

const device_block* device_memory::find(std::uint32_t address, std::uint64_t bytes) const {
    auto found = blocks_.upper_bound(address);
    if (found == blocks_.begin()) return nullptr;
    --found;
    const std::uint64_t offset = address - found->first;
    if (offset > found->second.bytes || bytes > found->second.bytes - offset) return nullptr;
    if (offset == found->second.bytes) return nullptr;
    return &found->second;
}

void device_memory::forget() {
    for (const auto& [address, block] : blocks_) {
        if (block.kind == memory_kind::managed) session_.managed().unmap(address);
        if (block.reserved) free_addresses(block.address, block.bytes);
    }
    blocks_.clear();
}

}  // namespace heddle::cuda
