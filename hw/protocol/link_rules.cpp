// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include "hw/protocol/link_rules.h"

#include <charconv>

namespace heddle::protocol {

const transition* rule_table::find(std::uint8_t from, path via, unsigned phase) const noexcept {
    for (unsigned i = 0; i < transition_count; ++i) {
        const transition& t = transitions[i];
        if (t.from == from && t.via == via && t.phase == phase) {
            return &t;
        }
    }
    return nullptr;
}

std::string_view rule_table::phase_name(unsigned phase) const noexcept {
    return phase < phase_count ? phases[phase] : std::string_view("unknown");
}

std::string_view rule_table::state_name(std::uint8_t state) const noexcept {
    if (state == idle_state) {
        return "idle";
    }
    return state < state_count ? states[state - 1] : std::string_view("closed");
}

void attribute_list::add_key(std::string_view key) {
    if (!first_) {
        out_ += style_ == style::text ? ", " : ",";
    }
    first_ = false;
    if (style_ == style::json) {
        out_ += '"';
    }
    out_ += key;
    out_ += style_ == style::json ? "\":" : " ";
}

void attribute_list::add(std::string_view key, std::uint64_t value) {
    add_key(key);
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    out_.append(digits.data(), end.ptr);
}

void attribute_list::add_hex(std::string_view key, std::uint64_t value) {
    add_key(key);
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16);
    const std::string_view quote = style_ == style::json ? "\"" : "";
    out_.append(quote).append("0x").append(digits.data(), end.ptr).append(quote);
}

void attribute_list::add(std::string_view key, std::string_view value) {
    add_key(key);
    if (style_ == style::text) {
        out_.append("'").append(value).append("'");
        return;
    }
    out_ += '"';
    append_json(out_, value);
    out_ += '"';
}

void attribute_list::add(std::string_view key, launch_id launch) {
    if (launch.by_host()) return add(key, std::uint64_t{launch.count()});
    add(key, std::string_view(to_text(launch)));
}

void append_json(std::string& out, std::string_view text) {
    constexpr std::string_view hex = "0123456789abcdef";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20) {
            out.append("\\u00").append(1, hex[byte >> 4]).append(1, hex[byte & 15]);
        } else {
            out += c;
        }
    }
}

std::string illegal_value(std::string_view what, std::uint64_t value, std::string_view legal) {
    return std::string(what) + " is " + std::to_string(value) + "; legal: " + std::string(legal);
}

