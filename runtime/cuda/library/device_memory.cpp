// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/device_memory.h"

namespace heddle::cuda {
namespace {

constexpr std::uint64_t page = page_range::page;
/// Where the program has something at an address, that and what follows is left out: so often, each
/// time twice as much.
constexpr unsigned attempts = 18;

std::uint64_t round_to_pages(std::uint64_t bytes) {
    return (bytes + page - 1) / page * page;
}

}  // namespace

/// Device memory at addresses that the program does not use: `place(address)` says so.
template <class Place>
std::uint32_t device_memory::allocate_at_free_addresses(std::uint64_t bytes, const Place& place) {
    for (unsigned i = 0; i < attempts; ++i) {
        const std::uint32_t base = session_.allocate(bytes);
        if (place(base)) return base;
        session_.post(runtime::release_request{base});
        (void)session_.allocate(page << i);  // stays: nothing is to lie there
    }
    throw error(cudaErrorMemoryAllocation);
}

device_block device_memory::make_shared(std::uint64_t bytes) {
    const std::uint64_t whole = round_to_pages(bytes);
    std::uint32_t address = 0;
    const std::uint32_t base = allocate_at_free_addresses(whole + page, [&](std::uint32_t at) {
        address = static_cast<std::uint32_t>(round_to_pages(at));
        return session_.managed().map(session_, address, whole, false);
    });
    return {address, bytes, memory_kind::managed, base, 0};
}

device_block device_memory::make_device_only(std::uint64_t bytes) {
    const std::uint32_t base = allocate_at_free_addresses(
        bytes, [&](std::uint32_t at) { return reserved_.add(at, bytes); });
    return {base, bytes, memory_kind::linear, base, 0};
}

std::uint32_t device_memory::allocate(std::uint64_t bytes, memory_kind kind, unsigned flags) {
    const bool shared = kind == memory_kind::managed || kind == memory_kind::page_locked;
    device_block made = shared ? make_shared(bytes) : make_device_only(bytes);
    made.kind = kind;
    made.flags = flags;
    blocks_[made.address] = made;
    allocated_ += made.bytes;
    return made.address;
}

void device_memory::give_addresses_back(const device_block& gone) {
    if (gone.is_shared()) {
        session_.managed().unmap(session_, gone.address);
    } else {
        reserved_.remove(gone.address, gone.bytes);
    }
}

void device_memory::release(std::uint32_t address, memory_kind kind) {
    const auto found = blocks_.find(address);
    require(found != blocks_.end(), cudaErrorInvalidValue);
    const device_block gone = found->second;
    const bool same =
        gone.kind == kind || (gone.kind == memory_kind::managed && kind == memory_kind::linear);
    require(same, cudaErrorInvalidValue);
    const cudaError_t earlier = wait_for_all_of(session_);
    give_addresses_back(gone);
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
        if (!block.is_shared()) reserved_.remove(block.address, block.bytes);
    }
    session_.managed().forget();
    blocks_.clear();
}

}  // namespace heddle::cuda
