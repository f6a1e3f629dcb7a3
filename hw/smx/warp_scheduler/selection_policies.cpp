// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/warp_scheduler/selection_policies.h"

#include <array>
#include <ostream>
#include <string>
#include <utility>

#include "hw/smx/warp_scheduler/greedy_then_oldest.h"
#include "hw/smx/warp_scheduler/loose_round_robin.h"
#include "models/base/error.h"

namespace heddle {

namespace {

template <class Policy>
std::unique_ptr<warp_selection> make() {
    return std::make_unique<warp_selection_of<Policy>>();
}

struct selection_policy_entry {
    selection_policy policy;
    const char* name;  ///< the value of `smx.scheduler`
    const char* description;
    std::unique_ptr<warp_selection> (*make)();
    bool follows_smx;
};

template <class Policy>
constexpr selection_policy_entry entry(selection_policy policy, const char* name,
                                       const char* description) {
    return {policy, name, description, make<Policy>, Policy::follows_smx};
}

/// A new policy is a new header and a line here (and its name in the enumeration).
constexpr std::array policies{
    entry<loose_round_robin>(selection_policy::lrr, "lrr",
                             "loose round robin by warp slot, from the last issued warp on"),
    entry<greedy_then_oldest>(
        selection_policy::gto, "gto",
        "greedy, then oldest: the last issued warp until it stalls, then by age"),
};

template <std::size_t... I>
choices<selection_policy> names_of(std::index_sequence<I...>) {
    return {{policies[I].name, policies[I].policy}...};
}

/// What the key says, beside the names.
std::string description() {
    std::string text = "Picks the warp that issues:";
    for (const selection_policy_entry& entry : policies) {
        text += std::string(&entry == policies.data() ? " " : "; ") + entry.name + " = " +
                entry.description;
    }
    return text;
}

const choices<scheduler_implementation>& implementation_names() {
    static const choices<scheduler_implementation> names{{"tlm", scheduler_implementation::tlm}};
    return names;
}

const selection_policy_entry& entry_of(selection_policy policy) {
    for (const selection_policy_entry& entry : policies) {
        if (entry.policy == policy) {
            return entry;
        }
    }
    throw configuration_error("smx.scheduler: this build has no policy number " +
                              std::to_string(static_cast<unsigned>(policy)));
}

}  // namespace

void warp_scheduler_configuration::declare(parameter_list& p) {
    p.add("scheduler", scheduler, names_of(std::make_index_sequence<policies.size()>{}),
          description());
}

void warp_scheduler_slot_configuration::declare(parameter_list& p) {
    p.add("warp_scheduler", implementation, implementation_names(),
          "What carries out the selection of warps");
}

bool follows_smx(selection_policy policy) {
    return entry_of(policy).follows_smx;
}

const char* policy_name(selection_policy policy) {
    return entry_of(policy).name;
}

std::unique_ptr<warp_selection> make_warp_selection(
    const warp_scheduler_configuration& configuration, const slot_context& context) {
    slot_registry<warp_selection_traits> registry;
    const selection_policy_entry& entry = entry_of(configuration.scheduler);
    registry.add("tlm", [&entry](const slot_context&) { return entry.make(); });
    return registry.make(implementation_names().name(configuration.slot.implementation), context);
}

std::ostream& operator<<(std::ostream& out, const warp_selection_traits::inputs& in) {
    const std::ios_base::fmtflags flags = out.flags();
    out << std::hex << "{resident 0x" << in.resident << ", ready 0x" << in.ready << ", issuable 0x"
        << in.issuable << ", memory 0x" << in.memory << ", long_latency 0x" << in.long_latency
        << ", memory_done 0x" << in.memory_done << ", started 0x" << in.started << "}";
    out.flags(flags);
    return out;
}

std::ostream& operator<<(std::ostream& out, const warp_selection_traits::outputs& got) {
    if (!got.valid) {
        return out << "{none}";
    }
    return out << "{warp " << unsigned{got.warp} << "}";
}

}  // namespace heddle
