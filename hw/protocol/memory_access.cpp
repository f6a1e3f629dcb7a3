// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include "hw/protocol/memory_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "hw/protocol/byte_mask.h"
#include "models/base/bits.h"

namespace heddle::protocol {

void memory_access::clear() noexcept {
    launch = {};
    sm = {};
    warp = {};
    slot = {};
    block = 0;
    kind = memory_kind::load;
    bypass_l1 = false;
    operation = isa::opcode::illegal;
    atomic_count = 0;  // entries beyond the count are never looked at
    byte_mask = {};
    times = {};
}

namespace {

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

/// A clone belongs to the payload that it was copied into, unlike the original, which is a member
/// of its memory_transaction and must not be deleted.
struct owned_memory_access final : memory_access {
    void free() override { delete this; }
};

}  // namespace

tlm::tlm_extension_base* memory_access::clone() const {
    auto* copy = new owned_memory_access;
    copy->copy_from(*this);
    return copy;
}

void memory_access::copy_from(const tlm::tlm_extension_base& other) {
    *this = static_cast<const memory_access&>(other);
}

void memory_access::free() {}

memory_transaction::memory_transaction() {
    set_extension(&access_);
    reset();
}

memory_transaction::~memory_transaction() {
    clear_extension(&access_);  // before the base class would free a member that is gone
}

void memory_transaction::reset() {
    tlm_generic_payload::reset();
    access_.clear();
    prepare(memory_kind::load, 0, 0);
}

void memory_transaction::prepare(memory_kind kind, std::uint64_t address, unsigned length) {
    set_command(command_of(kind));
    set_address(address);
    set_data_ptr(data_.data());
    set_data_length(length);
    set_streaming_width(length);
    set_byte_enable_ptr(nullptr);
    set_byte_enable_length(0);
    set_dmi_allowed(false);
    set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    access_.kind = kind;
    for (unsigned word = 0; word < access_.byte_mask.size(); ++word) {
        access_.byte_mask[word] = bits::below(length > 64 * word ? length - 64 * word : 0);
    }
}

namespace {

/// Byte enables of four bytes, by their bits in a mask.
constexpr std::array<std::array<std::uint8_t, 4>, 16> enables_of = [] {
    std::array<std::array<std::uint8_t, 4>, 16> all{};
    for (unsigned bits = 0; bits < 16; ++bits) {
        for (unsigned byte = 0; byte < 4; ++byte) {
            all[bits][byte] = (bits >> byte & 1U) != 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
        }
    }
    return all;
}();

}  // namespace

void memory_transaction::apply_byte_enables() {
    const unsigned length = get_data_length();
    if (heddle::byte_mask{access_.byte_mask}.covers(heddle::byte_mask::bytes(0, length))) {
        set_byte_enable_ptr(nullptr);
        set_byte_enable_length(0);
        return;
    }
    for (unsigned byte = 0; byte < length; byte += 4) {
        const std::uint64_t bits = access_.byte_mask[byte / 64] >> (byte % 64) & 0xfU;
        std::memcpy(&byte_enables_[byte], enables_of[bits].data(), 4);
    }
    set_byte_enable_ptr(byte_enables_.data());
    set_byte_enable_length(length);
}

// ---- rules ------------------------------------------------------------------------------------

namespace {

std::string_view kind_name(memory_kind kind) {
    static constexpr name_list<5> names{"load", "store", "atomic", "instruction_fetch",
                                        "write_back"};
    return names[static_cast<unsigned>(kind) % names.size()];
}

}  // namespace

bool of_nobody(const memory_access& access) {
    return access.launch == launch_id{} || access.kind == memory_kind::write_back;
}

unsigned generic_payload_rules::references(const tlm::tlm_generic_payload& p) {
    return p.has_mm() ? static_cast<unsigned>(p.get_ref_count()) : 0;
}

const memory_access* generic_payload_rules::describe_bytes(const tlm::tlm_generic_payload& p,
                                                           attribute_list& out) {
    static constexpr name_list<3> commands{"read", "write", "ignore"};
    out.add("command", commands[static_cast<unsigned>(p.get_command()) % commands.size()]);
    out.add_hex("address", p.get_address());
    out.add("bytes", p.get_data_length());
    const memory_access* access = access_of(p);
    if (access != nullptr) out.add("kind", kind_name(access->kind));
    return access;
}

std::string generic_payload_rules::request_error(const tlm::tlm_generic_payload& p) {
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

std::string generic_payload_rules::response_error(const tlm::tlm_generic_payload& p) {
    return p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE
               ? "response status is still TLM_INCOMPLETE_RESPONSE"
               : "";
}

void generic_payload_rules::describe(const tlm::tlm_generic_payload& p, attribute_list& out) {
    const memory_access* access = describe_bytes(p, out);
    if (access == nullptr) return;
    out.add("launch", access->launch);
    out.add("sm", access->sm.value());
    if (access->kind == memory_kind::write_back) return;  // the line belongs to no block
    out.add("block", access->block);
    out.add("warp", access->warp.value());
}

namespace {

/// LANE:OFFSET:OPERAND:COMPARE of each lane, with :RESULT once it is known; hexadecimal but the
/// lane.
std::string atomics_text(const memory_access& access, bool answered) {
    std::string text;
    for (unsigned i = 0; i < access.atomic_count; ++i) {
        const lane_atomic& a = access.atomics[i];
        text += fmt::format("{}{}:{:x}:{:x}:{:x}", i == 0 ? "" : ",", a.lane, a.offset, a.operand,
                            a.compare);
        if (answered) text += fmt::format(":{:x}", a.result);
    }
    return text;
}

/// Enabled bytes, a bit each.
std::array<std::uint8_t, maximum_line_bytes / 8> enabled_bytes(const tlm::tlm_generic_payload& p,
                                                               const memory_access* access) {
    std::array<std::uint8_t, maximum_line_bytes / 8> mask{};
    const unsigned length = std::min(p.get_data_length(), maximum_line_bytes);
    const std::uint8_t* const enables = p.get_byte_enable_ptr();
    for (unsigned byte = 0; byte < length; ++byte) {
        const bool enabled = enables != nullptr
                                 ? enables[byte % p.get_byte_enable_length()] == TLM_BYTE_ENABLED
                                 : access == nullptr || access->byte_enabled(byte);
        if (enabled) mask[byte / 8] |= static_cast<std::uint8_t>(1U << byte % 8);
    }
    return mask;
}

}  // namespace

void generic_payload_rules::detail(const tlm::tlm_generic_payload& p, bool answered,
                                   attribute_list& out) {
    const memory_access* const access = access_of(p);
    const auto mask = enabled_bytes(p, access);
    out.add_hex("mask", mask.data(), mask.size());
    if (answered) out.add("response", std::string_view(p.get_response_string()));
    if (access != nullptr && access->kind == memory_kind::atomic) {
        out.add("operation", std::string_view(isa::mnemonic(access->operation)));
        out.add("atomics", std::string_view(atomics_text(*access, answered)));
    } else if (p.get_data_ptr() != nullptr && answered == p.is_read()) {
        out.add_hex("data", p.get_data_ptr(), p.get_data_length());
    }
}

std::string generic_payload_rules::title(const tlm::tlm_generic_payload& p) {
    const memory_access* access = access_of(p);
    return access == nullptr ? std::string() : std::string(kind_name(access->kind));
}

std::uint64_t generic_payload_rules::flow_in(const tlm::tlm_generic_payload& p) {
    const memory_access* access = access_of(p);
    return access == nullptr || of_nobody(*access) ? 0 : block_flow(access->launch, access->block);
}

std::optional<sm_id> generic_payload_rules::accessing_sm(const tlm::tlm_generic_payload& p) {
    const memory_access* const access = access_of(p);
    return access == nullptr ? std::nullopt : std::optional(access->sm);
}

namespace {

constexpr name_list<4> memory_access_phases{"begin_request", "end_request", "begin_response",
                                            "end_response"};

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

const rule_table& link_rules<memory_link>::table() {
    static constexpr rule_table table = four_phase_table("memory_access", memory_access_phases);
    return table;
}

std::string link_rules<memory_link>::request_error(const tlm::tlm_generic_payload& p) {
    if (std::string error = generic_payload_rules::request_error(p); !error.empty()) {
        return error;
    }
    const memory_access* access = p.get_extension<memory_access>();  // what the sender has set
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
fixed_attributes link_rules<memory_link>::fixed(const tlm::tlm_generic_payload& p) {
    static constexpr name_list<5> names{"command", "data pointer", "data length", "streaming width",
                                        "address"};
    return fix(names, {static_cast<std::uint64_t>(p.get_command()),
                       reinterpret_cast<std::uintptr_t>(p.get_data_ptr()), p.get_data_length(),
                       p.get_streaming_width(), p.get_address()});
}

}  // namespace heddle::protocol
