// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include "hw/protocol/base_access.h"

namespace heddle::protocol {

namespace {

constexpr name_list<4> base_protocol_phases{"BEGIN_REQ", "END_REQ", "BEGIN_RESP", "END_RESP"};

bool made_by_l2(const tlm::tlm_generic_payload& p) {
    const memory_access* const access = access_of(p);
    return access != nullptr && of_nobody(*access);
}

}  // namespace

const rule_table& link_rules<base_link>::table() {
    static constexpr rule_table table = [] {
        rule_table t = four_phase_table("base_protocol", base_protocol_phases);
        t.style = transport_style::either;
        return t;
    }();
    return table;
}

unsigned link_rules<base_link>::phase_number(const tlm::tlm_phase& phase) {
    const unsigned id = phase;
    if (id == tlm::UNINITIALIZED_PHASE) return unknown_phase;
    return id <= tlm::END_RESP ? id - 1 : ignorable_phase;
}

/// IEEE 1666-2011 14.7: everything but the address, which an interconnect may change for good.
fixed_attributes link_rules<base_link>::fixed(const tlm::tlm_generic_payload& p) {
    static constexpr name_list<6> names{
        "command",         "data pointer",        "data length",
        "streaming width", "byte enable pointer", "byte enable length"};
    return fix(names,
               {static_cast<std::uint64_t>(p.get_command()),
                reinterpret_cast<std::uintptr_t>(p.get_data_ptr()), p.get_data_length(),
                p.get_streaming_width(), reinterpret_cast<std::uintptr_t>(p.get_byte_enable_ptr()),
                p.get_byte_enable_length()});
}

void link_rules<base_link>::describe(const tlm::tlm_generic_payload& p, attribute_list& out) {
    if (made_by_l2(p)) {
        describe_bytes(p, out);
    } else {
        generic_payload_rules::describe(p, out);
    }
}

std::optional<sm_id> link_rules<base_link>::accessing_sm(const tlm::tlm_generic_payload& p) {
    return made_by_l2(p) ? std::nullopt : generic_payload_rules::accessing_sm(p);
}

}  // namespace heddle::protocol
