// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <systemc>

#include "hw/base/clock_domain.h"
#include "hw/base/present.h"
#include "hw/protocol/link_observer.h"
#include "hw/top/work_log.h"

namespace heddle {

/// Tells the log of the launches that are announced.
class launch_recorder final : public launch_observer {
public:
    /// `log` and the clock outlive the recorder.
    launch_recorder(const clock_domain& core, work_log& log) : core_(core), log_(log) {}

    void launched(const prepared_launch& launch) override {
        // The last edge at or before the launch: the host makes one between two edges.
        const std::uint64_t now = protocol::picoseconds(present::time());
        log_.launched(launch, core_.rate().first_edge_after(now) - 1);
    }

private:
    const clock_domain& core_;
    work_log& log_;
};

/// On the link from the SMX scheduler to an SMX: tells the log of blocks.
class block_recorder final : public protocol::link_observer<protocol::block_link> {
public:
    block_recorder(const sc_core::sc_module_name& name, const clock_domain& core, work_log& log)
        : link_observer(name), core_(core), log_(log) {}

private:
    tlm::tlm_sync_enum pass(protocol::path via, protocol::block_dispatch& block,
                            protocol::block_phase& phase, sc_core::sc_time& time) override {
        const std::uint64_t edge = core_.edge();
        if (via == protocol::path::forward) {
            log_.dispatched(block, edge);
        } else if (phase == protocol::block_phase::started) {
            log_.started(block, edge);
        } else {
            log_.ended(block, edge);
        }
        const tlm::tlm_sync_enum status = link_observer::pass(via, block, phase, time);
        if (via == protocol::path::forward && status == tlm::TLM_UPDATED) {
            log_.started(block, edge);
        }
        return status;
    }

    const clock_domain& core_;
    work_log& log_;
};

}  // namespace heddle
