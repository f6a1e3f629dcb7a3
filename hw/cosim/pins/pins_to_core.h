// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "hw/base/inbox.h"
#include "hw/base/pool.h"
#include "hw/base/ring.h"
#include "hw/cosim/pins/core_pins.h"
#include "hw/cosim/pins/pin_clock.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/link.h"
#include "hw/protocol/memory_access.h"
#include "models/device/program_table.h"

namespace heddle::pins {

/// Message ids of this transactor's reports.
namespace pins_to_core_report {
inline constexpr const char* protocol = "heddle/pins_to_core/protocol";
}  // namespace pins_to_core_report

/// Transactor from pins to TLM, and back: has the pins of an SMX, and a TLM SMX behind its sockets
/// that neither launches nor saves blocks. It drives no retire port.
///
/// A line of the SMX's instruction cache is fetched over the pins in pieces of code_line_bytes, one
/// after the other.
/// Costs: a block that is sampled at edge r is sent at r, so that the SMX sees it at r + 1; what
/// the SMX sends at edge e is driven at e + 1; an answer that is sampled at r is sent at r.
class pins_to_core final : public sc_core::sc_module, public clocked, public pin_part {
public:
    protocol::initiator_socket_of<pins_to_core, protocol::block_link> block_socket;
    protocol::target_socket_of<pins_to_core, protocol::memory_link> memory_socket;

    /// How much each end is stalled.
    struct stalls {
        pin_stalls dispatch, done, fetch, line, request, response;
    };

    /// `clock`, `pins` and `programs` outlive the transactor.
    pins_to_core(const sc_core::sc_module_name& name, pin_clock& clock, core_pins& pins, sm_id id,
                 const program_table& programs, const stalls& held = {});

    void evaluate() override {}
    [[nodiscard]] activity update() override { return activity::idle; }
    void clock_edge() override;
    [[nodiscard]] std::string waiting_for() const override;

    /// `ended` hears of each block before its end is on the pins, and how many instructions its
    /// warps have executed, which the pins don't carry.
    using end_listener = std::function<void(launch_id, std::uint32_t block, std::uint64_t count)>;
    void on_end(end_listener ended) { ended_ = std::move(ended); }

private:
    using payload = tlm::tlm_generic_payload;
    using block_ptr = pool_ptr<protocol::block_dispatch>;
    static constexpr std::uint32_t capacity = core_request_ids;

    tlm::tlm_sync_enum take_answer(protocol::block_dispatch& block, protocol::block_phase& phase,
                                   sc_core::sc_time& delay);
    tlm::tlm_sync_enum take_request(payload& request, protocol::memory_phase& phase,
                                    sc_core::sc_time& delay);
    void dispatch(const block_pins& pins);
    void sort_requests();
    static void drive_atomics(const protocol::memory_access& access, std::uint32_t offset,
                              core_request_pins& pins);
    void take_line(const code_line_pins& pins);
    void take_response(const core_response_pins& pins);
    void answer(payload& request);
    [[nodiscard]] bool drive_end(block_end_pins& pins);
    [[nodiscard]] bool drive_fetch(fetch_pins& pins);
    [[nodiscard]] bool drive_request(core_request_pins& pins);
    [[nodiscard]] bool runs(launch_id launch) const;
    void report(const std::string& what) const;

    const program_table& programs_;
    const sm_id id_;
    end_listener ended_;
    pin_sink<block_pins> dispatch_;
    pin_source<block_end_pins> done_;
    pin_source<fetch_pins> fetch_;
    pin_sink<code_line_pins> line_;
    pin_source<core_request_pins> request_;
    pin_sink<core_response_pins> response_;
    pool<protocol::kernel_launch> launches_;
    pool<protocol::block_dispatch> blocks_;
    std::vector<block_ptr> slots_;  ///< of the TLM SMX
    bool starting_ = false;         ///< the last block has not started
    inbox<bool> starts_;
    inbox<block_ptr> ends_;
    inbox<payload*> requests_;
    payload* withheld_ = nullptr;  ///< its end_request is to be sent
    std::uint32_t room_ = capacity;
    std::uint32_t held_ = 0;     ///< requests without an answer
    ring<payload*> data_;        ///< wait for the pins
    ring<payload*> fetches_;     ///< the first one is under way
    std::uint32_t fetched_ = 0;  ///< bytes of it
    bool fetching_ = false;      ///< a piece of it is on the pins or behind them
    std::array<payload*, core_request_ids> by_id_{};
    line_beat beat_;
};

}  // namespace heddle::pins
