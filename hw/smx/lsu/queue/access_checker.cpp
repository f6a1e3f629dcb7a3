// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/queue/access_checker.h"

#include "hw/smx/lsu/queue/coalescer.h"
#include "hw/smx/lsu/queue/memory_instruction.h"
#include "models/device/access_check.h"
#include "models/program/address_map.h"

namespace heddle {

namespace {

using program::private_window;
using program::shared_window;

const char* verb_of(const isa::instruction& i) noexcept {
    switch (i.cls) {
        case isa::instruction_class::load:
            return "read";
        case isa::instruction_class::store:
            return "write";
        default:
            return "atomic";
    }
}

bool writes(const isa::instruction& i) noexcept {
    return i.cls != isa::instruction_class::load && i.op != isa::opcode::lr_w;
}

}  // namespace

const access_checker::known_range* access_checker::legal_global(std::uint32_t low,
                                                                std::uint64_t bytes, bool write) {
    if (version_ != ranges_->version()) {
        version_ = ranges_->version();
        known_ = {};
    }
    for (const known_range& range : known_) {
        const std::uint32_t offset = low - range.address;
        if (low >= range.address && offset + bytes <= range.size && (range.writable || !write)) {
            return &range;
        }
    }
    const allocation* const found = ranges_->find(low, bytes);
    if (found == nullptr || (write && !found->writable)) return nullptr;
    known_range& range = known_[next_known_];
    range = {found->address, found->size, found->writable, found->constant};
    next_known_ = (next_known_ + 1) % known_.size();
    return &range;
}

std::optional<access_checker::fault> access_checker::check(const memory_instruction& access,
                                                           windows& found) {
    const isa::instruction& i = *access.flight.instruction;
    const unsigned bytes = i.access_bytes();
    const auto range = coalescer::span_of(access.address, access.lanes, lanes_);
    if ((range.bits & (bytes - 1)) != 0) return misaligned(access);
    found = {};
    const std::uint64_t size = std::uint64_t{range.high} - range.low + bytes;
    if (shared_window.contains(range.low)) {
        found.in_shared = access.lanes;
        if (range.low - shared_window.base + size <= access.shared_bytes) return std::nullopt;
    } else if (private_window.contains(range.low)) {
        found.in_private = access.lanes;
        if (range.low - private_window.base + size <= private_bytes_) return std::nullopt;
    } else if (legal_in_pool(range.low, range.high, writes(i))) {
        const bool constants = constants_ && access.loads_constants;
        const bool launched = constants && ranges_->in_launched_buffer(range.low);
        (launched ? found.in_constant : found.in_global) = access.lanes;
        return std::nullopt;
    } else if (const known_range* const in = legal_global(range.low, size, writes(i))) {
        const bool constants = constants_ && access.loads_constants && in->constant;
        (constants ? found.in_constant : found.in_global) = access.lanes;
        return std::nullopt;
    }
    return check_lanes(access, found);
}

/// Parameters, mostly: all lanes read one buffer. A granule of the pool has one answer for all of
/// its words.
bool access_checker::legal_in_pool(std::uint32_t low, std::uint32_t high, bool write) const {
    constexpr std::uint32_t granule = launch_pool::granule_bytes;
    return low / granule == high / granule && ranges_->in_pool(low, write);
}

std::optional<access_checker::fault> access_checker::misaligned(
    const memory_instruction& access) const {
    const unsigned bytes = access.flight.instruction->access_bytes();
    for (isa::lane_mask left = access.lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
        const std::uint32_t address = access.address[lane];
        if (address % bytes == 0) continue;
        return fault{lane, misaligned_access_text(verb_of(*access.flight.instruction), address,
                                                  bytes, *ranges_)};
    }
    return std::nullopt;
}

std::optional<access_checker::fault> access_checker::check_lanes(const memory_instruction& access,
                                                                 windows& found) {
    const isa::instruction& i = *access.flight.instruction;
    const unsigned bytes = i.access_bytes();
    found = {};
    for (isa::lane_mask left = access.lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
        const isa::lane_mask bit = isa::lane_mask{1} << lane;
        const std::uint32_t address = access.address[lane];
        bool legal = false;
        if (shared_window.contains(address)) {
            found.in_shared |= bit;
            legal = std::uint64_t{address} - shared_window.base + bytes <= access.shared_bytes;
        } else if (private_window.contains(address)) {
            found.in_private |= bit;
            legal = std::uint64_t{address} - private_window.base + bytes <= private_bytes_;
        } else {
            // No range lies among the buffers of the pool, so that it can be asked first.
            const bool pooled = ranges_->in_pool(address, writes(i));
            const known_range* const in =
                pooled ? nullptr : legal_global(address, bytes, writes(i));
            legal = pooled || in != nullptr;
            const bool constant =
                constants_ && access.loads_constants &&
                (in == nullptr ? ranges_->in_launched_buffer(address) : in->constant);
            (constant ? found.in_constant : found.in_global) |= bit;
        }
        if (legal) continue;
        const access_limits limits{access.shared_bytes, private_bytes_, *ranges_};
        return fault{lane, illegal_access_text(verb_of(i), address, bytes, limits)};
    }
    return std::nullopt;
}

}  // namespace heddle
