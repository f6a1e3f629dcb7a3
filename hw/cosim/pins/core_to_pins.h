// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "hw/base/inbox.h"
#include "hw/base/pool.h"
#include "hw/cosim/pins/core_memory.h"
#include "hw/cosim/pins/core_pins.h"
#include "hw/cosim/pins/pin_clock.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/link.h"
#include "models/program/image.h"

namespace heddle::pins {

/// Message ids of this transactor's reports.
namespace core_to_pins_report {
inline constexpr const char* protocol = "heddle/core_to_pins/protocol";
}  // namespace core_to_pins_report

/// Transactor from TLM to pins, and back: has the sockets of an SMX whose kernels use no mechanism,
/// and drives the pins of one.
///
/// A block is `started` when it has moved over the pins. Lines of instructions go to memory and
/// back as those of an SMX do; words and reconvergence PCs come from the launch's program.
/// Costs: a block that is dispatched at edge e is driven at e + 1, so that the SMX samples it at
/// e + 2; a block end or request that is sampled at edge r is sent at r, so that it is seen at
/// r + 1; an answer that arrives at edge a is driven at a + 1 and sampled at a + 2.
/// Illegal: a block end, request or line of a block that is not there, a second line while one is
/// under way: core_to_pins_report::protocol.
class core_to_pins final : public sc_core::sc_module, public clocked, public pin_part {
public:
    protocol::target_socket_of<core_to_pins, protocol::block_link> block_socket;
    protocol::initiator_socket_of<core_to_pins, protocol::memory_link> memory_socket;

    /// How much each end is stalled.
    struct stalls {
        pin_stalls dispatch, done, fetch, line, request, response;
    };
    using block_ptr = pool_ptr<protocol::block_dispatch>;

    /// `clock`, `pins` and what `limits` refer to outlive the transactor.
    core_to_pins(const sc_core::sc_module_name& name, pin_clock& clock, core_pins& pins, sm_id id,
                 const core_limits& limits, const stalls& held = {});

    void evaluate() override {}
    [[nodiscard]] activity update() override { return activity::idle; }
    void clock_edge() override;
    [[nodiscard]] std::string waiting_for() const override;

    /// The block behind the pins; null if it is not there.
    [[nodiscard]] block_ptr running(launch_id launch, std::uint32_t block) const;
    /// Says before `done` how many instructions the warps of a block have executed.
    void count_by(std::function<std::uint64_t(const protocol::block_dispatch&)> counts) {
        counts_ = std::move(counts);
    }
    [[nodiscard]] std::uint64_t fetched_lines() const noexcept { return memory_.fetched_lines(); }

private:
    tlm::tlm_sync_enum take_block(protocol::block_dispatch& block, protocol::block_phase& phase,
                                  sc_core::sc_time& delay);
    tlm::tlm_sync_enum take_answer(tlm::tlm_generic_payload& payload, protocol::memory_phase& phase,
                                   sc_core::sc_time& delay);
    void tell(protocol::block_dispatch& block, protocol::block_phase phase);
    void end(const block_end_pins& pins);
    void fetch(const fetch_pins& pins);
    void request(const core_request_pins& pins);
    [[nodiscard]] bool drive_block(block_pins& pins);
    [[nodiscard]] bool drive_line(code_line_pins& pins);
    /// The oldest block of a launch; null if there is none.
    [[nodiscard]] const protocol::block_dispatch* any_of(launch_id launch) const;
    void report(const std::string& what) const;

    /// A line that the SMX waits for.
    struct wanted_line {
        std::uint32_t address = 0;
        const program::kernel_code* code = nullptr;
        std::shared_ptr<const program::image> image;  ///< whose code it is
        bool wanted = false, here = false;
    };

    std::function<std::uint64_t(const protocol::block_dispatch&)> counts_;
    pin_source<block_pins> dispatch_;
    pin_sink<block_end_pins> done_;
    pin_sink<fetch_pins> fetch_;
    pin_source<code_line_pins> line_;
    pin_sink<core_request_pins> request_;
    pin_source<core_response_pins> response_;
    inbox<block_ptr> dispatched_;
    block_ptr on_pins_;               ///< driven, not yet taken
    std::vector<block_ptr> running_;  ///< the oldest first; also the one on the pins
    core_memory memory_;
    wanted_line wanted_;
};

}  // namespace heddle::pins
