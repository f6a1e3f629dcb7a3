// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/l2/line_operations.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "models/isa/atomic.h"

namespace heddle {

using protocol::lane_atomic;
using protocol::memory_access;
using protocol::memory_kind;

namespace {

constexpr std::uint64_t memory_bytes = std::uint64_t{1} << 32;
constexpr unsigned word_bytes = 4;

/// Lines are powers of two.
constexpr unsigned offset_in_line(std::uint64_t address, unsigned line_bytes) noexcept {
    return static_cast<unsigned>(address & (line_bytes - 1));
}

bool is_atomic_operation(isa::opcode operation) {
    switch (operation) {
        case isa::opcode::lr_w:
        case isa::opcode::sc_w:
        case isa::opcode::amoswap_w:
        case isa::opcode::amoadd_w:
        case isa::opcode::amoxor_w:
        case isa::opcode::amoand_w:
        case isa::opcode::amoor_w:
        case isa::opcode::amomin_w:
        case isa::opcode::amomax_w:
        case isa::opcode::amominu_w:
        case isa::opcode::amomaxu_w:
        case isa::opcode::amocas_w:
        case isa::opcode::amofadd_w:
        case isa::opcode::amofmin_w:
        case isa::opcode::amofmax_w:
            return true;
        default:
            return false;
    }
}

request_refusal check_atomic(const tlm::tlm_generic_payload& payload, const memory_access& access) {
    if (!is_atomic_operation(access.operation)) {
        return {tlm::TLM_COMMAND_ERROR_RESPONSE, "it names no atomic operation"};
    }
    if (access.atomic_count == 0 || access.atomic_count > protocol::maximum_lanes) {
        return {tlm::TLM_BURST_ERROR_RESPONSE, "legal: 1 to 64 lanes"};
    }
    for (unsigned i = 0; i < access.atomic_count; ++i) {
        const unsigned offset = access.atomics[i].offset;
        if ((payload.get_address() + offset) % word_bytes != 0) {
            return {tlm::TLM_ADDRESS_ERROR_RESPONSE, "a lane's word is misaligned"};
        }
        if (offset + word_bytes > payload.get_data_length()) {
            return {tlm::TLM_BURST_ERROR_RESPONSE, "a lane's word is beyond the data length"};
        }
    }
    return {};
}

request_refusal check_mask(const memory_access& access, unsigned length) {
    const byte_mask mask{access.byte_mask};
    if (!mask.any()) {
        return {tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, "its byte mask is empty"};
    }
    if (mask.end() > length) {
        return {tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, "its byte mask is longer than its data"};
    }
    return {};
}

bool command_fits(tlm::tlm_command command, memory_kind kind) {
    switch (kind) {
        case memory_kind::load:
        case memory_kind::instruction_fetch:
            return command == tlm::TLM_READ_COMMAND;
        case memory_kind::store:
        case memory_kind::write_back:
            return command == tlm::TLM_WRITE_COMMAND;
        case memory_kind::atomic:
            return command == tlm::TLM_IGNORE_COMMAND;
    }
    return false;
}

struct lane_outcome {
    bool written = false;
    bool changed = false;
};

lane_outcome perform_lane(lane_atomic& atomic, const memory_access& access, std::uint64_t word,
                          std::uint8_t* cell, reservations& reserved) {
    std::uint32_t old = 0;
    std::memcpy(&old, cell, word_bytes);
    if (access.operation == isa::opcode::lr_w) {
        atomic.result = old;
        reserved.reserve(access.sm, atomic.thread, word);
        return {};
    }
    if (access.operation == isa::opcode::sc_w) {
        const bool holds = reserved.release(access.sm, atomic.thread, word);
        atomic.result = holds ? 0 : 1;
        if (!holds) {
            return {};
        }
    } else {
        atomic.result = old;
    }
    const std::uint32_t value =
        isa::atomic_result(access.operation, old, atomic.operand, atomic.compare);
    std::memcpy(cell, &value, word_bytes);
    reserved.broken(word);
    return {true, value != old};
}

}  // namespace

request_refusal check_request(const tlm::tlm_generic_payload& payload,
                              const l2_configuration& configuration, const l2_partition& partition,
                              std::uint32_t bank) {
    const std::uint64_t address = payload.get_address();
    const unsigned length = payload.get_data_length();
    const memory_access* access = protocol::access_of(payload);
    if (access == nullptr) {
        return {tlm::TLM_GENERIC_ERROR_RESPONSE, "the memory_access extension is missing"};
    }
    if (!command_fits(payload.get_command(), access->kind)) {
        return {tlm::TLM_COMMAND_ERROR_RESPONSE, "its command does not fit its kind"};
    }
    if (length == 0 || length > configuration.line || payload.get_streaming_width() < length) {
        return {tlm::TLM_BURST_ERROR_RESPONSE,
                "legal: 1 byte up to a line, streaming width at least the length"};
    }
    if (address >= memory_bytes) {
        return {tlm::TLM_ADDRESS_ERROR_RESPONSE, "memory ends at 4 GiB"};
    }
    if (offset_in_line(address, configuration.line) + length > configuration.line) {
        return {tlm::TLM_BURST_ERROR_RESPONSE, "it crosses a line"};
    }
    if (partition.bank(address) != bank) {
        return {tlm::TLM_ADDRESS_ERROR_RESPONSE, "the address belongs to another bank"};
    }
    if (payload.get_byte_enable_ptr() != nullptr) {
        return {tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE,
                "it has byte enables; legal: the byte mask of its extension"};
    }
    return access->kind == memory_kind::atomic ? check_atomic(payload, *access)
                                               : check_mask(*access, length);
}

bool writes(const memory_access& access) {
    return access.kind != memory_kind::load && access.kind != memory_kind::instruction_fetch;
}

byte_mask bytes_read(const tlm::tlm_generic_payload& payload, const memory_access& access,
                     unsigned line_bytes) {
    const unsigned offset = offset_in_line(payload.get_address(), line_bytes);
    if (access.kind != memory_kind::atomic) {
        return writes(access) ? byte_mask{} : byte_mask{access.byte_mask}.moved_up(offset);
    }
    byte_mask words;
    for (unsigned i = 0; i < access.atomic_count; ++i) {
        words |= byte_mask::bytes(offset + access.atomics[i].offset, word_bytes);
    }
    return words;
}

bool perform_access(tlm::tlm_generic_payload& payload, memory_access& access,
                    line_store::state& line, std::uint8_t* data, unsigned line_bytes,
                    reservations& reserved) {
    const std::uint64_t address = payload.get_address();
    const unsigned offset = offset_in_line(address, line_bytes);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (!writes(access)) {
        copy_bytes(payload.get_data_ptr(), data + offset, byte_mask{access.byte_mask});
        return false;
    }
    line.writer = access.launch;
    if (access.kind == memory_kind::atomic) {
        bool changed = false;
        for (unsigned i = 0; i < access.atomic_count; ++i) {
            lane_atomic& atomic = access.atomics[i];
            const lane_outcome lane = perform_lane(atomic, access, address + atomic.offset,
                                                   data + offset + atomic.offset, reserved);
            changed |= lane.changed;
            if (lane.written) {
                line.dirty |= byte_mask::bytes(offset + atomic.offset, word_bytes);
            }
        }
        return changed;
    }
    const byte_mask sent{access.byte_mask};
    const byte_mask written = sent.moved_up(offset);
    const bool changed =
        access.kind == memory_kind::store &&
        (!line.valid.covers(written) || !equal_bytes(data + offset, payload.get_data_ptr(), sent));
    copy_bytes(data + offset, payload.get_data_ptr(), sent);
    line.dirty |= written;
    line.valid |= written;
    if (!reserved.empty()) {
        for (unsigned word = 0; word < line_bytes; word += word_bytes) {
            if ((written & byte_mask::bytes(word, word_bytes)).any()) {
                reserved.broken(address - offset + word);
            }
        }
    }
    return changed;
}

std::uint32_t bank_cycles(const tlm::tlm_generic_payload& payload, const memory_access& access,
                          const l2_configuration& configuration) noexcept {
    if (access.kind != memory_kind::atomic) {
        return (payload.get_data_length() + configuration.port_bytes - 1) /
               configuration.port_bytes;
    }
    const std::uint32_t lanes = access.atomic_count;
    const std::uint32_t turns =
        (lanes + configuration.atomic_lanes - 1) / configuration.atomic_lanes;
    if (configuration.atomic_interval == 0) return turns;
    std::array<std::uint8_t, protocol::maximum_line_bytes / 4> of_word{};
    std::uint32_t most = 0;
    for (std::uint32_t i = 0; i < lanes; ++i) {
        most = std::max<std::uint32_t>(most, ++of_word[access.atomics[i].offset / 4]);
    }
    return std::max(turns, most * configuration.atomic_interval);
}

}  // namespace heddle
