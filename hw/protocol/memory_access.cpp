// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include "hw/protocol/memory_access.h"

#include <algorithm>

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
    switch (kind) {
        case memory_kind::load:
        case memory_kind::instruction_fetch:
            set_command(tlm::TLM_READ_COMMAND);
            break;
        case memory_kind::store:
        case memory_kind::write_back:
            set_command(tlm::TLM_WRITE_COMMAND);
            break;
        case memory_kind::atomic:
            set_command(tlm::TLM_IGNORE_COMMAND);
            break;
    }
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
        const unsigned bits = length > 64 * word ? std::min(64U, length - 64 * word) : 0;
        access_.byte_mask[word] = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    }
}

void memory_transaction::apply_byte_enables() {
    bool all = true;
    for (unsigned byte = 0; byte < get_data_length(); ++byte) {
        const bool enabled = access_.byte_enabled(byte);
        byte_enables_[byte] = enabled ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
        all = all && enabled;
    }
    set_byte_enable_ptr(all ? nullptr : byte_enables_.data());
    set_byte_enable_length(all ? 0 : get_data_length());
}

}  // namespace heddle::protocol
