// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

/// The phases of a link as data: one state machine per transaction. Checkers and recorders read it.
namespace heddle::protocol {

enum class path : std::uint8_t { forward, backward };

/// What a callee may return (bits of transition::answers).
inline constexpr std::uint8_t may_accept = 1;    ///< TLM_ACCEPTED
inline constexpr std::uint8_t may_update = 2;    ///< TLM_UPDATED with a phase of the other path
inline constexpr std::uint8_t may_complete = 4;  ///< TLM_COMPLETED: the transaction has ended

/// States of a transaction: 0 is before it, closed_state after it, between them the link's own.
inline constexpr std::uint8_t idle_state = 0;
inline constexpr std::uint8_t closed_state = 0xff;

/// In state `from`, `phase` on path `via` leads to state `to`. TLM_UPDATED with a phase counts as
/// that phase on the other path.
struct transition {
    std::uint8_t from;
    path via;
    std::uint8_t phase;
    std::uint8_t to;
    std::uint8_t answers;
    bool response;  ///< the response (status, outcome) must be set by now
};

enum class transport_style : std::uint8_t { nonblocking, blocking, either };

/// The part of a link's protocol that does not depend on its payload type.
struct rule_table {
    std::string_view link;
    const std::string_view* phases = nullptr;
    unsigned phase_count = 0;
    const std::string_view* states = nullptr;  ///< of states 1..; names of the recorder's slices
    unsigned state_count = 1;                  ///< with the idle state
    const transition* transitions = nullptr;
    unsigned transition_count = 0;
    std::uint32_t exclusive_states = 0;  ///< bit s: at most one transaction may be in state s
    transport_style style = transport_style::nonblocking;
    bool once_per_instant = false;           ///< at most one call at one time
    bool counted = true;                     ///< non-blocking payloads are held by reference counts
    std::uint8_t flow_state = closed_state;  ///< its slice starts the flow of flow_out()

    [[nodiscard]] const transition* find(std::uint8_t from, path via,
                                         unsigned phase) const noexcept;
    [[nodiscard]] bool knows(unsigned phase) const noexcept { return phase < phase_count; }
    [[nodiscard]] std::string_view phase_name(unsigned phase) const noexcept;
    [[nodiscard]] std::string_view state_name(std::uint8_t state) const noexcept;
};

/// Phase numbers that belong to no row of a table.
inline constexpr unsigned unknown_phase = std::numeric_limits<unsigned>::max();
inline constexpr unsigned ignorable_phase = unknown_phase - 1;  ///< base protocol: extended phase

/// Names of phases and of states. They must outlive the tables that are made of them.
template <std::size_t Count>
using name_list = std::array<std::string_view, Count>;

/// b_transport only. A call has no phases.
constexpr rule_table blocking_call(std::string_view link) {
    rule_table table;
    table.link = link;
    table.style = transport_style::blocking;
    return table;
}

constexpr std::uint32_t state_bit(unsigned state) {
    return std::uint32_t{1} << state;
}

template <std::size_t Phases, std::size_t States, std::size_t Transitions>
constexpr rule_table phase_table(std::string_view link, const name_list<Phases>& phases,
                                 const name_list<States>& states,
                                 const std::array<transition, Transitions>& transitions) {
    rule_table table;
    table.link = link;
    table.phases = phases.data();
    table.phase_count = Phases;
    table.states = states.data();
    table.state_count = States + 1;
    table.transitions = transitions.data();
    table.transition_count = Transitions;
    return table;
}

/// A single call.
inline constexpr std::array<transition, 1> one_call{{
    {idle_state, path::forward, 0, closed_state, may_complete, true},
}};
inline constexpr name_list<0> no_states{};

/// Request, acceptance, end. One transaction may wait for acceptance.
inline constexpr std::array<transition, 3> three_phases{{
    {idle_state, path::forward, 0, 1, may_accept | may_update, false},
    {1, path::backward, 1, 2, may_accept, false},
    {2, path::backward, 2, closed_state, may_complete, true},
}};

/// IEEE 1666-2011 15.2, tables 57 and 58. One transaction may be in its request, one in its
/// response.
inline constexpr std::array<transition, 5> four_phases{{
    {idle_state, path::forward, 0, 1, may_accept | may_update | may_complete, false},
    {1, path::backward, 1, 2, may_accept, false},
    {1, path::backward, 2, 3, may_accept | may_update | may_complete, true},
    {2, path::backward, 2, 3, may_accept | may_update | may_complete, true},
    {3, path::forward, 3, closed_state, may_accept | may_complete, false},
}};

constexpr rule_table one_call_table(std::string_view link, const name_list<1>& phases) {
    return phase_table(link, phases, no_states, one_call);
}

constexpr rule_table three_phase_table(std::string_view link, const name_list<3>& phases,
                                       const name_list<2>& states) {
    rule_table table = phase_table(link, phases, states, three_phases);
    table.exclusive_states = state_bit(1);
    return table;
}

inline constexpr name_list<3> four_phase_states{"request", "service", "response"};

constexpr rule_table four_phase_table(std::string_view link, const name_list<4>& phases) {
    rule_table table = phase_table(link, phases, four_phase_states, four_phases);
    table.exclusive_states = state_bit(1) | state_bit(3);
    return table;
}

}  // namespace heddle::protocol
