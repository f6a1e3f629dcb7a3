// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/waveform.h"
#include "hw/protocol/local_access.h"
#include "hw/smx/l1/l1_data_cache.h"
#include "hw/smx/l1/victim_tags.h"
#include "hw/smx/lsu/access_checker.h"
#include "hw/smx/lsu/coalescer.h"
#include "hw/smx/lsu/due_ring.h"
#include "hw/smx/lsu/load_latency.h"
#include "hw/smx/lsu/load_store_configuration.h"
#include "hw/smx/lsu/memory_port.h"
#include "models/base/statistics.h"
#include "models/device/allocation_table.h"
#include "models/isa/instruction.h"
#include "models/simt/private_layout.h"

namespace heddle {

struct local_memory_configuration;

/// A load, store or atomic of a warp; filled in place by the pipeline at issue.
struct memory_instruction {
    warp_slot warp{};
    block_slot block{};
    protocol::launch_id launch{};
    std::uint32_t block_index = 0;                  ///< linear, in the grid
    std::uint64_t number = 0;                       ///< of the warp's instructions, for the client
    std::uint32_t private_region = 0;               ///< of this warp
    std::uint32_t shared_base = 0;                  ///< of the block, in the SM's local memory
    std::uint32_t shared_bytes = 0;                 ///< of the block
    const isa::instruction* instruction = nullptr;  ///< stays valid until completed
    isa::lane_mask lanes = 0;
    alignas(64) std::uint32_t address[protocol::maximum_lanes];  ///< effective, in active lanes
    alignas(64) std::uint32_t data[protocol::maximum_lanes];     ///< x[rs2]: stores, atomics
    alignas(64) std::uint32_t compare[protocol::maximum_lanes];  ///< x[rs3]: amocas.w
};

/// What the load-store unit tells the pipeline. No call may call back into accept().
class memory_client {
public:
    /// Values of some lanes of a load or atomic, extended as the instruction says. They may be
    /// written to rd (row 32 is the sink) at once: the scoreboard hides them until completed().
    virtual void loaded(warp_slot warp, std::uint64_t number, std::uint8_t rd, isa::lane_mask lanes,
                        const std::uint32_t* values) = 0;
    /// Load, atomic: all lanes have their value and rd may be read at this edge. Store: it has left
    /// the queue. Called once per accepted instruction.
    virtual void completed(warp_slot warp, std::uint64_t number,
                           const isa::instruction& instruction) = 0;
    /// outstanding_writes(warp) has fallen to 0: fences and ends of blocks wait for that.
    virtual void writes_drained(warp_slot warp) = 0;
    /// An illegal access: `what` is the functional simulator's text ("illegal read of 4 bytes at
    /// ..."). The instruction has been dropped; completed() will not be called for it.
    virtual void access_fault(warp_slot warp, unsigned lane, std::uint32_t address,
                              const std::string& what) = 0;

