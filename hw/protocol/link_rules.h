// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "hw/base/pool.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/kde_update.h"
#include "hw/protocol/kernel_launch.h"
#include "hw/protocol/local_access.h"
#include "hw/protocol/memory_access.h"
#include "hw/protocol/warp_issue.h"

/// The protocol of each link as data: one state machine per transaction. Checkers and recorders
/// read it. A new link needs a new table, not a new checker.
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
    const std::string_view* phases;
    unsigned phase_count;
    const std::string_view* states;  ///< names of states 1..; names of the recorder's slices
    unsigned state_count;            ///< with the idle state
    const transition* transitions;
    unsigned transition_count;
    std::uint32_t exclusive_states;  ///< bit s: at most one transaction may be in state s
    transport_style style;
    bool once_per_instant;    ///< at most one call at one time
    bool counted;             ///< non-blocking payloads are held by reference counts
    std::uint8_t flow_state;  ///< the state whose slice starts the flow of flow_out()

    [[nodiscard]] const transition* find(std::uint8_t from, path via,
                                         unsigned phase) const noexcept;
    [[nodiscard]] std::string_view phase_name(unsigned phase) const noexcept;
    [[nodiscard]] std::string_view state_name(std::uint8_t state) const noexcept;
};

/// Values of link_rules::phase_number that belong to no row of the table.
inline constexpr unsigned unknown_phase = std::numeric_limits<unsigned>::max();
inline constexpr unsigned ignorable_phase = unknown_phase - 1;  ///< base protocol: extended phase

/// Appends a payload's attributes as text ("launch 3, sm 1") or as JSON members.
class attribute_list {
public:
    enum class style : std::uint8_t { text, json };
    attribute_list(std::string& out, style how) : out_(out), style_(how) {}

    void add(std::string_view key, std::uint64_t value);
    void add_hex(std::string_view key, std::uint64_t value);
    void add(std::string_view key, std::string_view value);
    /// A number for a launch by the host, as text for others.
    void add(std::string_view key, launch_id launch);

private:
    void add_key(std::string_view key);

    std::string& out_;
    style style_;
    bool first_ = true;
};

/// Appends `text` with JSON's escapes.
void append_json(std::string& out, std::string_view text);

/// "WHAT is VALUE; legal: LEGAL".
std::string illegal_value(std::string_view what, std::uint64_t value, std::string_view legal);

/// Attributes that must not change while the transaction is under way.
inline constexpr unsigned maximum_fixed_attributes = 8;
struct fixed_attributes {
    std::array<std::uint64_t, maximum_fixed_attributes> values{};
    const std::string_view* names = nullptr;
    unsigned count = 0;
};

/// Flow ids connect slices of the recorders: a launch to its blocks, a block to its accesses.
constexpr std::uint64_t launch_flow(launch_id launch) noexcept {
    return std::uint64_t{launch.value()} << 32;
}
constexpr std::uint64_t block_flow(launch_id launch, std::uint32_t block) noexcept {
    return launch_flow(launch) | (std::uint64_t{block} + 1);
}

/// Rules and views of the payload types.
/// request_error: empty if the payload may be sent, else what is wrong and what would be legal.
std::string request_error(const kernel_launch& payload);
std::string request_error(const kde_update& payload);
std::string request_error(const block_dispatch& payload);
std::string request_error(const warp_cycle& payload);
std::string request_error(const local_access& payload);
std::string request_error(const tlm::tlm_generic_payload& payload);

/// Empty if the answer is complete, else what is missing.
std::string response_error(const kernel_launch& payload);
std::string response_error(const kde_update& payload);
std::string response_error(const block_dispatch& payload);
std::string response_error(const warp_cycle& payload);
std::string response_error(const local_access& payload);
std::string response_error(const tlm::tlm_generic_payload& payload);

fixed_attributes fixed(const kernel_launch& payload);
fixed_attributes fixed(const kde_update& payload);
fixed_attributes fixed(const block_dispatch& payload);
fixed_attributes fixed(const warp_cycle& payload);
fixed_attributes fixed(const local_access& payload);
fixed_attributes fixed(const tlm::tlm_generic_payload& payload);

