// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>

#include "hw/base/waveform.h"
#include "hw/cosim/pins/block_choice.h"
#include "hw/cosim/pins/core_checker.h"
#include "hw/cosim/pins/core_follower.h"
#include "hw/cosim/pins/core_pins.h"
#include "hw/cosim/pins/core_to_pins.h"
#include "hw/cosim/pins/pin_clock.h"
#include "hw/cosim/pins/pin_configuration.h"
#include "hw/cosim/pins/pin_waves.h"
#include "hw/cosim/pins/pins_to_core.h"

namespace heddle::pins {

/// What stands in an SMX's place when it is behind pins:
///  - pins: core_to_pins -> pins -> pins_to_core; the TLM SMX binds to back();
///  - rtl, shadow: core_to_pins -> pins -> RTL, whose retire port core_follower() reads.
/// Part of the netlist: makes the modules and binds them, no behaviour.
class smx_pins final : public sc_core::sc_module {
public:
    struct options {
        pin_clock& clock;
        const pin_configuration& pins;
        block_implementation implementation;  ///< not tlm
        core_follower::environment core;
        const program_table& programs;
        std::uint32_t stack_entries;  ///< smx.stack_entries
        std::uint64_t seed;           ///< of the run, for stalls
        waveform* waves = nullptr;    ///< for the pins; may be null
    };

    /// What `o` refers to outlives the module. Warps have core_lanes lanes. Throws
    /// configuration_error as make_smx_rtl() does.
    smx_pins(const sc_core::sc_module_name& name, const options& o);
    ~smx_pins() override;

    [[nodiscard]] core_to_pins& front() noexcept { return *front_; }
    [[nodiscard]] const core_to_pins& front() const noexcept { return *front_; }
    /// Precondition: `pins`.
    [[nodiscard]] pins_to_core& back() noexcept { return *back_; }
    /// Null with `pins`.
    [[nodiscard]] core_follower* follower() noexcept { return follower_.get(); }
    [[nodiscard]] const core_follower* follower() const noexcept { return follower_.get(); }

private:
    void make_tlm_side(const options& o);
    void show(const options& o);

    core_pins pins_;
    std::unique_ptr<sc_core::sc_module> rtl_;  ///< or
    std::unique_ptr<pins_to_core> back_;
    std::uint64_t last_count_ = 0;  ///< instructions of the block whose end is on the pins
    std::unique_ptr<core_to_pins> front_;
    std::unique_ptr<core_follower> follower_;
    std::unique_ptr<core_checker> checker_;  ///< null: not checked
    std::unique_ptr<pin_waves> waves_;       ///< null: no waveform
};

}  // namespace heddle::pins