    /// A load has missed on a line of L1D that the warp had brought and lost; only if
    /// keep_victim_tags() was called.
    virtual void lost_locality(warp_slot) {}

protected:
    ~memory_client() = default;
};

struct load_store_counters {
    std::uint64_t loads = 0;            ///< instructions
    std::uint64_t stores = 0;           ///< instructions
    std::uint64_t atomics = 0;          ///< instructions
    std::uint64_t line_accesses = 0;    ///< to global and private memory
    std::uint64_t shared_accesses = 0;  ///< to shared memory
    std::uint64_t uncached_loads = 0;   ///< line accesses that bypassed L1D
    std::uint64_t write_requests = 0;   ///< global stores to memory
    std::uint64_t atomic_requests = 0;
    std::uint64_t lost_localities = 0;  ///< misses on lines that the warp had lost
    std::uint64_t bank_conflicts = 0;   ///< cycles with lanes that wait for a bank of L1D
};

/// What a load-store unit works with; all of it outlives the unit.
struct load_store_environment {
    clock_domain& domain;
    sm_id sm;
    unsigned lanes;               ///< 32 or 64
    unsigned warps;               ///< warp slots
    simt::private_layout layout;  ///< of private memory
    const allocation_table& ranges;
    memory_client& client;
    memory_port& port;
    protocol::initiator_socket_base<protocol::local_link>& local;
    bool load_latency = true;  ///< collect load_latency_statistics
};

/// The load-store unit: address windows, coalescing, L1D, shared memory, atomics. Instructions are
/// served in order, one access per cycle: the lanes that fall into one line of L1D, or all lanes
/// that access shared memory, whose bank conflicts keep the unit busy. With l1d.banks above 1 a
/// load or store that uses L1D accesses one line of each bank per cycle, so that it takes as many
/// cycles as its lines in one bank.
///
/// Data: a load takes its value at the L1D hit or at the fill. Global stores write through and
/// never allocate; a line that is on its way when a store, an atomic or an invalidation passes is
/// delivered but not installed. Atomics on global (and private) memory drop the SM's own line and
/// execute in memory. ldcg, ldcv and parameter reads (runtime reserve) bypass L1D, as do all
/// plain loads of global memory unless l1d.cache_global is on. Private memory is write-back.
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
                    const l1_data_cache_configuration& l1d, const local_memory_configuration& local,
                    const load_store_environment& environment);

    /// Whether the queue has room for an instruction.
    [[nodiscard]] bool can_accept() const noexcept { return count_ < queue_.size(); }
    /// Whether the oldest instruction waits for the cache, as of the last cycle().
    [[nodiscard]] bool blocked() const noexcept { return blocked_; }
    /// The slot to fill; only if can_accept(). Its fields hold what the last user left.
    [[nodiscard]] memory_instruction& next_slot() noexcept;
    /// Takes what is in next_slot(). Checks alignment and bounds first: false, after
    /// access_fault(), if the access is illegal.
    bool accept();

    /// Step (1): reports the accesses whose latency ends at this edge.
    void complete(std::uint64_t edge) {
        while (shared_.due(edge)) finish_access(shared_.pop());
        while (hits_.due(edge)) finish_access(hits_.pop());
    }
    /// Step (5): one access. True: call again at the next edge.
    bool cycle(std::uint64_t edge) {
        return count_ != 0 && edge >= busy_until_ && head_cycle(edge);
    }
    /// Next edge at which complete() or cycle() has something to do without an answer from memory;
    /// ~0 if there is none.
    [[nodiscard]] std::uint64_t next_due() const noexcept;

    /// Stores (of any window) in the queue, global writes and atomics that memory has not
    /// acknowledged, and write-backs of the warp's private lines under way.
    [[nodiscard]] std::uint32_t outstanding_writes(warp_slot warp) const noexcept;
    /// Instructions of the warp that have not completed: its slot is not free before 0.
    [[nodiscard]] std::uint32_t outstanding_instructions(warp_slot warp) const noexcept;

    /// Fence, first block of a launch: forgets global lines.
    void invalidate_global();
    /// The private memory of regions first ... first + count - 1 is dead: forgets their lines.
    /// No instruction of their warps may be outstanding.
    void discard_private(std::uint32_t first, std::uint32_t count);

    /// From now on the lines that warps lose in L1D are remembered, `entries` a warp in sets of
    /// `ways`.
    void keep_victim_tags(unsigned entries, unsigned ways);
    /// A new warp has the slot.
    void forget_victims(warp_slot warp) {
        if (victims_ != nullptr) victims_->clear(warp);
    }

    [[nodiscard]] const load_store_counters& counters() const noexcept { return counters_; }
    [[nodiscard]] const l1_data_cache_counters& cache_counters() const noexcept {
        return cache_.counters();
    }
    /// Of loads of global memory.
    [[nodiscard]] const load_latency& latency() const noexcept { return latency_; }
    /// Cycles before `edge` in which an access had to wait for the cache.
    [[nodiscard]] std::uint64_t reservation_fails(reservation_fail cause,
                                                  std::uint64_t edge) const noexcept;

    /// Unit, L1D, latencies: statistics under `scope` ("smx.3.lsu.…", "smx.3.l1d.…",
    /// "smx.3.load_latency.…") up to `edge`.
    void collect(statistics& into, const std::string& scope, std::uint64_t edge) const;
    /// Declares the unit's state; push it with publish() from update().
    void trace(waveform& waves, const std::string& scope);
    void publish();
    /// For the wait-for report; empty if nothing waits.
    [[nodiscard]] std::string waiting_for() const;

    void responded(memory_request& request) override;

