// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/launch/launch_commands.h"

#include <utility>

#include "hw/base/present.h"
#include "hw/base/report_error.h"

namespace heddle {

using protocol::aggregation_phase;
using protocol::launch_phase;

namespace {

/// Launches may all end in one cycle: far more than Kernel Distributor Entries and SMXs there are.
constexpr std::size_t answer_capacity = 4096;

std::uint64_t block_key(launch_id launch, std::uint32_t block) {
    return std::uint64_t{launch.value()} << 32 | block;
}

}  // namespace

launch_commands::launch_commands(clocked& owner, const links& to)
    : owner_(owner),
      links_(to),
      launches_("launches of " + owner.part_name()),
      groups_("aggregations of " + owner.part_name()),
      answers_(owner, answer_capacity) {}

void launch_commands::send(unsigned warp, pool_ptr<protocol::kernel_launch> kernel) {
    count_open(*kernel, 1);
    kernels_to_send_.push_back({warp, std::move(kernel)});
}

void launch_commands::send(pool_ptr<protocol::aggregation> groups) {
    for (std::uint32_t i = 0; i < groups->count; ++i) count_open(*groups->groups[i].launch, 1);
    groups_to_send_.push_back(std::move(groups));
}

void launch_commands::count_open(const protocol::kernel_launch& launch, std::int32_t change) {
    const std::uint64_t key = block_key(launch.parent, launch.parent_block);
    std::uint32_t& open = open_[key];
    open += static_cast<std::uint32_t>(change);
    if (open == 0) open_.erase(key);
}

std::uint32_t launch_commands::open_children(launch_id launch, std::uint32_t block) const {
    const auto found = open_.find(block_key(launch, block));
    return found == open_.end() ? 0 : found->second;
}

bool launch_commands::send_next() {
    bool sent = false;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (!kernel_requested_ && !kernels_to_send_.empty()) {
        protocol::kernel_launch& next = *kernels_to_send_.front().launch;
        next.commanded_at = present::time();
        launch_phase phase = launch_phase::request;
        kernel_requested_ = true;
        sent = true;
        if (links_.kernels->nb_transport_fw(next, phase, delay) == tlm::TLM_UPDATED) {
            (void)kernel_answer(next, phase);
        }
    }
    if (!groups_requested_ && !groups_to_send_.empty()) {
        protocol::aggregation& next = *groups_to_send_.front();
        for (std::uint32_t i = 0; i < next.count; ++i) {
            next.groups[i].launch->commanded_at = present::time();
        }
        aggregation_phase phase = aggregation_phase::request;
        groups_requested_ = true;
        sent = true;
        if (links_.groups->nb_transport_fw(next, phase, delay) == tlm::TLM_UPDATED) {
            (void)group_answer(next, phase);
        }
    }
    return sent;
}

std::optional<unsigned> launch_commands::take(const answer& got) {
    if (got.kernel) {
        if (!got.accepted) {
            count_open(*got.kernel, -1);
            return std::nullopt;
        }
        const unsigned warp = kernels_to_send_.front().warp;
        kernels_to_send_.pop_front();
        kernel_requested_ = false;
        return warp;
    }
    if (!got.accepted) {
        for (std::uint32_t i = 0; i < got.groups->count; ++i) {
            count_open(*got.groups->groups[i].launch, -1);
        }
        return std::nullopt;
    }
    groups_to_send_.pop_front();
    groups_requested_ = false;
    return got.groups->warp.value();
}

tlm::tlm_sync_enum launch_commands::kernel_answer(protocol::kernel_launch& launch,
                                                  launch_phase phase) {
    const bool accepted = phase == launch_phase::accepted;
    if (!answers_.push({accepted, pool_ptr<protocol::kernel_launch>(&launch), {}})) {
        report("more answers of the KMU than there are launches");
    }
    return accepted ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum launch_commands::group_answer(protocol::aggregation& groups,
                                                 aggregation_phase phase) {
    const bool accepted = phase == aggregation_phase::accepted;
    if (!answers_.push({accepted, {}, pool_ptr<protocol::aggregation>(&groups)})) {
        report("more answers of the SMX scheduler than there are aggregations");
    }
    return accepted ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
}

void launch_commands::report(const char* what) const {
    report_error("heddle/smx/launch", owner_.part_name() + ": " + what);
}

std::string launch_commands::waiting_for() const {
    if (open_.empty() && kernels_to_send_.empty() && groups_to_send_.empty()) return {};
    std::string text = std::to_string(open_.size()) + " blocks whose launches have not ended";
    const std::size_t commands = kernels_to_send_.size() + groups_to_send_.size();
    if (commands != 0) text += ", " + std::to_string(commands) + " launch commands to accept";
    return text;
}

}  // namespace heddle
