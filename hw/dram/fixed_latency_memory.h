// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/waveform.h"
#include "hw/dram/memory_configuration.h"
#include "hw/protocol/memory_counts.h"
#include "models/base/flat_memory.h"

namespace heddle {

class crew;
class dram_port;

/// Memory of fixed latency and bandwidth: a base-protocol target with one port per L2 bank, all on
/// one 4 GiB store, which takes host memory only where it is touched.
///
/// Sockets: port_sockets[i], plain base protocol. Non-blocking: four phases; a request is accepted
/// in the call while the port has room, else END_REQ is withheld until it has. b_transport adds
/// the unloaded time to the delay. transport_dbg reads and writes the store at once. No DMI.
/// Costs: a request that the port sees at edge e is answered at s + latency + t, where
/// t = ceil(bytes / bytes_per_cycle) and s is e or the edge at which the port's last transfer ends.
/// A port answers in order; data are read and written when the answer is given.
/// Illegal: addresses beyond 4 GiB (ADDRESS_ERROR), streaming (BURST_ERROR), byte enables without
/// length (BYTE_ENABLE_ERROR): nothing is read or written.
class fixed_latency_memory : public sc_core::sc_module {
public:
    static constexpr std::uint64_t bytes = std::uint64_t{1} << 32;
    using port_socket = tlm::tlm_target_socket<32>;

    sc_core::sc_vector<port_socket> port_sockets;

    /// `waves` may be null; it and `domain` outlive the memory.
    fixed_latency_memory(const sc_core::sc_module_name& name, clock_domain& domain,
                         const memory_configuration& configuration, std::uint32_t ports,
                         waveform* waves = nullptr);
    ~fixed_latency_memory() override;

    /// The crew gets the ports; before the start.
    void share(crew& threads, std::uint32_t weight);
    [[nodiscard]] memory_counts counts() const;                   ///< all ports added, up to now
    [[nodiscard]] memory_counts counts(std::uint64_t now) const;  ///< up to edge `now`
    [[nodiscard]] std::uint32_t ports() const noexcept {
        return static_cast<std::uint32_t>(ports_.size());
    }
    /// Declares memory_statistics under `scope` and sets them.
    void collect(statistics& out, const std::string& scope) const;

private:
    const clock_domain& domain_;
    flat_memory store_;
    std::vector<std::unique_ptr<dram_port>> ports_;
};

}  // namespace heddle
