// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/base/pool.h"
#include "hw/protocol/aggregation.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/kde_update.h"
#include "hw/protocol/link.h"
#include "hw/protocol/memory_access.h"
#include "hw/smx_scheduler/chain/entry_updates.h"
#include "hw/smx_scheduler/chain/launch_order.h"
#include "hw/smx_scheduler/groups/aggregation_unit.h"
#include "hw/smx_scheduler/groups/group_chain.h"
#include "hw/smx_scheduler/groups/launch_counts.h"
#include "hw/smx_scheduler/groups/launching_kernels.h"
#include "hw/smx_scheduler/groups/record_port.h"
#include "hw/smx_scheduler/placement/returning_blocks.h"
#include "hw/smx_scheduler/smx_scheduler_configuration.h"
#include "models/device/device_runtime.h"

namespace heddle {

/// What the SMX scheduler has for launches by kernels: the links of aggregated groups, and the
/// parts behind them.
///
/// Sockets, modules of the scheduler:
///  - aggregation_socket (aggregation_link): from the SMXs, in the order of sm_id;
///  - group_socket (kde_link): to the KMU: group_joined, group_refused, group_finished,
///    block_suspended;
///  - over_socket (kde_link): from the KMU: group_over, block_returns;
///  - memory_socket (memory_link): to memory, for records of groups.
class group_side final : public launching_kernels, private aggregation_listener {
public:
    /// The parts of the scheduler that it works on; all of it outlives the object.
    struct parts {
        clocked& owner;
        device_runtime& runtime;
        unsigned smx_count;
        launch_order& order;
        entry_updates& entries;
        returning_blocks& returning;
    };
    group_side(const parts& with, const group_table_configuration& configuration,
               const slot_maker<group_allocator_traits>& allocators);

    protocol::multi_target_socket_of<group_side, protocol::aggregation_link> aggregation_socket;
    protocol::initiator_socket_of<group_side, protocol::kde_link> group_socket;
    protocol::initiator_socket_of<group_side, protocol::memory_link> memory_socket;
    protocol::target_socket_of<group_side, protocol::kde_link> over_socket;

    /// One cycle: records come, commands are taken, groups join. True if anything has happened.
    bool cycle();
    [[nodiscard]] const group_chain& chain() const noexcept { return chain_; }

    [[nodiscard]] group_side* groups() noexcept override { return this; }
    void launch_starts(const protocol::kernel_launch& launch, std::uint64_t launched,
                       std::uint64_t edge) override;
    void launch_ends(const protocol::launched_block& last,
                     const launch_progress::state& was) override;
    [[nodiscard]] bool suspends() const noexcept override { return true; }
    void suspended(const protocol::block_dispatch& block) override;
    [[nodiscard]] bool load(kde_index entry, group_index group) override {
        return chain_.load(entry, group);
    }
    void start_block(group_index group) override { chain_.start_block(group); }
    [[nodiscard]] group_index exhaust(group_index group) override { return chain_.exhaust(group); }
    void end_block(group_index group) override { chain_.end_block(group); }
    void kernel_over(kde_index entry) override { chain_.kernel_over(entry); }
    [[nodiscard]] unsigned in_table() const noexcept override { return chain_.table().used(); }
    [[nodiscard]] std::uint64_t spilled() const noexcept override { return chain_.spilled(); }
    [[nodiscard]] bool idle() const noexcept override { return unit_.idle(); }
    [[nodiscard]] std::string waiting_for() const override;
    /// Waiting times by who launches.
    [[nodiscard]] const launch_counts& launches() const noexcept { return launches_; }
    /// Groups that have found no kernel.
    [[nodiscard]] std::uint64_t refused() const noexcept { return unit_.refused(); }

private:
    using launch_ptr = pool_ptr<protocol::kernel_launch>;
    using command_ptr = pool_ptr<protocol::aggregation>;

    void held(kde_index entry) override;
    void joined(const launch_ptr& group, kde_index entry) override;
    void refused(const launch_ptr& group) override;
    void accepted(protocol::aggregation& command) override;
    void completed(protocol::aggregation& command) override;

    tlm::tlm_sync_enum take_command(int sm, protocol::aggregation& command,
                                    protocol::aggregation_phase& phase, sc_core::sc_time& time);
    tlm::tlm_sync_enum take_record(tlm::tlm_generic_payload& payload, protocol::memory_phase& phase,
                                   sc_core::sc_time& time);
    tlm::tlm_sync_enum take_over(protocol::kde_update& update, protocol::kde_phase& phase,
                                 sc_core::sc_time& time);
    void take_news();
    void answer(protocol::aggregation& command, protocol::aggregation_phase phase);
    [[nodiscard]] pool_ptr<protocol::kde_update> make(protocol::kde_event event, launch_id launch,
                                                      kde_index entry);
    void tell_kmu(protocol::kde_update& update);

    const parts parts_;
    record_port memory_;
    group_chain chain_;
    aggregation_unit unit_;
    std::vector<inbox<command_ptr>> commands_;  ///< by SMX
    inbox<pool_ptr<protocol::kde_update>> over_;
    pool<protocol::kde_update> updates_;
    launch_counts launches_;
};

}  // namespace heddle
