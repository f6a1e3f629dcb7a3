// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/base/pool.h"
#include "hw/protocol/block_dispatch.h"
#include "models/base/machine_configuration.h"
#include "models/device/launch_table.h"
#include "tb/kit/stall_source.h"

namespace heddle {

/// Stands for the launch path and the SMX scheduler: gives the blocks of launches to one SMX, those
/// of one stream in order, within the SMX's limits, and checks what comes back.
class block_source final : public sc_core::sc_module, public clocked {
public:
    protocol::initiator_socket_of<block_source, protocol::block_link> socket;

    /// `wrong` is told of a violated rule; `finished` is called when the last block has ended.
    block_source(const sc_core::sc_module_name& name, clock_domain& domain,
                 const machine_configuration& machine, stall_source stalls,
                 std::function<void(const std::string&)> wrong, std::function<void()> finished);

    /// Before the simulation starts. `image` holds the kernel.
    void add(const prepared_launch& launch);

    void evaluate() override;
    [[nodiscard]] activity update() override;
    [[nodiscard]] std::string waiting_for() const override;

    [[nodiscard]] std::uint64_t blocks_done() const noexcept { return blocks_done_; }
    /// Edge at which the last block has ended.
    [[nodiscard]] std::uint64_t end_edge() const noexcept { return end_edge_; }

private:
    struct grid {
        pool_ptr<protocol::kernel_launch> launch;
        block_resources per_block;
        std::uint32_t stream = 0;
        std::uint64_t blocks = 0;
        std::uint64_t next = 0;
        std::uint64_t done = 0;
    };
    struct resident {
        pool_ptr<protocol::block_dispatch> dispatch;  ///< null: the slot is free
        std::size_t grid = 0;
        bool started = false;
        std::uint32_t first_region = 0;
        std::uint32_t regions = 0;
    };
    struct news {
        unsigned slot = 0;
        protocol::block_phase phase = protocol::block_phase::done;
    };

    tlm::tlm_sync_enum backward(protocol::block_dispatch& block, protocol::block_phase& phase,
                                sc_core::sc_time& time);
    void receive(const news& what);
    void dispatch_one();
    bool place(std::size_t which);
    [[nodiscard]] std::uint32_t find_regions(std::uint32_t count) const;

    const machine_configuration machine_;
    stall_source stalls_;
    std::function<void(const std::string&)> wrong_;
    std::function<void()> finished_;
    pool<protocol::kernel_launch> launches_{"launches"};
    pool<protocol::block_dispatch> dispatches_{"dispatches"};
    std::vector<grid> grids_;
    std::vector<resident> slots_;
    std::vector<bool> regions_;  ///< private memory, one a warp
    smx_capacity capacity_;
    inbox<news> news_;
    bool waiting_for_start_ = false;
    std::uint64_t blocks_done_ = 0;
    std::uint64_t end_edge_ = 0;
};

}  // namespace heddle
