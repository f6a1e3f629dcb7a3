// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/base/late_part.h"
#include "hw/base/ring.h"
#include "hw/base/waveform.h"
#include "hw/memory_controller/access_table.h"
#include "hw/memory_controller/address_decoder.h"
#include "hw/memory_controller/memory_channel.h"
#include "hw/memory_controller/memory_controller_configuration.h"
#include "hw/memory_controller/memory_controller_statistics.h"
#include "hw/memory_controller/memory_controller_waves.h"
#include "hw/protocol/base_access.h"
#include "hw/protocol/base_initiator.h"
#include "hw/protocol/base_target.h"
#include "models/base/level_meter.h"
#include "models/base/run_status.h"
#include "models/base/statistics.h"

namespace heddle {

/// Which addresses a channel has.
struct channel_addresses {
    /// Bytes of the whole memory: accesses beyond are refused. 0: those of this channel.
    std::uint64_t bytes = 0;
    /// An address as the channel counts it, without the bits that choose the channel; empty: the
    /// same.
    std::function<std::uint64_t(std::uint64_t)> local;
    /// Where this computer keeps the bytes of the memory, from address 0 on: what is requested is
    /// brought into its cache before its data are due. Null: unknown. Nothing is read there.
    const std::byte* host = nullptr;
};

/// Message ids of a controller's reports.
namespace memory_controller_report {
inline constexpr const char* protocol = "heddle/memory_controller/protocol";
}  // namespace memory_controller_report

/// The controller of one DRAM channel: Fung 2008, section 5.1.3 (figure 5.3), with bank groups,
/// write drain and refresh added. memory_channel decides, this module moves the data.
///
/// Sockets, both plain TLM-2.0 base protocol: request_socket (target) takes reads and writes of any
/// length and alignment, cut into column accesses of `atom` bytes, one a clock; dram_socket
/// (initiator) passes the same payload on when its last data have passed the bus: to `dram`, or to
/// any base-protocol memory, which then adds its own time.
/// A request is accepted in the call while there is room, else END_REQ is withheld; responses come
/// in the order in which their data do, one a clock.
/// Costs: a request that is sent at edge e is answered, unloaded, at e + 1 + front_latency + CL +
/// burst + back_latency if its row is open, RCD later if the bank is closed, RP + RCD later if
/// another row is open. Requests and responses overlap on their way through front and back end.
/// Requests with the extension memory_access learn in times.fetch.dispatched when a bank took the
/// last of their column accesses.
/// b_transport passes on at once and adds the time of a closed bank. transport_dbg goes to
/// dram_socket; a read finds writes that wait here, a write does not change them. No DMI.
/// Illegal accesses (check_base_access()) are answered with their TLM status, reported to
/// run_status, and change nothing. Parameters: memory_controller_configuration.
class memory_controller final : public sc_core::sc_module,
                                public clocked,
                                public late_part,
                                private tlm::tlm_fw_transport_if<>,
                                private tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_target_socket<32> request_socket;
    tlm::tlm_initiator_socket<32> dram_socket;

    /// `waves` may be null; it, `domain` and `status` outlive the controller. The slot of the
    /// request scheduler is NAME.scheduler. Throws configuration_error for address masks that
    /// overlap or leave bits out.
    memory_controller(const sc_core::sc_module_name& name, clock_domain& domain,
                      const memory_controller_configuration& configuration,
                      channel_addresses addresses,
                      const slot_maker<request_scheduler_traits>& schedulers, run_status& status,
                      waveform* waves = nullptr);
    ~memory_controller() override;

    void evaluate() override;
    [[nodiscard]] activity update() override;
    [[nodiscard]] std::string waiting_for() const override;

    // ---- for a crew: late edges ----

    /// Before the start. From now on a response is sent when its data are there, with the delay
    /// that it has: it is seen at the same edge. Precondition: the initiator takes responses at any
    /// time.
    void respond_ahead() noexcept { ahead_ = true; }
    /// Of respond_ahead(); requests need front_latency, and one edge.
    [[nodiscard]] std::uint64_t lookahead() const override { return configuration_.back_latency; }
    /// A request is one place of the queue until it begins, then each of its column accesses is
    /// one: one more at an edge, at most. L2 has checked addresses.
    [[nodiscard]] bool may_be_late(std::uint64_t edges) const override {
        return target_.accepts_next(edges);
    }
    void caught_up() override;

    /// Shows every command of the channel to `observer`, which outlives the controller; before the
    /// start of the simulation.
    void observe(protocol::dram_command_observer& observer) { observers_.push_back(&observer); }

    [[nodiscard]] const address_decoder& decoder() const noexcept { return decoder_; }
    /// Up to edge `now`; without it, up to now.
    [[nodiscard]] memory_controller_counts counts(std::uint64_t now) const;
    [[nodiscard]] memory_controller_counts counts() const { return counts(domain().edge_count()); }
    /// Declares memory_controller_statistics under `scope` and sets them.
    void collect(statistics& out, const std::string& scope) const;

private:
    using payload = tlm::tlm_generic_payload;
    using index = access_table::index;
    static constexpr index none = access_table::none;

    struct burst {
        index owner = none;
        std::uint64_t data_end = 0;
    };
    struct answer {
        index owner = none;
        std::uint64_t due = 0;  ///< edge at which it has passed the back end
    };
    tlm::tlm_sync_enum nb_transport_fw(payload& request, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(payload& request, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(payload& request, tlm::tlm_dmi& dmi) override;
    unsigned transport_dbg(payload& request) override;
    tlm::tlm_sync_enum nb_transport_bw(payload& request, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;

    void take_device_events();
    void take_data();
    void note_dispatch(const access_table::access& done) const;
    void pass_on();
    void send(index at);
    void device_done(index at);
    void finish(index at);
    void announce(index at, std::uint64_t due);
    void count(const payload& request);
    void queue_atoms();
    [[nodiscard]] bool begin_next();
    void issue_command();
    void respond();
    void accept();
    /// Whether the access is legal; else it has its status and is reported.
    [[nodiscard]] bool check(payload& request);
    [[nodiscard]] std::uint64_t local(std::uint64_t address) const;
    [[nodiscard]] std::size_t queued() const;
    /// Accesses that queue and front end hold.
    [[nodiscard]] std::uint32_t room() const noexcept {
        return configuration_.queue + configuration_.front_latency;
    }
    [[nodiscard]] bool responses_full() const;
    [[nodiscard]] bool work_left() const;

    const memory_controller_configuration configuration_;
    const address_decoder decoder_;
    const channel_addresses addresses_;
    run_status& status_;
    memory_channel channel_;
    std::vector<protocol::dram_command_observer*> observers_;
    protocol::base_target target_;
    protocol::base_initiator device_;
    const double period_;  ///< picoseconds
    access_table accesses_;
    index queueing_ = none;  ///< has atoms that are not queued
    ring<burst> data_;       ///< column accesses issued, by the end of their data
    ring<index> to_device_;  ///< data have passed the bus
    std::uint32_t in_device_ = 0;
    ring<answer> finished_;  ///< in the back end, or wait for their response
    bool progress_ = false;
    bool ahead_ = false;               ///< respond_ahead()
    bool unlatched_ = false;           ///< caught_up() has to latch
    std::uint64_t last_response_ = 0;  ///< edge; only with respond_ahead()
    std::uint64_t wake_due_ = 0;       ///< latest wake_at()
    memory_controller_counts counts_;
    level_meter pending_, occupancy_;
    memory_controller_waves waves_;
};

}  // namespace heddle
