// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw/axi/axi_link.h"
#include "hw/base/clock_domain.h"
#include "hw/base/waveform.h"
#include "hw/cosim/pins/memory_controller_pins.h"
#include "hw/dram/command_checker.h"
#include "hw/dram/dram.h"
#include "hw/dram/fixed_latency_memory.h"
#include "hw/memory_controller/memory_controller.h"
#include "hw/protocol/instrumentation.h"
#include "hw/top/gpu_configuration.h"
#include "hw/top/memory_of_others.h"
#include "models/base/run_status.h"

namespace heddle {

class crew;

struct memory_side_options {
    run_status& status;
    slot_maker<request_scheduler_traits> schedulers;
    protocol::instrumentation& links;  ///< binds controllers and DRAM
    waveform* waves = nullptr;         ///< may be null
    bool check_commands = false;       ///< a command_checker on every channel
    const memory_of_others& memory;    ///< empty: by the configuration
    std::uint64_t seed = 1;            ///< of the run
};

/// What stands behind the L2 banks, a channel for each, by `dram.model`: memory_controller_i and
/// dram, or memory, of fixed latency; or a memory of others, which has no statistics. Controllers
/// that slot.memory_controller puts behind pins have memory_controller_i_pins in front of them, or
/// in their place. With `memory.bus` = axi an axi_i stands before each channel; with axi_rtl its
/// memory in SystemVerilog stands before dram, in the place of the controller. Part of the netlist:
/// makes the modules and binds them, no behaviour.
class memory_side {
public:
    /// `domain` and all of `options` outlive this object.
    memory_side(clock_domain& domain, const gpu_configuration& configuration,
                const memory_side_options& options);
    ~memory_side();

    /// The crew gets controllers or ports; before the start.
    void share(crew& threads);

    /// Where L2 bank i binds.
    [[nodiscard]] tlm::tlm_target_socket<32>& port(std::uint32_t i);
    [[nodiscard]] std::uint32_t ports() const noexcept { return ports_; }

    /// All channels added, up to edge `now` of the clock. Without `now`: up to now.
    [[nodiscard]] memory_counts counts(std::uint64_t now) const;
    [[nodiscard]] memory_counts counts() const { return counts(domain_.edge_count()); }
    /// Writes that changed a byte, for the watchdog; memory_traffic has the details. 0 for a memory
    /// of others: without an L2 their stores are no progress.
    [[nodiscard]] std::uint64_t changes() const;
    /// memory_statistics as `dram`, and memory_controller_statistics as `memory_controller.N`.
    void collect(statistics& out) const;

private:
    /// A channel: the controller, what puts it behind pins, or both.
    struct channel {
        std::unique_ptr<memory_controller> controller;         ///< null: RTL
        std::unique_ptr<pins::memory_controller_pins> behind;  ///< null: no pins

        [[nodiscard]] memory_counts counts(std::uint64_t now) const;
    };

    void make_controllers(clock_domain& domain, const gpu_configuration& configuration,
                          const memory_side_options& options);
    [[nodiscard]] channel make_channel(std::uint32_t i, clock_domain& domain,
                                       const gpu_configuration& configuration,
                                       const memory_side_options& options);
    void make_buses(clock_domain& domain, const gpu_configuration& configuration,
                    const memory_side_options& options);
    /// Of channel i, behind the bus.
    [[nodiscard]] tlm::tlm_target_socket<32>& memory_port(std::uint32_t i);

    const clock_domain& domain_;
    const std::uint32_t ports_;
    const memory_of_others others_;                      ///< or
    std::unique_ptr<fixed_latency_memory> fixed_;        ///< or
    std::unique_ptr<pins::pin_clock> controller_clock_;  ///< null: no controller has pins
    std::vector<channel> channels_;
    std::unique_ptr<dram> dram_;
    std::vector<std::unique_ptr<command_checker>> checkers_;
    std::unique_ptr<pins::pin_clock> bus_clock_;  ///< null without buses
    std::vector<std::unique_ptr<axi::axi_link>> buses_;
};

}  // namespace heddle
