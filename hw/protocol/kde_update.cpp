// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include "hw/protocol/kde_update.h"

namespace heddle::protocol {

namespace {

constexpr name_list<1> kde_update_phases{"update"};

}  // namespace

const rule_table& link_rules<kde_link>::table() {
    static constexpr rule_table table = one_call_table("kde_update", kde_update_phases);
    return table;
}

std::string link_rules<kde_link>::request_error(const kde_update& p) {
    if (p.launch == launch_id{}) {
        return "launch id is 0; legal: ids are counted from 1";
    }
    const bool brings = p.event == kde_event::kernel_ready || p.event == kde_event::group_joined ||
                        p.event == kde_event::group_refused ||
                        p.event == kde_event::block_suspended ||
                        p.event == kde_event::block_returns;
    if (brings != static_cast<bool>(p.kernel)) {
        return "legal: kernel_ready, group_joined, group_refused, block_suspended and "
               "block_returns "
               "carry their launch, the other events carry none";
    }
    return {};
}

std::string link_rules<kde_link>::response_error(const kde_update&) {
    return {};
}

fixed_attributes link_rules<kde_link>::fixed(const kde_update& p) {
    static constexpr name_list<4> names{"launch", "kde", "event", "block"};
    return fix(names,
               {p.launch.value(), p.kde.value(), static_cast<std::uint64_t>(p.event), p.block});
}

void link_rules<kde_link>::describe(const kde_update& p, attribute_list& out) {
    static constexpr name_list<13> names{
        "kernel_ready",    "block_started", "block_finished", "blocks_exhausted", "hold",
        "release",         "group_joined",  "group_refused",  "group_finished",   "group_over",
        "block_suspended", "block_returns", "preempt"};
    out.add("launch", p.launch);
    out.add("kde", p.kde.value());
    out.add("event", names[static_cast<unsigned>(p.event) % names.size()]);
    out.add("block", p.block);
}

}  // namespace heddle::protocol
