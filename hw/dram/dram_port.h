// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <tlm>

#include "hw/base/clock_domain.h"
#include "hw/base/ring.h"
#include "hw/base/waveform.h"
#include "hw/dram/memory_configuration.h"
#include "hw/dram/memory_store.h"
#include "hw/protocol/base_target.h"
#include "models/base/level_meter.h"

namespace heddle {

/// One port of fixed_latency_memory; see there for its timing.
class dram_port final : public clocked, public tlm::tlm_fw_transport_if<> {
public:
    dram_port(clock_domain& domain, std::string name, const memory_configuration& configuration,
              memory_store store, tlm::tlm_target_socket<32>& socket, waveform* waves);

    void evaluate() override;
    [[nodiscard]] activity update() override;
    [[nodiscard]] std::string waiting_for() const override;

    [[nodiscard]] const memory_traffic& traffic() const noexcept { return traffic_; }
    /// Up to edge `now`. Transfers that have been admitted lie one behind the other.
    [[nodiscard]] std::uint64_t busy_cycles(std::uint64_t now) const noexcept {
        return transfers_end_ > now ? busy_cycles_ - (transfers_end_ - now) : busy_cycles_;
    }
    [[nodiscard]] std::uint64_t pending_cycles(std::uint64_t now) const noexcept {
        return pending_.busy(now);
    }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

private:
    struct access {
        tlm::tlm_generic_payload* payload = nullptr;
        std::uint64_t due = 0;
    };

    [[nodiscard]] std::uint64_t transfer_cycles(const tlm::tlm_generic_payload& payload) const;
    void start_requests();
    void respond();

    const memory_configuration configuration_;
    memory_store store_;
    protocol::base_target target_;
    ring<access> under_way_;
    bool progress_ = false;
    std::uint64_t wake_due_ = 0;       ///< latest wake_at()
    std::uint64_t transfers_end_ = 0;  ///< edge at which the last transfer ends
    memory_traffic traffic_;
    std::uint64_t busy_cycles_ = 0;  ///< up to transfers_end_
    level_meter pending_;
    wave_integer under_way_wave_;
};

}  // namespace heddle
