// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/warp_scheduler/selection_policies.h"

#include <memory>
#include <ostream>
#include <string>
#include <type_traits>

namespace heddle {

const warp_view selection_setting::no_view;

selection_needs needs_of(const warp_scheduler_configuration& configuration) {
    return selection_policies::visit(configuration.scheduler, [&](auto part) -> selection_needs {
        using policy = typename decltype(part)::type;
        return {policy::classification(configuration), policy::victim_tags(configuration),
                policy::follows_smx, policy::shows_queues, policy::shows_recency};
    });
}

warp_scheduler_configuration::warp_scheduler_configuration()
    : scheduler(selection_policies::key<greedy_then_oldest>),
      policies(selection_policies::configurations()) {}

void warp_scheduler_configuration::declare(parameter_list& p) {
    p.add("scheduler", scheduler, selection_policies::names(),
          "Picks the warp that issues: " + selection_policies::description());
    p.add("scheduler_assignment", assignment,
          {{"modulo", scheduler_assignment::modulo},
           {"contiguous", scheduler_assignment::contiguous}},
          "Which scheduler a warp slot belongs to: modulo = slot modulo the number of schedulers, "
          "contiguous = equal shares of neighbouring slots");
}

std::unique_ptr<warp_selection> make_warp_selection(const selection_setting& setting) {
    return selection_policies::visit(
        setting.configuration.scheduler, [&](auto part) -> std::unique_ptr<warp_selection> {
            using policy = typename decltype(part)::type;
            if constexpr (std::is_constructible_v<policy, const selection_setting&>) {
                return std::make_unique<warp_selection_of<policy>>(policy(setting));
            } else {
                return std::make_unique<warp_selection_of<policy>>(policy());
            }
        });
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
