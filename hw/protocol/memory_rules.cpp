// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include "hw/protocol/link_rules.h"
#include "models/isa/instruction.h"

/// Payload rules of the memory side: local memory, L1 to L2, base protocol.
namespace heddle::protocol {

namespace {

std::string_view kind_name(memory_kind kind) {
    static constexpr std::array<std::string_view, 5> names{"load", "store", "atomic",
                                                           "instruction_fetch", "write_back"};
    return names[static_cast<unsigned>(kind) % names.size()];
}

tlm::tlm_command command_of(memory_kind kind) {
    switch (kind) {
        case memory_kind::store:
        case memory_kind::write_back:
            return tlm::TLM_WRITE_COMMAND;
        case memory_kind::atomic:
            return tlm::TLM_IGNORE_COMMAND;
        case memory_kind::load:
        case memory_kind::instruction_fetch:
            break;
    }
    return tlm::TLM_READ_COMMAND;
}

std::string byte_mask_error(const memory_access& access, unsigned length) {
    bool any = false;
    for (unsigned byte = 0; byte < maximum_line_bytes; ++byte) {
        if (!access.byte_enabled(byte)) {
            continue;
        }
        any = true;
        if (byte >= length) {
            return "the byte mask has byte " + std::to_string(byte) + ", beyond the length " +
                   std::to_string(length);
        }
    }
    return any ? "" : "the byte mask is empty";
}

std::string atomic_error(const memory_access& access, unsigned length) {
    if (access.atomic_count == 0 || access.atomic_count > maximum_lanes) {
        return illegal_value("atomic_count", access.atomic_count, "1..64");
    }
    for (unsigned i = 0; i < access.atomic_count; ++i) {
        const lane_atomic& atomic = access.atomics[i];
        if (atomic.offset % 4 != 0 || atomic.offset + 4U > length) {
            return illegal_value("an atomic's offset", atomic.offset,
                                 "a multiple of 4 inside the access");
        }
        if (i != 0 && atomic.lane <= access.atomics[i - 1].lane) {
            return "atomics are not in ascending order of lanes";
        }
    }
    return {};
}

}  // namespace

// ---- local_access -----------------------------------------------------------------------------

std::string request_error(const local_access& p) {
    if (p.lanes == 0) {
        return "no lane accesses anything";
    }
    if (p.bytes != 1 && p.bytes != 2 && p.bytes != 4) {
        return illegal_value("bytes", p.bytes, "1, 2 or 4");
    }
    if (p.command == local_command::atomic && p.bytes != 4) {
        return illegal_value("bytes of an atomic", p.bytes, "4");
    }
    if ((p.command == local_command::atomic) != (p.operation != isa::opcode::illegal)) {
        return "legal: an atomic names its operation, loads and stores name none";
    }
    if (p.response != local_response::incomplete) {
        return "response is set before the access";
    }
    for (unsigned lane = 0; lane < maximum_lanes; ++lane) {
        if (((p.lanes >> lane) & 1U) != 0 && p.address[lane] % p.bytes != 0) {
            return illegal_value("address of lane " + std::to_string(lane), p.address[lane],
                                 "a multiple of " + std::to_string(p.bytes));
        }
    }
    return {};
}

std::string response_error(const local_access& p) {
    return p.response == local_response::incomplete ? "response is still incomplete" : "";
}

fixed_attributes fixed(const local_access& p) {
    static constexpr std::array<std::string_view, 5> names{"launch", "warp", "command", "lanes",
                                                           "bytes"};
    fixed_attributes fixed;
    fixed.names = names.data();
    fixed.count = names.size();
    fixed.values = {p.launch.value(), p.warp.value(), static_cast<std::uint64_t>(p.command),
                    p.lanes, p.bytes};
    return fixed;
}

void describe(const local_access& p, attribute_list& out) {
    static constexpr std::array<std::string_view, 3> commands{"load", "store", "atomic"};
    out.add("launch", p.launch);
    out.add("sm", p.sm.value());
    out.add("warp", p.warp.value());
    out.add("command", commands[static_cast<unsigned>(p.command) % commands.size()]);
    out.add_hex("lanes", p.lanes);
}

// ---- generic payload --------------------------------------------------------------------------

std::string request_error(const tlm::tlm_generic_payload& p) {
    if (p.get_data_length() == 0) {
        return "data length is 0; legal: at least 1";
    }
    if (p.get_streaming_width() == 0) {
        return "streaming width is 0; legal: at least 1";
    }
    if (p.get_data_ptr() == nullptr && p.get_command() != tlm::TLM_IGNORE_COMMAND) {
        return "the data pointer is null";
    }
    if (p.get_byte_enable_ptr() != nullptr && p.get_byte_enable_length() == 0) {
        return "byte enable length is 0 although there are byte enables; legal: at least 1";
    }
    if (p.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE) {
        return "response status is " + p.get_response_string() +
               " before the request; legal: TLM_INCOMPLETE_RESPONSE";
    }
    return {};
}

std::string response_error(const tlm::tlm_generic_payload& p) {
    return p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE
               ? "response status is still TLM_INCOMPLETE_RESPONSE"
               : "";
}

/// IEEE 1666-2011 14.7: everything but the address, which an interconnect may change for good.
fixed_attributes fixed(const tlm::tlm_generic_payload& p) {
    static constexpr std::array<std::string_view, 6> names{
        "command",         "data pointer",        "data length",
        "streaming width", "byte enable pointer", "byte enable length"};
    fixed_attributes fixed;
    fixed.names = names.data();
    fixed.count = names.size();
    fixed.values = {static_cast<std::uint64_t>(p.get_command()),
                    reinterpret_cast<std::uintptr_t>(p.get_data_ptr()),
                    p.get_data_length(),
                    p.get_streaming_width(),
                    reinterpret_cast<std::uintptr_t>(p.get_byte_enable_ptr()),
                    p.get_byte_enable_length()};
    return fixed;
}

namespace {

/// What is moved; null without a memory_access.
const memory_access* describe_bytes(const tlm::tlm_generic_payload& p, attribute_list& out) {
    static constexpr std::array<std::string_view, 3> commands{"read", "write", "ignore"};
    out.add("command", commands[static_cast<unsigned>(p.get_command()) % commands.size()]);
    out.add_hex("address", p.get_address());
    out.add("bytes", p.get_data_length());
    const memory_access* access = access_of(p);
    if (access != nullptr) out.add("kind", kind_name(access->kind));
    return access;
}

}  // namespace

bool of_nobody(const memory_access& access) {
    return access.launch == launch_id{} || access.kind == memory_kind::write_back;
}

void describe(const tlm::tlm_generic_payload& p, attribute_list& out) {
    const memory_access* access = describe_bytes(p, out);
    if (access == nullptr) return;
    out.add("launch", access->launch);
    out.add("sm", access->sm.value());
    if (access->kind == memory_kind::write_back) return;  // the line belongs to no block
    out.add("block", access->block);
    out.add("warp", access->warp.value());
}

std::string title(const tlm::tlm_generic_payload& p) {
    const memory_access* access = access_of(p);
    return access == nullptr ? std::string() : std::string(kind_name(access->kind));
}

std::uint64_t flow_in(const tlm::tlm_generic_payload& p) {
    const memory_access* access = access_of(p);
    return access == nullptr || of_nobody(*access) ? 0 : block_flow(access->launch, access->block);
}

// ---- memory_link ------------------------------------------------------------------------------

template <>
std::string link_rules<memory_link>::request_error(const tlm::tlm_generic_payload& p) {
    if (std::string error = protocol::request_error(p); !error.empty()) {
        return error;
    }
    const memory_access* access = access_of(p);
    if (access == nullptr) {
        return "the memory_access extension is missing";
    }
    const unsigned length = p.get_data_length();
    const std::uint64_t address = p.get_address();
    if (address % 4 != 0) {
        return illegal_value("address", address, "a multiple of 4");
    }
    if (length % 4 != 0 || length > maximum_line_bytes) {
        return illegal_value("data length", length, "a multiple of 4 up to 128");
    }
    if (address % maximum_line_bytes + length > maximum_line_bytes) {
        return "the access at " + std::to_string(address) + " crosses a line of 128 bytes";
    }
    if (p.get_streaming_width() < length) {
        return illegal_value("streaming width", p.get_streaming_width(),
                             "at least the data length");
    }
    if (p.get_byte_enable_ptr() != nullptr) {
        return "byte enables are set; legal: none, the extension's byte mask says it";
    }
    if (p.get_command() != command_of(access->kind)) {
        return "the command does not fit the kind '" + std::string(kind_name(access->kind)) + "'";
    }
    return access->kind == memory_kind::atomic ? atomic_error(*access, length)
                                               : byte_mask_error(*access, length);
}

/// Beyond the base protocol: who changes the address restores it before the response.
template <>
fixed_attributes link_rules<memory_link>::fixed(const tlm::tlm_generic_payload& p) {
    static constexpr std::array<std::string_view, 5> names{"command", "data pointer", "data length",
                                                           "streaming width", "address"};
    fixed_attributes fixed = protocol::fixed(p);
    fixed.names = names.data();
    fixed.count = names.size();
    fixed.values[4] = p.get_address();
    fixed.values[5] = 0;
    return fixed;
}

template <>
void link_rules<base_link>::describe(const tlm::tlm_generic_payload& p, attribute_list& out) {
    const memory_access* const access = access_of(p);
    if (access != nullptr && of_nobody(*access)) {
        describe_bytes(p, out);
    } else {
        protocol::describe(p, out);
    }
}

}  // namespace heddle::protocol
