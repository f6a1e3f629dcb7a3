// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx_scheduler/chain/entry_updates.h"
#include "hw/smx_scheduler/chain/launch_order.h"
#include "hw/smx_scheduler/cooperation/cooperation_side.h"
#include "hw/smx_scheduler/groups/launching_kernels.h"
#include "hw/smx_scheduler/placement/block_room.h"
#include "hw/smx_scheduler/placement/block_source.h"
#include "hw/smx_scheduler/placement/returning_blocks.h"

namespace heddle {

/// The blocks of kernels and groups, one after another: that of SSCR, which is loaded with the head
/// of the chain when the launch before has no blocks left. A cooperative launch begins with the
/// blocks that fit when there is room for its first one.
class fresh_blocks final : public block_source {
public:
    /// All of it outlives the object.
    struct parts {
        launch_order& order;
        launch_progress& progress;
        entry_updates& entries;
        const block_room& room;
        const returning_blocks& returning;
        cooperation_side& cooperation;
        launching_kernels& launching;
        bool shortens;  ///< a cooperative launch may begin with fewer blocks than it asks for
    };
    explicit fresh_blocks(const parts& of) : of_(of) {}

    [[nodiscard]] const protocol::launched_block* next() override;
    [[nodiscard]] bool placed(sm_id sm) override;
    void sent() override;
    void lacks(block_limit what) override;
    [[nodiscard]] bool pending() const override { return !of_.order.chain().empty(); }
    [[nodiscard]] bool empty() const override { return of_.order.chain().empty(); }

private:
    [[nodiscard]] bool load();
    void begin_cooperation();

    const parts of_;
    protocol::launched_block next_;
};

}  // namespace heddle