namespace {

constexpr std::uint32_t state_bit(unsigned state) {
    return std::uint32_t{1} << state;
}

template <std::size_t Phases, std::size_t States, std::size_t Transitions>
constexpr rule_table make_table(std::string_view link,
                                const std::array<std::string_view, Phases>& phases,
                                const std::array<std::string_view, States>& states,
                                const std::array<transition, Transitions>& transitions) {
    return {link,
            phases.data(),
            Phases,
            states.data(),
            States + 1,
            transitions.data(),
            Transitions,
            0,
            transport_style::nonblocking,
            false,
            true,
            closed_state};
}

/// Request, acceptance, end: launches and blocks. One transaction may wait for acceptance.
constexpr std::array<transition, 3> three_phases{{
    {idle_state, path::forward, 0, 1, may_accept | may_update, false},
    {1, path::backward, 1, 2, may_accept, false},
    {2, path::backward, 2, closed_state, may_complete, true},
}};

/// A single call.
constexpr std::array<transition, 1> one_call{{
    {idle_state, path::forward, 0, closed_state, may_complete, true},
}};

/// IEEE 1666-2011 15.2, tables 57 and 58.
constexpr std::array<transition, 5> four_phases{{
    {idle_state, path::forward, 0, 1, may_accept | may_update | may_complete, false},
    {1, path::backward, 1, 2, may_accept, false},
    {1, path::backward, 2, 3, may_accept | may_update | may_complete, true},
    {2, path::backward, 2, 3, may_accept | may_update | may_complete, true},
    {3, path::forward, 3, closed_state, may_accept | may_complete, false},
}};
constexpr std::array<std::string_view, 3> four_phase_states{"request", "service", "response"};

constexpr std::array<std::string_view, 3> launch_phases{"request", "accepted", "completed"};
constexpr std::array<std::string_view, 2> launch_states{"requested", "pending"};
constexpr std::array<std::string_view, 1> kde_phases{"update"};
constexpr std::array<std::string_view, 3> block_phases{"dispatch", "started", "done"};
constexpr std::array<std::string_view, 2> block_states{"dispatched", "running"};
constexpr std::array<std::string_view, 1> warp_phases{"select"};
constexpr std::array<std::string_view, 4> memory_phases{"begin_request", "end_request",
                                                        "begin_response", "end_response"};
constexpr std::array<std::string_view, 4> base_phases{"BEGIN_REQ", "END_REQ", "BEGIN_RESP",
                                                      "END_RESP"};
constexpr std::array<std::string_view, 0> no_names{};
constexpr std::array<transition, 0> no_transitions{};

constexpr rule_table three_phase_table(std::string_view link,
                                       const std::array<std::string_view, 3>& phases,
                                       const std::array<std::string_view, 2>& states) {
    rule_table table = make_table(link, phases, states, three_phases);
    table.exclusive_states = state_bit(1);
    return table;
}

constexpr rule_table four_phase_table(std::string_view link,
                                      const std::array<std::string_view, 4>& phases) {
    rule_table table = make_table(link, phases, four_phase_states, four_phases);
    table.exclusive_states = state_bit(1) | state_bit(3);
    return table;
}

}  // namespace

template <>
const rule_table& link_rules<launch_link>::table() {
    static constexpr rule_table table = [] {
        rule_table t = three_phase_table("launch", launch_phases, launch_states);
        t.flow_state = 1;
        return t;
    }();
    return table;
}

template <>
const rule_table& link_rules<kernel_dispatch_link>::table() {
    static constexpr rule_table table =
        three_phase_table("kernel_dispatch", launch_phases, launch_states);
    return table;
}

template <>
const rule_table& link_rules<kde_link>::table() {
    static constexpr rule_table table = make_table("kde_update", kde_phases, no_names, one_call);
    return table;
}

template <>
const rule_table& link_rules<block_link>::table() {
    static constexpr rule_table table = [] {
        rule_table t = three_phase_table("block_dispatch", block_phases, block_states);
        t.flow_state = 2;
        return t;
    }();
    return table;
}

template <>
const rule_table& link_rules<warp_link>::table() {
    static constexpr rule_table table = [] {
        rule_table t = make_table("warp_issue", warp_phases, no_names, one_call);
        t.once_per_instant = true;
        t.counted = false;
        return t;
    }();
    return table;
}

template <>
const rule_table& link_rules<local_link>::table() {
    static constexpr rule_table table = [] {
        rule_table t = make_table("local_access", no_names, no_names, no_transitions);
        t.style = transport_style::blocking;
        return t;
    }();
    return table;
}

template <>
const rule_table& link_rules<memory_link>::table() {
    static constexpr rule_table table = four_phase_table("memory_access", memory_phases);
    return table;
}

template <>
const rule_table& link_rules<base_link>::table() {
    static constexpr rule_table table = [] {
        rule_table t = four_phase_table("base_protocol", base_phases);
        t.style = transport_style::either;
        return t;
    }();
    return table;
}

template <>
unsigned link_rules<base_link>::phase_number(const tlm::tlm_phase& phase) {
    const unsigned id = phase;
    if (id == tlm::UNINITIALIZED_PHASE) {
        return unknown_phase;
    }
    return id <= tlm::END_RESP ? id - 1 : ignorable_phase;
}

}  // namespace heddle::protocol
