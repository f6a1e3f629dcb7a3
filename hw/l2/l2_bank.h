// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <systemc>

#include "hw/base/clock_domain.h"
#include "hw/base/credit_latch.h"
#include "hw/base/inbox.h"
#include "hw/base/payload_pool.h"
#include "hw/base/ring.h"
#include "hw/base/waveform.h"
#include "hw/l2/l2_cache.h"
#include "hw/l2/l2_configuration.h"
#include "hw/protocol/base_access.h"
#include "hw/protocol/base_initiator.h"
#include "models/base/counted_statistics.h"
#include "models/base/run_status.h"
#include "models/base/strong_index.h"

namespace heddle {

/// Of a bank, scope "l2.N".
inline constexpr counted_statistic<l2_counts> l2_statistics[] = {
    {{"accesses", "access", "Loads, stores, atomics and instruction fetches at L2"},
     "l2_accesses",
     count_of<&l2_counts::accesses>},
    {{"hits", "access", "Accesses that found all bytes that they need in a line of the bank"},
     nullptr,
     count_of<&l2_counts::hits>},
    {{"misses", "access", "L2 accesses that allocated a line or fetched bytes of one from memory"},
     "l2_misses",
     count_of<&l2_counts::misses>},
    {{"mshr_merges", "access", "Accesses that joined a fetch under way"},
     nullptr,
     count_of<&l2_counts::mshr_merges>},
    {{"miss_rate", "", "L2 misses / L2 accesses"},
     "l2_miss_rate",
     count_of<&l2_counts::misses>,
     count_of<&l2_counts::accesses>},
    {{"loads", "access", "Loads and instruction fetches"}, nullptr, count_of<&l2_counts::loads>},
    {{"stores", "access", "Stores and write-backs of L1 caches"},
     nullptr,
     count_of<&l2_counts::stores>},
    {{"atomics", "access", "Atomic accesses; each has up to a warp's lanes"},
     nullptr,
     count_of<&l2_counts::atomics>},
    {{"fetches", "access", "Reads sent to memory"}, nullptr, count_of<&l2_counts::fetches>},
    {{"evictions", "line", "Lines that were evicted for other lines"},
     nullptr,
     count_of<&l2_counts::evictions>},
    {{"write_backs", "access", "Writes sent to memory"},
     nullptr,
     count_of<&l2_counts::write_backs>},
    {{"errors", "access", "Accesses answered with an error"},
     nullptr,
     count_of<&l2_counts::errors>},
};

/// Beside them. Behind the first one, in the order of what keeps the oldest request.
inline constexpr statistic_declaration l2_stall_statistics[] = {
    {"queue_stall_cycles", "cycle", "Cycles that requests waited for space in the queue"},
    {"miss_stall_cycles", "cycle",
     "Cycles in which the oldest request waited for a free miss register"},
    {"target_stall_cycles", "cycle",
     "Cycles in which the oldest request waited because the fetch of its line had all its targets"},
    {"way_stall_cycles", "cycle",
     "Cycles in which the oldest request waited because every line of its set was being fetched"},
    {"write_buffer_stall_cycles", "cycle",
     "Cycles in which the oldest request waited for room in the write buffer"},
    {"response_stall_cycles", "cycle",
     "Cycles in which the oldest request waited for room in the response queue"},
    {"busy_stall_cycles", "cycle",
     "Cycles in which the oldest request waited for the access before it"},
};

/// Message ids of a bank's reports.
namespace l2_report {
inline constexpr const char* protocol = "heddle/l2/protocol";
}  // namespace l2_report

/// One bank of the second-level cache, with the atomic unit of its partition.
///
/// Sockets: network_socket (memory_link, target) takes loads, stores, atomics and instruction
/// fetches of one line each; stores and atomics are performed before they are acknowledged.
/// memory_socket (base protocol, initiator) fetches sectors and writes dirty ones back with byte
/// enables; payloads carry memory_access as an ignorable extension. It takes responses at any time
/// (TLM_COMPLETED), early completion included. If memory answers BYTE_ENABLE_ERROR, the bank fills
/// and writes whole lines from then on.
/// Cycle: (1) memory's answers, (2) one access: a waiting one whose bytes have come, else the
/// oldest request, (3) one request to memory, (4) one response, (5) acceptance.
/// Costs: a request seen at edge e is accessed at e at the earliest and answered hit_latency later;
/// it keeps the bank for bank_cycles() and is answered so much later, less one.
/// While room is left in the queue it is accepted in the call, else end_request is withheld.
/// transport_dbg returns the newest bytes of line, write-backs under way, memory; it writes all of
/// them. Requests that have not been accessed are not seen. No DMI.
/// Illegal requests (check_request()) and errors of memory are answered with the TLM status and
/// reported to run_status; nothing is written. Parameters: l2_configuration.
class l2_bank final : public sc_core::sc_module, public clocked {
public:
    protocol::target_socket_of<l2_bank, protocol::memory_link> network_socket;
    protocol::initiator_socket_of<l2_bank, protocol::base_link> memory_socket;

