// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/warp_scheduler/selection_policies.h"

#include <array>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

#include "hw/smx/warp_scheduler/cache_conscious.h"
#include "hw/smx/warp_scheduler/greedy_then_oldest.h"
#include "hw/smx/warp_scheduler/loose_round_robin.h"
#include "hw/smx/warp_scheduler/memory_then_oldest.h"
#include "hw/smx/warp_scheduler/memory_then_recent.h"
#include "hw/smx/warp_scheduler/memory_then_round_robin.h"
#include "hw/smx/warp_scheduler/two_level.h"
#include "models/base/error.h"

namespace heddle {

namespace {

template <class Policy>
std::unique_ptr<warp_selection> make(const selection_setting& setting) {
    if constexpr (std::is_constructible_v<Policy, const selection_setting&>) {
        return std::make_unique<warp_selection_of<Policy>>(Policy(setting));
    } else {
        return std::make_unique<warp_selection_of<Policy>>(Policy());
    }
}

template <class Policy>
constexpr selection_policy_entry entry(selection_policy policy) {
    return {policy,
            Policy::name,
            Policy::description,
            make<Policy>,
            Policy::classification,
            Policy::victim_tags,
            Policy::follows_smx,
            Policy::shows_queues,
            Policy::shows_recency};
}

/// A new policy is a new header and a line here (and its name in the enumeration).
constexpr std::array policies{
    entry<loose_round_robin>(selection_policy::lrr),
    entry<greedy_then_oldest>(selection_policy::gto),
    entry<memory_then_oldest>(selection_policy::mto),
    entry<memory_then_round_robin>(selection_policy::motrr),
    entry<memory_then_recent>(selection_policy::motrr_recency),
    entry<two_level>(selection_policy::two_level),
    entry<cache_conscious>(selection_policy::ccws),
};

template <std::size_t... I>
choices<selection_policy> names_of(std::index_sequence<I...>) {
    return {{policies[I].name, policies[I].policy}...};
}

/// What the key says, beside the names.
std::string description() {
    std::string text = "Picks the warp that issues:";
    const char* between = " ";
    for (const selection_policy_entry& each : policies) {
        text += std::string(between) + each.name + " = " + each.description;
        between = "; ";
    }
    return text;
}

}  // namespace

const std::vector<selection_policy_entry>& selection_policies() {
    static const std::vector<selection_policy_entry> all(policies.begin(), policies.end());
    return all;
}

const selection_policy_entry& entry_of(selection_policy policy) {
    for (const selection_policy_entry& each : policies) {
        if (each.policy == policy) return each;
    }
    throw configuration_error("smx.scheduler: this build has no policy number " +
                              std::to_string(static_cast<unsigned>(policy)));
}

void warp_scheduler_configuration::declare(parameter_list& p) {
    p.add("scheduler", scheduler, names_of(std::make_index_sequence<policies.size()>{}),
          description());
    p.add("scheduler_assignment", assignment,
          {{"modulo", scheduler_assignment::modulo},
           {"contiguous", scheduler_assignment::contiguous}},
          "Which scheduler a warp slot belongs to: modulo = slot modulo the number of schedulers, "
          "contiguous = equal shares of neighbouring slots");
}

void motrr_configuration::declare(parameter_list& p) {
    p.add("classify", classify,
          {{"opcode", memory_classification::opcode},
           {"last_window", memory_classification::last_window}},
          "What mto, motrr and motrr_recency take for a memory instruction: opcode = every load, "
          "store and atomic; last_window = an instruction whose last execution went to global "
          "memory");
}

void two_level_configuration::declare(parameter_list& p) {
    p.add("group", group, range(1, 64), "warp", "Warp slots in a fetch group of two_level");
}

void ccws_configuration::declare(parameter_list& p) {
    p.add("base_score", base_score, range(1, 65535), "",
          "Score that ccws gives to a warp without lost locality");
    p.add("throttle", throttle, range(0, 65535), "",
          "Factor of the score of ccws: a larger one lets lost locality hold back more warps");
    p.add("victim_tags", victim_tags, range(1, 4096), "tag",
          "Victim tags of a warp: lines that it brought and that were evicted (ccws)");
    p.add("victim_ways", victim_ways, range(1, 4096), "tag", "Victim tags in a set (ccws)");
    p.require({"victim_tags", "victim_ways"}, "victim_tags is a multiple of victim_ways",
              [this] { return victim_tags % victim_ways == 0; });
}

std::unique_ptr<warp_selection> make_warp_selection(const selection_setting& setting) {
    return entry_of(setting.configuration.scheduler).make(setting);
}

slot_registry<warp_selection_traits> warp_selection_traits::implementations() {
    return slot_registry<warp_selection_traits>(
        [](const selection_setting& setting, const slot_context&) {
            return make_warp_selection(setting);
        });
}

std::ostream& operator<<(std::ostream& out, const warp_selection_traits::inputs& in) {
    const std::ios_base::fmtflags flags = out.flags();
    out << std::hex << "{resident 0x" << in.resident << ", ready 0x" << in.ready << ", issuable 0x"
        << in.issuable << ", memory 0x" << in.memory << ", long_latency 0x" << in.long_latency
        << ", memory_done 0x" << in.memory_done << ", started 0x" << in.started
        << ", lost_locality 0x" << in.lost_locality << std::dec << ", cycle " << in.cycle << "}";
    out.flags(flags);
    return out;
}

}  // namespace heddle