void describe(const kernel_launch& payload, attribute_list& out);
void describe(const kde_update& payload, attribute_list& out);
void describe(const block_dispatch& payload, attribute_list& out);
void describe(const warp_cycle& payload, attribute_list& out);
void describe(const local_access& payload, attribute_list& out);
void describe(const tlm::tlm_generic_payload& payload, attribute_list& out);

/// The name of the payload's slice in a timeline; empty: the link's name.
template <typename Payload>
std::string title(const Payload&) {
    return {};
}
std::string title(const kernel_launch& payload);
std::string title(const block_dispatch& payload);
std::string title(const tlm::tlm_generic_payload& payload);

/// Flow that ends at the payload's slice; 0 = none.
template <typename Payload>
std::uint64_t flow_in(const Payload&) {
    return 0;
}
std::uint64_t flow_in(const kernel_launch& payload);
std::uint64_t flow_in(const block_dispatch& payload);
/// A line that L2 writes back or completes. A line that L1 writes back belongs to no block.
bool of_nobody(const memory_access& access);
std::uint64_t flow_in(const tlm::tlm_generic_payload& payload);

/// Flow that starts at the payload's slice; 0 = none.
template <typename Payload>
std::uint64_t flow_out(const Payload&) {
    return 0;
}
std::uint64_t flow_out(const kernel_launch& payload);
std::uint64_t flow_out(const block_dispatch& payload);

/// False for calls that a recorder leaves out (a cycle without an issue).
template <typename Payload>
bool recorded(const Payload&) {
    return true;
}
bool recorded(const warp_cycle& payload);

/// References that are held on a payload; 0 also without a memory manager.
template <typename Payload>
unsigned references(const Payload& payload) {
    return payload.reference_count();
}
inline unsigned references(const tlm::tlm_generic_payload& payload) {
    return payload.has_mm() ? static_cast<unsigned>(payload.get_ref_count()) : 0;
}
inline unsigned references(const warp_cycle&) {
    return 1;
}  // one object for the whole run

/// Rules of a link: its table, and where they differ from its payload's rules, its own.
template <typename Link>
struct link_rules {
    using payload_type = typename Link::tlm_payload_type;
    using phase_type = typename Link::tlm_phase_type;

    static const rule_table& table();
    static unsigned phase_number(const phase_type& phase) {
        const auto number = static_cast<unsigned>(phase);
        return number < table().phase_count ? number : unknown_phase;
    }
    static std::string request_error(const payload_type& payload) {
        return protocol::request_error(payload);
    }
    static fixed_attributes fixed(const payload_type& payload) { return protocol::fixed(payload); }
    static void describe(const payload_type& payload, attribute_list& out) {
        protocol::describe(payload, out);
    }
    static std::uint64_t flow_in(const payload_type& payload) { return protocol::flow_in(payload); }
    static std::uint64_t flow_out(const payload_type& payload) {
        return protocol::flow_out(payload);
    }
};

template <>
const rule_table& link_rules<launch_link>::table();
template <>
const rule_table& link_rules<kernel_dispatch_link>::table();
template <>
const rule_table& link_rules<kde_link>::table();
template <>
const rule_table& link_rules<block_link>::table();
template <>
const rule_table& link_rules<warp_link>::table();
template <>
const rule_table& link_rules<local_link>::table();
template <>
const rule_table& link_rules<memory_link>::table();
template <>
const rule_table& link_rules<base_link>::table();
/// The launch reaches the Kernel Distributor: its flow comes from the launch link.
template <>
inline std::uint64_t link_rules<kernel_dispatch_link>::flow_in(const kernel_launch& payload) {
    return launch_flow(payload.launch);
}
template <>
inline std::uint64_t link_rules<kernel_dispatch_link>::flow_out(const kernel_launch&) {
    return 0;
}
template <>
unsigned link_rules<base_link>::phase_number(const tlm::tlm_phase& phase);
/// Transactions that L2 makes by itself have no SMX.
template <>
void link_rules<base_link>::describe(const tlm::tlm_generic_payload&, attribute_list&);
template <>
std::string link_rules<memory_link>::request_error(const tlm::tlm_generic_payload&);
template <>
fixed_attributes link_rules<memory_link>::fixed(const tlm::tlm_generic_payload&);

}  // namespace heddle::protocol
