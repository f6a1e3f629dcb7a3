// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <gmock/gmock.h>

#include <cstdint>
#include <memory>

#include "hw/smx/blocks/block_table.h"
#include "models/device/program_table.h"
#include "models/program/image.h"
#include "tb/kit/paths.h"

namespace heddle {

class idle_part final : public clocked {
public:
    explicit idle_part(clock_domain& domain) : clocked(domain, "smx") {}
    void evaluate() override {}
    [[nodiscard]] activity update() override { return activity::idle; }
};

/// Two block slots and four warp slots of 32 lanes.
class block_table_fixture : public testing::Test {
protected:
    block_table_fixture() { blocks.count_kernels(held.kernels.size()); }

    bool start(unsigned slot, unsigned threads, std::uint32_t index = 0) {
        auto launch = launches.make();
        launch->block = {threads, 1, 1};
        launch->program = &held;
        launch->kernel = held.image->kernels().data();
        auto dispatch = dispatches.make();
        dispatch->kernel = launch;
        dispatch->launch = protocol::launch_id(1);
        dispatch->slot = block_slot(slot);
        dispatch->block = index;
        return blocks.start(dispatch, 10);
    }
    /// These lanes of a home warp.
    [[nodiscard]] thread_group in_place(unsigned warp, isa::lane_mask lanes) const {
        return {lanes, 0x10000, blocks.warp(warp).block, static_cast<std::uint16_t>(warp)};
    }

    machine_configuration machine = [] {
        machine_configuration m;
        m.warp_size = 32;
        m.smx.max_blocks = 2;
        return m;
    }();
    clock_domain domain{"clock", frequency::megahertz(1000)};
    idle_part part{domain};
    program_table programs;
    const held_program& held = programs.add(std::make_shared<program::image>(
        program::image::load(build_path("kernels/iss_control.elf"))));
    run_status status;
    fault_reporter faults{part, sm_id(3), status};
    pool<protocol::kernel_launch> launches{"launches"};
    pool<protocol::block_dispatch> dispatches{"dispatches"};
    block_table blocks{machine, 4, sm_id(3), 1024, faults};
};

}  // namespace heddle
