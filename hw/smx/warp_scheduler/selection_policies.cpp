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

struct selection_policy_entry {
    selection_policy policy;
    const char* name;  ///< the value of `smx.scheduler`
    const char* description;
    std::unique_ptr<warp_selection> (*make)(const selection_setting&);
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
    entry<memory_then_oldest>(selection_policy::mto, "mto",
                              "memory instructions first, then by age"),
    entry<memory_then_round_robin>(selection_policy::motrr, "motrr",
                                   "memory instructions by age, then the others in round robin"),
    entry<memory_then_recent>(selection_policy::motrr_recency, "motrr_recency",
                              "motrr, where warps whose memory instruction has completed recently "
                              "take their turns first"),
    entry<two_level>(selection_policy::two_level, "two_level",
                     "round robin in fetch groups, the next group when all of one wait"),
    entry<cache_conscious>(selection_policy::ccws, "ccws",
                           "gto, where loads of some warps wait while others lose L1D lines"),
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
    p.add(
        "scheduler_assignment", assignment,
        {{"modulo", scheduler_assignment::modulo},
         {"contiguous", scheduler_assignment::contiguous}},
        "Scheduler of a warp slot: modulo = slot modulo the schedulers, contiguous = equal shares "
        "of neighbouring slots");
}

memory_classification warp_scheduler_configuration::classification() const noexcept {
    switch (scheduler) {
        case selection_policy::mto:
        case selection_policy::motrr:
        case selection_policy::motrr_recency:
            return motrr.classify;
        case selection_policy::ccws:
            return memory_classification::loads;
        default:
            return memory_classification::opcode;
    }
}

void motrr_configuration::declare(parameter_list& p) {
    p.add("classify", classify,
          {{"opcode", memory_classification::opcode},
           {"last_window", memory_classification::last_window}},
          "Memory instructions of mto, motrr and motrr_recency: opcode = every load, store and "
          "atomic; last_window = those whose last execution went to global memory");
}

void two_level_configuration::declare(parameter_list& p) {
    p.add("group", group, range(1, 64), "warp", "Slots of a fetch group of two_level");
}

void ccws_configuration::declare(parameter_list& p) {
    p.add("base_score", base_score, range(1, 65535), "", "Score of a warp without lost locality");
    p.add("throttle", throttle, range(0, 65535), "",
          "K of the score: how much lost locality per issued instruction holds back others");
    p.add("victim_tags", victim_tags, range(1, 4096), "tag", "Tags of lost lines that a warp has");
    p.add("victim_ways", victim_ways, range(1, 4096), "tag", "Tags of a set");
    p.require({"victim_tags", "victim_ways"}, "victim_tags is a multiple of victim_ways",
              [this] { return victim_tags % victim_ways == 0; });
}

bool follows_smx(selection_policy policy) {
    return entry_of(policy).follows_smx;
}

const char* policy_name(selection_policy policy) {
    return entry_of(policy).name;
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
