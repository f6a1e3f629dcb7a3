// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/shared_memory/shared_banks.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "models/base/bits.h"
#include "models/isa/atomic.h"

namespace heddle {

using protocol::local_command;
using protocol::shared_access;
using protocol::shared_response;

namespace {

/// Most lanes (atomics) or different words of one bank.
unsigned busiest_bank(const shared_access& access, unsigned banks) noexcept {
    const bool each_lane = access.command == local_command::atomic;
    std::array<std::uint8_t, 64> count{};
    std::array<std::uint8_t, 64> head{};  // 1 + last lane that brought a new word to the bank
    std::array<std::uint8_t, protocol::maximum_lanes> next{};  // 1 + the one before it
    unsigned most = 0;
    bits::for_each(access.lanes, [&](unsigned lane) {
        const std::uint32_t word = access.address[lane] / 4;
        const std::uint32_t bank = word & (banks - 1);
        unsigned other = each_lane ? 0 : head[bank];
        while (other != 0 && access.address[other - 1] / 4 != word) other = next[other - 1];
        if (other != 0) return;
        next[lane] = head[bank];
        head[bank] = static_cast<std::uint8_t>(lane + 1);
        most = std::max<unsigned>(most, ++count[bank]);
    });
    return most;
}

}  // namespace

unsigned bank_cycles(const shared_access& access, unsigned banks) noexcept {
    std::uint64_t used = 0;
    std::uint32_t different = 0;
    const std::uint32_t first = access.address[bits::first(access.lanes)];
    bits::for_each(access.lanes, [&](unsigned lane) {
        const std::uint32_t address = access.address[lane];
        used |= std::uint64_t{1} << (address / 4 & (banks - 1));
        different |= (address ^ first) / 4;
    });
    // The two cases that kernels are written for: every lane a bank of its own, or all one word.
    if (__builtin_popcountll(used) == __builtin_popcountll(access.lanes)) return 1;
    if (different == 0 && access.command != local_command::atomic) return 1;
    return busiest_bank(access, banks);
}

shared_banks::shared_banks(unsigned banks, std::uint32_t bytes, unsigned threads)
    : banks_(banks),
      memory_(bytes),
      bytes_(reinterpret_cast<std::uint8_t*>(memory_.data())),
      size_(bytes),
      reservations_(threads, no_reservation) {}

void shared_banks::restore(std::uint32_t first, const void* from, std::uint32_t bytes) noexcept {
    if (bytes != 0) std::memcpy(bytes_ + first, from, bytes);
}

void shared_banks::clear(std::uint32_t first, std::uint32_t bytes) noexcept {
    const std::uint32_t begin = std::min(first, size_);
    std::memset(bytes_ + begin, 0, std::min(bytes, size_ - begin));
}

unsigned shared_banks::perform(shared_access& access) {
    std::uint64_t end = 0;
    bits::for_each(access.lanes, [&](unsigned lane) {
        end = std::max(end, std::uint64_t{access.address[lane]} + access.bytes);
    });
    if (end > size_) {
        access.response = shared_response::address_error;
        return 1;
    }
    switch (access.command) {
        case local_command::load:
            load(access);
            break;
        case local_command::store:
            store(access);
            break;
        case local_command::atomic:
            ++counters_.atomics;
            atomic(access);
            break;
    }
    access.response = shared_response::ok;
    const unsigned cycles = bank_cycles(access, banks_);
    count_access(cycles);
    return cycles;
}

void shared_banks::count_access(unsigned turns) noexcept {
    ++counters_.accesses;
    counters_.conflicts += turns > 1 ? 1 : 0;
    counters_.conflict_cycles += turns - 1;
}

void shared_banks::load(shared_access& access) const noexcept {
    if (access.bytes == 4) {
        bits::for_each(access.lanes, [&](unsigned lane) {
            std::memcpy(&access.data[lane], &bytes_[access.address[lane]], 4);
        });
        return;
    }
    bits::for_each(access.lanes, [&](unsigned lane) {
        std::uint32_t value = 0;
        std::memcpy(&value, &bytes_[access.address[lane]], access.bytes);
        access.data[lane] = value;
    });
}

void shared_banks::store(const shared_access& access) noexcept {
    const unsigned bytes = access.bytes;
    std::uint32_t changed = 0;
    bits::for_each(access.lanes, [&](unsigned lane) {
        const std::uint32_t address = access.address[lane];
        if (bytes == 4) {
            std::uint32_t old = 0;
            std::memcpy(&old, &bytes_[address], 4);
            changed |= old ^ access.data[lane];
            std::memcpy(&bytes_[address], &access.data[lane], 4);
        } else {
            changed |= std::memcmp(&bytes_[address], &access.data[lane], bytes) != 0 ? 1 : 0;
            std::memcpy(&bytes_[address], &access.data[lane], bytes);
        }
        if (reserved_ != 0) drop_reservations(address);
    });
    counters_.changes += changed != 0 ? 1 : 0;
}

void shared_banks::atomic(shared_access& access) noexcept {
    std::uint32_t changed = 0;
    bits::for_each(access.lanes, [&](unsigned lane) {
        const std::uint32_t address = access.address[lane];
        std::uint32_t old = 0;
        std::memcpy(&old, &bytes_[address], sizeof old);
        const std::uint32_t previous = old;
        std::uint32_t next =
            isa::atomic_result(access.operation, old, access.data[lane], access.compare[lane]);
        std::uint32_t& own = reservations_[access.thread[lane]];
        bool writes = true;
        if (access.operation == isa::opcode::lr_w) {
            reserve(own, address);
            writes = false;
        } else if (access.operation == isa::opcode::sc_w) {
            writes = own == address;
            reserve(own, no_reservation);
            old = writes ? 0 : 1;
        }
        if (writes) {
            changed |= previous ^ next;
            std::memcpy(&bytes_[address], &next, sizeof next);
            if (reserved_ != 0) drop_reservations(address);
        }
        access.data[lane] = old;
    });
    counters_.changes += changed != 0 ? 1 : 0;
}

void shared_banks::reserve(std::uint32_t& reservation, std::uint32_t address) noexcept {
    reserved_ += (address != no_reservation ? 1u : 0u) - (reservation != no_reservation ? 1u : 0u);
    reservation = address;
}

void shared_banks::drop_reservations(std::uint32_t address) noexcept {
    for (std::uint32_t& r : reservations_) {
        if (r == (address & ~3u)) reserve(r, no_reservation);
    }
}

}  // namespace heddle