private:
    static constexpr std::uint32_t none = ~0u;
    static constexpr std::uint64_t not_timed = ~std::uint64_t{0};
    /// Tags of loads: an index of targets_, or this and a miss register.
    static constexpr std::uint32_t fill_tag = 1u << 31;

    struct queued_instruction : memory_instruction {
        access_checker::windows left;  ///< lanes that have not accessed
        std::uint32_t pending = none;  ///< index of pending_: loads, atomics
        std::uint64_t queued = 0;      ///< edge of accept()
    };
    /// A load or atomic that some lanes wait for.
    struct pending_instruction {
        warp_slot warp{};
        const isa::instruction* instruction = nullptr;
        std::uint64_t number = 0;
        std::uint32_t accesses = 0;  ///< under way, and one while in the queue
        std::uint32_t next = none;   ///< of the free ones
    };
    /// Some lanes of a load that wait for a line.
    struct load_target {
        std::uint32_t pending = none;
        std::uint32_t next = none;  ///< of those that wait for the same line, or of the free ones
        isa::lane_mask lanes = 0;
        std::uint64_t queued = not_timed;   ///< edges: of the instruction's accept()
        std::uint64_t joined = 0;           ///< of the access
        coalescer::lane_offsets offsets{};  ///< in the answer
    };
    struct target_list {
        std::uint32_t first = none;
        std::uint32_t last = none;
    };
    using line_access = coalescer::line_access;

    [[nodiscard]] queued_instruction& head() noexcept { return queue_[first_]; }
    bool head_cycle(std::uint64_t edge);
    /// One access of the head. False: it has to wait for `cause`.
    bool access(std::uint64_t edge, reservation_fail& cause);
    bool access_line(const line_access& a, bool of_thread, std::uint64_t edge,
                     reservation_fail& cause);
    /// Whether the head's access of this line goes through the banks of L1D.
    [[nodiscard]] bool uses_bank(const line_access& a, bool of_thread) noexcept;
    /// The head's lines that lie in other banks than `first`, one of each bank.
    void access_other_banks(const line_access& first, bool of_thread, std::uint64_t edge);
    void access_shared(std::uint64_t edge);
    bool load_line(const line_access& a, bool of_thread, std::uint64_t edge,
                   reservation_fail& cause);
    bool store_line(const line_access& a, bool of_thread, reservation_fail& cause);
    bool atomic_line(const line_access& a, bool of_thread, reservation_fail& cause);
    void leave_queue();

    /// Whether a load adds to latency().
    [[nodiscard]] bool is_timed(bool of_thread) const noexcept {
        return environment_.load_latency && !of_thread;
    }
    [[nodiscard]] bool is_cached(std::uint32_t line, bool of_thread) const noexcept;
    memory_request& new_request(protocol::memory_kind kind, std::uint32_t address, unsigned length);
    void request_line(const line_access& a, std::uint16_t miss);
    void request_sectors(const line_access& a, std::uint64_t edge);
    void write_back_evicted();
    void note_victims(std::uint32_t line);
    std::uint32_t new_target(const line_access& a, std::uint32_t base, std::uint64_t edge);
    void deliver(std::uint32_t target, const std::uint8_t* data, memory_request& answer);
    void deliver_atomic(memory_request& request);

    std::uint32_t new_pending(const memory_instruction& m);
    void finish_access(std::uint32_t pending);
    void write_done(warp_slot warp);
    void note_change() noexcept { retry_ = true; }

    load_store_environment environment_;
    std::uint32_t line_bytes_;
    std::uint32_t sector_;
    std::uint32_t hit_latency_;
    std::uint32_t local_latency_;
    bool cache_global_;
    std::uint32_t banks_;  ///< of L1D
    l1_data_cache cache_;
    access_checker checker_;
    std::unique_ptr<victim_tags> victims_;  ///< null unless somebody wants to know

    std::vector<queued_instruction> queue_;
    std::uint32_t first_ = 0;
    std::uint32_t count_ = 0;
    std::uint64_t busy_until_ = 0;  ///< banks of shared memory are busy before this edge
    line_access next_{};            ///< of the head, if next_known_: kept while it has to wait
    bool next_known_ = false;

    bool blocked_ = false;  ///< the head waits for block_cause_
    bool retry_ = false;    ///< something has changed since
    reservation_fail block_cause_{};
    unsigned block_room_ = 0;          ///< of the port, when the head was refused
    std::uint64_t blocked_since_ = 0;  ///< edge up to which fails_ accounts

    std::vector<pending_instruction> pending_;
    std::uint32_t free_pending_ = none;
    std::vector<load_target> targets_;
    std::uint32_t free_targets_ = none;
    std::vector<target_list> waiting_;  ///< by miss register
    due_ring hits_;
    due_ring shared_;
    std::vector<std::uint32_t> writes_;        ///< by warp
    std::vector<std::uint32_t> instructions_;  ///< by warp

    pool<protocol::local_access> local_pool_;
    pool_ptr<protocol::local_access> local_;
    std::uint64_t cycle_ticks_ = 0;
    const double edges_per_picosecond_;

    coalescer::lane_offsets offsets_{};
    alignas(64) std::array<std::uint32_t, protocol::maximum_lanes> values_{};
    alignas(64) std::array<std::uint8_t, protocol::maximum_line_bytes> line_{};

    load_store_counters counters_;
    load_latency latency_;
    std::array<std::uint64_t, reservation_fail_count> fails_{};
    wave_integer queue_wave_;
    wave_integer misses_wave_;
    wave_state state_wave_;
};

}  // namespace heddle
