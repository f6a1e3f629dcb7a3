// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "hw/base/clock_domain.h"
#include "hw/base/waveform.h"
#include "hw/protocol/local_access.h"
#include "hw/smx/l1/l1_data_cache.h"
#include "hw/smx/lsu/access_checker.h"
#include "hw/smx/lsu/data_requests.h"
#include "hw/smx/lsu/flight_table.h"
#include "hw/smx/lsu/instruction_queue.h"
#include "hw/smx/lsu/line_accesses.h"
#include "hw/smx/lsu/load_latency.h"
#include "hw/smx/lsu/load_path.h"
#include "hw/smx/lsu/load_store_configuration.h"
#include "hw/smx/lsu/load_store_counters.h"
#include "hw/smx/lsu/load_store_statistics.h"
#include "hw/smx/lsu/load_timer.h"
#include "hw/smx/lsu/lost_localities.h"
#include "hw/smx/lsu/memory_client.h"
#include "hw/smx/lsu/memory_instruction.h"
#include "hw/smx/lsu/memory_port.h"
#include "hw/smx/lsu/outstanding_accesses.h"
#include "hw/smx/lsu/private_log.h"
#include "hw/smx/lsu/reservation_wait.h"
#include "hw/smx/lsu/shared_accesses.h"
#include "models/device/allocation_table.h"
#include "models/simt/private_layout.h"

namespace heddle {

/// The caches of a load-store unit; used during construction only.
struct data_cache_configurations {
    const l1_data_cache_configuration& l1d;
    const constant_cache_configuration& constant;
    const read_only_cache_configuration& read_only;
};

/// Which instructions a load-store unit takes in a cycle.
struct load_store_room {
    bool in_queue = true;    ///< instructions that enter the queue
    bool constants = false;  ///< a load of constants, which does not

    friend bool operator==(const load_store_room& a, const load_store_room& b) noexcept {
        return a.in_queue == b.in_queue && a.constants == b.constants;
    }
    friend bool operator!=(const load_store_room& a, const load_store_room& b) noexcept {
        return !(a == b);
    }
};

/// What a load-store unit works with; all of it outlives the unit.
struct load_store_environment {
    clock_domain& domain;
    sm_id sm;
    unsigned lanes;               ///< of a warp
    unsigned warps;               ///< warp slots
    unsigned owners;              ///< of accesses
    simt::private_layout layout;  ///< of private memory
    const allocation_table& ranges;
    memory_client& client;
    memory_port& port;
    protocol::initiator_socket_base<protocol::local_link>& local;
    bool load_latency = true;  ///< collect load_latency_statistics
    unsigned together = 1;     ///< instructions that may issue in one turn: mimd
    bool by_lane = false;      ///< the client hears of lanes whose data has come before others
    /// Gets old values before transactions store to private memory; null without transactions.
    private_log* log = nullptr;
};

/// The load-store unit: address windows, coalescing, L1D, constant cache, shared memory, atomics.
/// Instructions are served in order, one access per cycle: all lanes that access shared memory
/// (shared_accesses), the lanes that load one word of constants (load_path), those that load some
/// lines of the read-only cache (load_path), or the lanes that fall into one line (line_accesses,
/// which says what uses L1D and how).
///
/// It checks and queues instructions, lets the oldest one access, and hands on what comes back:
/// every part calls those that stand below it, never the other way round.
/// ```
///                    load_store_unit
///       instruction_queue  |  reservation_wait  access_checker
///          shared_accesses | load_path  line_accesses
///                          |  cached_loads uncached_loads line_stores line_atomics
///                          |  load_targets line_losses   l1_data_cache data_requests
///                    flight_table
///                 outstanding_accesses
///                    memory_client
/// ```
/// Of several instructions that have issued in one turn (mimd) the oldest makes its access, and
/// those behind it access further lines in the same cycle, as one instruction would: as far as they
/// lie in banks of L1D that this cycle has not used.
///
/// A line that is on its way when a store, an atomic or an invalidation passes is delivered but not
/// installed.
///
/// A transaction's store to private memory is two instructions in the queue: a load of the old
/// words, which fetches the line, and the store.
///
/// A load of one word of constants makes its access as soon as it is accepted: it waits neither
/// for the queue nor for what is in it. If it can't, or has more words, it enters the queue.
///
/// Order of calls at every edge at which the owner is awake:
///   port.receive(); complete(edge); { can_accept(), next_slot(), accept() }...; cycle(edge);
///   port.transmit(). An instruction that is accepted at an edge has its first access at that edge.
/// The owner sleeps while cycle() and transmit() return false, until next_due() or an answer.
/// An access that the cache refuses is tried again when something has changed; every cycle of the
/// wait counts as one reservation fail of its cause.
/// Costs no allocation once its pools have grown.
class load_store_unit final : public memory_requester {
public:
    load_store_unit(const load_store_configuration& configuration,
                    const data_cache_configurations& caches,
                    const load_store_environment& environment);