    /// `waves` may be null; it, `domain` and `status` outlive the bank.
    l2_bank(const sc_core::sc_module_name& name, clock_domain& domain, bank_id bank,
            const l2_configuration& configuration, run_status& status, waveform* waves = nullptr);
    ~l2_bank() override;

    void mark_writes(written_pages& in) noexcept { cache_.mark_writes(in); }

    void evaluate() override;
    [[nodiscard]] activity update() override;
    [[nodiscard]] std::string waiting_for() const override;

    /// Nothing is queued or under way; lines may be dirty.
    [[nodiscard]] bool empty() const;
    [[nodiscard]] const l2_counts& counts() const noexcept { return cache_.counts(); }
    /// Declares both tables under `scope` and sets them.
    void collect(statistics& out, const std::string& scope) const;

private:
    using payload = tlm::tlm_generic_payload;
    struct response {
        payload* request = nullptr;
        std::uint64_t due = 0;
    };
    /// What keeps the oldest request; l2_cache::stall, then the bank's own.
    static constexpr std::size_t response_stall = 5;
    static constexpr std::size_t busy_stall = 6;
    static constexpr std::size_t stall_count = 7;

    tlm::tlm_sync_enum from_network(payload& request, protocol::memory_phase& phase,
                                    sc_core::sc_time& delay);
    tlm::tlm_sync_enum from_memory(payload& transfer, tlm::tlm_phase& phase,
                                   sc_core::sc_time& delay);
    unsigned debug(payload& access);
    unsigned debug_line(payload& access, unsigned done);
    [[nodiscard]] bool debug_around(payload& access);

    void take_answers(std::uint64_t edge);
    void take_answer(protocol::memory_transaction& transfer);
    void access_one(std::uint64_t edge);
    void access_oldest(payload& request);
    /// `access`: the request's own; null: it has none.
    void respond_later(payload& request, protocol::memory_access* access);
    void set_stall(std::size_t reason);
    void request_memory();
    void respond(std::uint64_t edge);
    void accept(std::uint64_t edge);
    [[gnu::cold, gnu::noinline]] void refuse(payload& request, tlm::tlm_response_status status,
                                             const char* reason);
    /// As protocol::access_times has it.
    [[nodiscard]] double time_of(std::uint64_t edge) const noexcept {
        return static_cast<double>(edge) * period_;
    }
    [[nodiscard]] bool debug_memory(payload& access, std::uint64_t address, std::uint8_t* data,
                                    unsigned length, const byte_mask& enabled);
    [[nodiscard]] bool works_at(std::uint64_t next) const;
    [[gnu::noinline]] void show_waves();

    const l2_configuration configuration_;
    const l2_partition partition_;
    const bank_id bank_;
    run_status& status_;
    l2_cache cache_;
    protocol::memory_pool transfers_;
    inbox<payload*> requests_;
    protocol::base_initiator memory_;
    inbox<bool> response_ends_;
    inbox<payload*> unaccepted_;  ///< the last of requests_, if its end_request is withheld
    credit_latch credit_;
    const double period_;  ///< picoseconds
    ring<response> responses_;
    std::uint64_t busy_until_ = 0;  ///< edge; the last access keeps the bank until then
    bool responding_ = false;       ///< a response waits for end_response
    bool progress_ = false;
    bool oldest_is_legal_ = false;  ///< it has been checked, and waits
    std::uint64_t wake_due_ = 0;    ///< latest wake_at()
    std::uint64_t queue_stall_ = 0;
    std::array<std::uint64_t, stall_count> stalls_{};
    std::size_t stall_ = 0;          ///< present one; 0 is none
    std::uint64_t stall_since_ = 0;  ///< edge
    wave_integer requests_wave_, misses_wave_, write_buffer_wave_, responses_wave_;
    bool waves_on_ = false;  ///< any of these
};

}  // namespace heddle
