// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/core_memory.h"

#include <algorithm>
#include <cstring>

#include "hw/cosim/pins/core_atomics.h"

namespace heddle::pins {
namespace {

std::uint32_t word_of(const core_row& row, std::uint32_t lane) {
    return static_cast<std::uint32_t>(row.get_word(static_cast<int>(lane)));
}

bool in_mask(const line_beat::mask_bits& mask, std::uint32_t byte) {
    const auto word = static_cast<std::uint32_t>(mask.get_word(static_cast<int>(byte / 32)));
    return (word >> byte % 32 & 1) != 0;
}

}  // namespace

core_memory::core_memory(clocked& owner, sm_id id,
                         protocol::initiator_socket_base<protocol::memory_link>& socket,
                         const core_limits& limits)
    // All requests, and a line of instructions.
    : port_(owner, id, socket, {core_request_ids, core_request_ids + 1, 0, 1}),
      limits_(limits),
      answers_(core_request_ids + 1) {}

bool core_memory::may(std::uint32_t address, std::uint32_t bytes, bool write) const {
    if (address >= limits_.private_from) return true;
    if (const allocation* const found = limits_.ranges.find(address, bytes)) {
        return found->writable || !write;
    }
    return limits_.ranges.in_pool(address, write);
}

/// Of the bytes of a mask that is not empty. A cache reads whole pieces, whatever lies in them.
bool core_memory::may_access(std::uint32_t line, const line_beat::mask_bits& mask,
                             bool write) const {
    bool all = true;
    bool any = false;
    bool pieces = !write;
    for (std::uint32_t word = 0; word < line_bytes / 32; ++word) {
        const auto bits = static_cast<std::uint32_t>(mask.get_word(static_cast<int>(word)));
        if (bits == 0) continue;
        pieces &= bits == ~std::uint32_t{0};
        const std::uint32_t first = 32 * word + __builtin_ctz(bits);
        const std::uint32_t last = 32 * word + 31 - __builtin_clz(bits);
        const allocation* const within = limits_.ranges.find(line + first, last - first + 1);
        if (within != nullptr && (within->writable || !write)) {
            any = true;
            continue;
        }
        for (std::uint32_t byte = first; byte <= last; ++byte) {
            if (!in_mask(mask, byte)) continue;
            const bool legal = may(line + byte, 1, write);
            any |= legal;
            all &= legal;
        }
    }
    return all || (pieces && any);
}

memory_request& core_memory::make(protocol::memory_kind kind, std::uint32_t address,
                                  std::uint32_t bytes, std::uint32_t name,
                                  const protocol::block_dispatch* of) {
    memory_request& request = port_.make();
    request.prepare(kind, address, bytes);
    request.back.requester = this;
    name::give(request, name);
    protocol::memory_access& access = request.access();
    if (of == nullptr) return request;
    access.launch = of->launch;
    access.slot = of->slot;
    access.block = of->block;
    return request;
}

void core_memory::fetch(std::uint32_t address, const protocol::block_dispatch& of) {
    ++fetched_;
    port_.send(memory_port::queue::instructions,
               make(protocol::memory_kind::instruction_fetch, address, code_line_bytes, code, &of));
}

void core_memory::request(const core_request_pins& pins, const protocol::block_dispatch* of) {
    if (static_cast<core_request_kind>(pins.kind.read()) == core_request_kind::atomic) {
        access_atomics(pins, of);
    } else {
        access_line(pins, of);
    }
}

void core_memory::refuse(std::uint32_t id) {
    answer_nothing(id, true);
}

void core_memory::answer_nothing(std::uint32_t id, bool error) {
    ++under_way_;
    answers_.push({id, error, false, {}});
}

void core_memory::access_line(const core_request_pins& pins, const protocol::block_dispatch* of) {
    const bool write = static_cast<core_request_kind>(pins.kind.read()) == core_request_kind::write;
    const std::uint32_t line = pins.address.read();
    const line_beat::mask_bits& mask = pins.mask.read();
    std::uint32_t first = line_bytes;
    std::uint32_t end = 0;
    for (std::uint32_t byte = 0; byte < line_bytes; ++byte) {
        if (!in_mask(mask, byte)) continue;
        first = std::min(first, byte);
        end = byte + 1;
    }
    if (end == 0) return answer_nothing(pins.id.read(), false);
    if (!may_access(line, mask, write)) return answer_nothing(pins.id.read(), true);
    first -= first % 4;
    end += (4 - end % 4) % 4;
    const protocol::memory_kind kind = !write          ? protocol::memory_kind::load
                                       : of == nullptr ? protocol::memory_kind::write_back
                                                       : protocol::memory_kind::store;
    memory_request& access = make(kind, line + first, end - first, pins.id.read(), of);
    access.access().warp = warp_slot(pins.warp.read());
    access.access().bypass_l1 = !write;
    access.access().byte_mask = {};
    for (std::uint32_t byte = first; byte < end; ++byte) {
        if (!in_mask(mask, byte)) continue;
        access.access().byte_mask[(byte - first) / 64] |= std::uint64_t{1} << (byte - first) % 64;
    }
    if (write) {
        std::array<unsigned char, line_bytes> bytes;
        line_beat::get_data(pins.data.read(), bytes.data());
        std::memcpy(access.data(), bytes.data() + first, end - first);
    }
    ++under_way_;
    port_.send(memory_port::queue::data, access);
}

void core_memory::access_atomics(const core_request_pins& pins,
                                 const protocol::block_dispatch* of) {
    const isa::opcode op = core_atomic_of(pins.op.read());
    const std::uint32_t line = pins.address.read();
    const std::uint32_t lanes = pins.lanes.read();
    const auto& words = pins.words.read();
    std::array<std::uint32_t, core_lanes> offsets{};
    std::uint32_t first = line_bytes;
    std::uint32_t end = 0;
    for (std::uint32_t lane = 0; lane < core_lanes; ++lane) {
        if ((lanes >> lane & 1) == 0) continue;
        constexpr std::uint32_t bits = 5;
        for (std::uint32_t bit = 0; bit < bits; ++bit) {
            if (words.get_bit(static_cast<int>(bits * lane + bit)) == sc_dt::Log_1) {
                offsets[lane] |= 4U << bit;
            }
        }
        if (!may(line + offsets[lane], 4, op != isa::opcode::lr_w)) {
            return answer_nothing(pins.id.read(), true);
        }
        first = std::min(first, offsets[lane]);
        end = std::max(end, offsets[lane] + 4);
    }
    if (end == 0) return answer_nothing(pins.id.read(), false);
    memory_request& request =
        make(protocol::memory_kind::atomic, line + first, end - first, pins.id.read(), of);
    protocol::memory_access& access = request.access();
    access.warp = warp_slot(pins.warp.read());
    access.operation = op;
    const core_row& operands = pins.data.read();
    const core_row& compared = pins.compare.read();
    for (std::uint32_t lane = 0; lane < core_lanes; ++lane) {
        if ((lanes >> lane & 1) == 0) continue;
        access.atomics[access.atomic_count++] = {
            static_cast<std::uint8_t>(lane),
            static_cast<std::uint8_t>(offsets[lane] - first),
            static_cast<std::uint16_t>(pins.warp.read() * core_lanes + lane),
            word_of(operands, lane),
            word_of(compared, lane),
            0};
    }
    ++under_way_;
    port_.send(memory_port::queue::data, request);
}

void core_memory::responded(memory_request& request) {
    const std::uint32_t id = name::of(request);
    if (id == code) {
        line_came_ = true;
        return;
    }
    answer got{id, !request.is_response_ok(), false, {}};
    const protocol::memory_access& access = request.access();
    if (access.kind == protocol::memory_kind::atomic) {
        got.has_data = true;
        for (unsigned i = 0; i < access.atomic_count; ++i) {
            got.data[access.atomics[i].lane] = access.atomics[i].result;
        }
    } else if (access.kind == protocol::memory_kind::load) {
        got.has_data = true;
        std::memcpy(
            reinterpret_cast<unsigned char*>(got.data.data()) + request.get_address() % line_bytes,
            request.data(), request.get_data_length());
    }
    answers_.push(got);
}

bool core_memory::drive(core_response_pins& pins) {
    if (answers_.empty()) return false;
    const answer next = answers_.pop();
    pins.id.write(next.id);
    pins.error.write(next.error);
    if (next.has_data) {
        beat_.set_data(reinterpret_cast<const unsigned char*>(next.data.data()));
        pins.data.write(beat_.data());
    }
    --under_way_;
    return true;
}

}  // namespace heddle::pins