    /// Whether the queue has room for an instruction.
    [[nodiscard]] bool can_accept() const noexcept { return !queue_.full(); }
    /// Which instructions it takes, as far as the number of accesses in a cycle allows. A load of
    /// constants whose address lies elsewhere waits in the queue. So do loads of constants behind
    /// others that wait there.
    [[nodiscard]] load_store_room room() const noexcept {
        return {!queue_.full(),
                constants_.exists() && !queue_.overfull() && !queue_.head_has_constants()};
    }
    [[nodiscard]] bool has_constant_cache() const noexcept { return constants_.exists(); }
    /// Whether the oldest instruction waits for the cache, as of the last cycle().
    [[nodiscard]] bool blocked() const noexcept { return wait_.waiting(); }
    /// Whether a load of constants finds the constant cache free in the cycle of `edge`.
    [[nodiscard]] bool takes_constants(std::uint64_t edge) const noexcept {
        return room().constants && constants_.is_free(edge);
    }
    /// The slot to fill; only if there is room(). Its fields hold what the last user left.
    [[nodiscard]] queued_instruction& next_slot() noexcept { return queue_.next_slot(); }
    /// Takes what is in next_slot(). Checks alignment and bounds first: false, after
    /// access_fault(), if the access is illegal.
    bool accept();
    /// Takes what is in next_slot(), which is legal: sorted into windows, addresses of private
    /// memory in device memory.
    void enter(queued_instruction& m);

    /// Step (1): reports the accesses whose latency ends at this edge.
    void complete(std::uint64_t edge) {
        shared_.complete(edge);
        constants_.complete(edge);
        read_only_.complete(edge);
        lines_.complete(edge);
    }
    /// Step (5): one access, and the write-back of one line that write_back() has asked for. True:
    /// call again at the next edge.
    bool cycle(std::uint64_t edge) {
        const bool wrote = written_for_.any() && write_line_back();
        return (!queue_.empty() && edge >= shared_.busy_until() && head_cycle(edge)) || wrote;
    }
    /// Next edge at which complete() or cycle() has something to do without an answer from memory;
    /// ~0 if there is none.
    [[nodiscard]] std::uint64_t next_due() const noexcept;

    /// Stores (of any window) in the queue, global writes and atomics that memory has not
    /// acknowledged, and write-backs of the owner's private lines under way. With writes_back(),
    /// dirty lines of L1D that hold global writes of the owner count, too.
    [[nodiscard]] std::uint32_t outstanding_writes(access_owner owner) const noexcept {
        return outstanding_.writes(owner);
    }
    /// Instructions of the owner that have not completed: its slot is not free before 0.
    [[nodiscard]] std::uint32_t outstanding_instructions(access_owner owner) const noexcept {
        return outstanding_.instructions(owner);
    }
    /// Whether the owner has nothing under way.
    [[nodiscard]] bool is_idle(access_owner owner) const noexcept {
        return outstanding_instructions(owner) == 0 && outstanding_writes(owner) == 0;
    }

