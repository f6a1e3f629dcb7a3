// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/protocol/link.h"
#include "hw/protocol/rule_table.h"

/// What a checker and a recorder know of a link: link_rules<Link>. It stands next to the link, in
/// the header and the source of its payload. A link without link_rules can't be observed; it does
/// not compile.
namespace heddle::protocol {

/// Appends a payload's attributes as text ("launch 3, sm 1"), as JSON members, or as the fields of
/// a link_trace ("launch=3 sm=1").
class attribute_list {
public:
    enum class style : std::uint8_t { text, json, fields };
    attribute_list(std::string& out, style how) : out_(out), style_(how) {}

    void add(std::string_view key, std::uint64_t value);
    void add_hex(std::string_view key, std::uint64_t value);
    /// Byte 0 in the lowest bits.
    void add_hex(std::string_view key, const std::uint8_t* bytes, std::size_t count);
    void add(std::string_view key, std::string_view value);
    /// A number for a launch by the host, as text for others.
    void add(std::string_view key, launch_id launch);

private:
    void add_key(std::string_view key);
    [[nodiscard]] std::string_view quote() const {
        return style_ == style::json ? "\"" : std::string_view();
    }

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

template <std::size_t Count>
fixed_attributes fix(const name_list<Count>& names,
                     const std::array<std::uint64_t, Count>& values) {
    static_assert(Count <= maximum_fixed_attributes);
    fixed_attributes fixed;
    fixed.names = names.data();
    fixed.count = Count;
    for (std::size_t i = 0; i < Count; ++i) fixed.values[i] = values[i];
    return fixed;
}

/// Flow ids connect slices of the recorders: a launch to its blocks, a block to its accesses.
constexpr std::uint64_t launch_flow(launch_id launch) noexcept {
    return std::uint64_t{launch.value()} << 32;
}
constexpr std::uint64_t block_flow(launch_id launch, std::uint32_t block) noexcept {
    return launch_flow(launch) | (std::uint64_t{block} + 1);
}

/// The rules of a link: a class derived from usual_rules. It has
/// @code
///   static const rule_table& table();
///   /// Empty if the payload may be sent, else what is wrong and what would be legal.
///   static std::string request_error(const payload&);
///   /// Empty if the answer is complete, else what is missing.
///   static std::string response_error(const payload&);
///   static fixed_attributes fixed(const payload&);
///   static void describe(const payload&, attribute_list&);
/// @endcode
/// and hides what differs from usual_rules.
template <typename Link>
struct link_rules;

/// For links whose phases are an enumeration and whose payloads are pooled.
template <typename Payload>
struct usual_rules {
    /// The link carries the many transactions of instructions, not launches and blocks.
    static constexpr bool carries_accesses = false;

    /// Place of the phase in the table; unknown_phase or ignorable_phase for those without a place.
    template <typename Phase>
    static unsigned phase_number(const Phase& phase) {
        return static_cast<unsigned>(phase);
    }
    /// References that are held on a payload; 0 also without a memory manager.
    static unsigned references(const Payload& p) { return p.reference_count(); }
    /// The name of the payload's slice in a timeline; empty: the link's name.
    static std::string title(const Payload&) { return {}; }
    /// The name of an instant that a phase behind the first one is in a timeline; empty: it is
    /// none.
    template <typename Phase>
    static std::string instant(const Payload&, Phase) {
        return {};
    }
    /// Flow that ends at the payload's slice; 0 = none.
    static std::uint64_t flow_in(const Payload&) { return 0; }
    /// Flow that starts at the payload's slice; 0 = none.
    static std::uint64_t flow_out(const Payload&) { return 0; }
    /// Beside flow_out(), of a transaction that starts several.
    static std::vector<std::uint64_t> further_flows(const Payload&) { return {}; }
    /// False for calls that a recorder leaves out.
    static bool recorded(const Payload&) { return true; }
    /// Beside describe(), for a link_trace. `answered`: the payload has its response.
    static void detail(const Payload&, bool /*answered*/, attribute_list&) {}
    /// The SMX whose access the transaction is.
    static std::optional<sm_id> accessing_sm(const Payload&) { return std::nullopt; }
};

}  // namespace heddle::protocol