    /// First block of a launch: forgets global lines, constants and read-only data.
    void begin_launch();
    /// Fence: forgets global lines.
    void invalidate_global();
    /// Whether L1D keeps stores to global memory until they are written back.
    [[nodiscard]] bool writes_back() const noexcept { return cache_.writes_back(); }
    /// What these owners have written to global memory goes to memory, one line in a cycle, in the
    /// order in which lines became dirty: from now on until an owner has no write outstanding.
    /// Nothing without writes_back(). True: cycle() has something to do.
    bool write_back(const owner_set& owners);
    /// Writes the dirty lines of private regions first ... first + count - 1 back, as far as there
    /// is room, beginning with place `from` of the cache, which counts up; false while lines are
    /// left. No instruction of their warps may be outstanding.
    [[nodiscard]] bool write_private_back(const memory_source& source, std::uint32_t first,
                                          std::uint32_t count, std::size_t& from);
    /// The private memory of regions first ... first + count - 1 is dead: forgets their lines.
    /// No instruction of their warps may be outstanding.
    void discard_private(std::uint32_t first, std::uint32_t count);

    /// From now on the lines that warps lose in L1D are remembered, `entries` a warp in sets of
    /// `ways`.
    void keep_victim_tags(unsigned entries, unsigned ways);
    /// A new warp has the slot.
    void forget_victims(warp_slot warp) { lost_.forget(warp); }

    [[nodiscard]] const load_store_counters& counters() const noexcept { return counters_; }
    [[nodiscard]] const l1_data_cache_counters& cache_counters() const noexcept {
        return cache_.counters();
    }
    /// Of loads of global memory.
    [[nodiscard]] const load_latency& latency() const noexcept { return timer_.latency(); }
    /// Of loads of constants.
    [[nodiscard]] const histogram& constant_latency() const noexcept {
        return constant_timer_.latency().total();
    }
    /// Cycles before `edge` in which an access had to wait for the cache.
    [[nodiscard]] std::uint64_t reservation_fails(reservation_fail cause,
                                                  std::uint64_t edge) const noexcept {
        return wait_.cycles(cause, edge);
    }

    /// What the machine shows of L1D, up to `edge`.
    [[nodiscard]] l1d_counts l1d(std::uint64_t edge) const;
    /// What the machine shows of the constant cache, up to `edge`.
    [[nodiscard]] load_cache_counts constants(std::uint64_t edge) const;
    /// The same of the read-only cache.
    [[nodiscard]] load_cache_counts read_only(std::uint64_t edge) const;
    /// Unit, caches, latencies: statistics under `scope` ("smx.3.lsu.…", "smx.3.l1d.…",
    /// "smx.3.constant_cache.…", "smx.3.load_latency.…",
    /// "smx.3.constant_latency.…") up to `edge`.
    void collect(statistics& into, const std::string& scope, std::uint64_t edge) const;
    /// Declares the unit's state; push it with publish() from update().
    void trace(waveform& waves, const std::string& scope);
    void publish();
    /// For the wait-for report; empty if nothing waits.
    [[nodiscard]] std::string waiting_for() const;

    void responded(memory_request& request) override;
    void expect(const memory_request& request) const noexcept override;

private:
    bool head_cycle(std::uint64_t edge);
    bool write_line_back();
    /// A cycle's accesses of the oldest instruction.
    access_refusal access(queued_instruction& m, std::uint64_t edge);
    void serve_turn(std::uint64_t edge);
    void finish(const queued_instruction& m);
    void leave_queue();
    [[nodiscard]] load_cache_counts counts_of(const load_path& path, reservation_fail cause,
                                              std::uint64_t edge) const;
    /// A load of constants makes its access without the queue. False: it has to wait there.
    bool load_constants(queued_instruction& m);

    // What every cycle looks at comes first.
    instruction_queue queue_;
    reservation_wait wait_;  ///< of the queue's head
    owner_set written_for_;  ///< whose global writes go to memory
    shared_accesses shared_;
    load_path constants_;
    load_path read_only_;
    const bool together_;  ///< several instructions may issue in one turn
    line_accesses lines_;

    memory_client& client_;
    const clock_domain& domain_;
    const simt::private_layout layout_;
    const unsigned warps_;
    const std::uint32_t line_bytes_;
    access_checker checker_;
    outstanding_accesses outstanding_;
    flight_table flights_;
    load_store_counters counters_;
    load_timer timer_;
    load_timer constant_timer_;
    lost_localities lost_;
    private_log* const log_;  ///< null without transactions
    data_requests requests_;
    l1_data_cache cache_;

    wave_integer queue_wave_;
    wave_integer misses_wave_;
    wave_integer constant_misses_wave_;
    wave_integer read_only_misses_wave_;
    wave_state state_wave_;
};

}  // namespace heddle
