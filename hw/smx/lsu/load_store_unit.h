// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "hw/base/clock_domain.h"
#include "hw/protocol/shared_access.h"
#include "hw/smx/l1/l1_data_cache.h"
#include "hw/smx/lsu/cache_maintenance.h"
#include "hw/smx/lsu/instruction_entry.h"
#include "hw/smx/lsu/line_accesses.h"
#include "hw/smx/lsu/load_store_configuration.h"
#include "hw/smx/lsu/load_store_report.h"
#include "hw/smx/lsu/queue/memory_client.h"
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
    protocol::initiator_socket_base<protocol::shared_link>& shared;
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
/// Instructions come in by instruction_entry; the unit lets the oldest one access. Each part that
/// asks memory gets its own answers from the memory port. Every part calls those that stand below
/// it, never the other way round.
/// ```
///                    load_store_unit            cache_maintenance  load_store_report
///       instruction_entry  |
///          shared_accesses | line_accesses                                  lsu
///       ------------------ | ----------------------------------------------
///             load_path  cached_loads uncached_loads  load_targets          loads
///       -------------------------------------------------------------------
///          line_stores line_atomics line_losses   l1_data_cache data_requests   lines
///       -------------------------------------------------------------------
///        instruction_queue reservation_wait access_checker flight_table
///             outstanding_accesses memory_client                            queue
/// ```
/// Of several instructions that have issued in one turn (mimd) the oldest makes its access, and
/// those behind it access further lines in the same cycle, as one instruction would: as far as they
/// lie in banks of L1D that this cycle has not used.
///
/// A line that is on its way when a store, an atomic or an invalidation passes is delivered but not
/// installed.
///
/// Order of calls at every edge at which the owner is awake:
///   port.receive(); complete(edge); { can_accept(), next_slot(), accept() }...; cycle(edge);
///   port.transmit(). An instruction that is accepted at an edge has its first access at that edge.
/// The owner sleeps while cycle() and transmit() return false, until next_due() or an answer.
/// An access that the cache refuses is tried again when something has changed; every cycle of the
/// wait counts as one reservation fail of its cause.
/// Costs no allocation once its pools have grown.
class load_store_unit final {
public:
    load_store_unit(const load_store_configuration& configuration,
                    const data_cache_configurations& caches,
                    const load_store_environment& environment);

    /// `profile` is told of the accesses. Call before the run starts.
    void follow(code_profile& profile) noexcept {
        shared_.follow(profile);
        lines_.follow(profile);
        constants_.follow(profile);
        read_only_.follow(profile);
    }

    /// A debugger has changed a byte of device memory: so does the copy in L1D, if there is one.
    void change(std::uint32_t address, std::uint8_t value) noexcept {
        cache_.change(address, value);
    }

    // What comes in
    /// Whether the queue has room for an instruction.
    [[nodiscard]] bool can_accept() const noexcept { return !queue_.full(); }
    /// Which instructions it takes.
    [[nodiscard]] load_store_room room() const noexcept { return entry_.room(); }
    [[nodiscard]] bool has_constant_cache() const noexcept { return constants_.exists(); }
    /// Whether the oldest instruction waits for the cache, as of the last cycle().
    [[nodiscard]] bool blocked() const noexcept { return wait_.waiting(); }
    /// Whether a load of constants finds the constant cache free in the cycle of `edge`.
    [[nodiscard]] bool takes_constants(std::uint64_t edge) const noexcept {
        return room().constants && constants_.is_free(edge);
    }
    /// The slot to fill; only if there is room(). Its fields hold what the last user left.
    [[nodiscard]] memory_instruction& next_slot() noexcept { return queue_.next_slot(); }
    /// Takes what is in next_slot(); a fault, and takes nothing, if its access is illegal.
    std::optional<access_checker::fault> accept() { return entry_.accept(); }
    /// Takes a store that gives private memory its old words; only if can_accept().
    void restore(const memory_source& source, access_owner owner, warp_slot warp,
                 const old_words& words) {
        entry_.restore(source, owner, warp, words);
    }

    // The cycle
    /// Step (1): reports the accesses whose latency ends at this edge.
    void complete(std::uint64_t edge) {
        shared_.complete(edge);
        constants_.complete(edge);
        read_only_.complete(edge);
        lines_.complete(edge);
    }
    /// Step (5): one access, and a line that maintenance() writes back. True: call again at the
    /// next edge.
    bool cycle(std::uint64_t edge) {
        const bool wrote = maintenance_.cycle();
        return (!queue_.empty() && edge >= shared_.busy_until() && head_cycle(edge)) || wrote;
    }
    /// Next edge at which complete() or cycle() has something to do without an answer from memory;
    /// ~0 if there is none.
    [[nodiscard]] std::uint64_t next_due() const noexcept;

    // What is under way
    /// Stores (of any window) in the queue, global writes and atomics that memory has not
    /// acknowledged, and write-backs of the owner's private lines under way. Where L1D writes back,
    /// dirty lines that hold global writes of the owner count, too.
    [[nodiscard]] std::uint32_t outstanding_writes(access_owner owner) const noexcept {
        return outstanding_.writes(owner);
    }
    /// Instructions that have not completed, by owner.
    [[nodiscard]] of_each_warp<std::uint32_t> instructions_by_owner() const noexcept {
        return outstanding_.instructions_by_owner();
    }
    /// Instructions of the owner that have not completed: its slot is not free before 0.
    [[nodiscard]] std::uint32_t outstanding_instructions(access_owner owner) const noexcept {
        return outstanding_.instructions(owner);
    }
    /// Whether the owner has nothing under way.
    [[nodiscard]] bool is_idle(access_owner owner) const noexcept {
        return outstanding_instructions(owner) == 0 && outstanding_writes(owner) == 0;
    }

    [[nodiscard]] cache_maintenance& maintenance() noexcept { return maintenance_; }
    [[nodiscard]] const cache_maintenance& maintenance() const noexcept { return maintenance_; }
    [[nodiscard]] load_store_report& report() noexcept { return report_; }
    [[nodiscard]] const load_store_report& report() const noexcept { return report_; }

private:
    [[nodiscard]] line_environment line_environment_of(const load_store_environment& of) noexcept;
    bool head_cycle(std::uint64_t edge);
    /// A cycle's accesses of the oldest instruction.
    access_refusal access(queued_instruction& m, std::uint64_t edge);
    void serve_turn(std::uint64_t edge);
    void finish(const queued_instruction& m);
    void leave_queue();

    // What every cycle looks at comes first.
    instruction_queue queue_;
    reservation_wait wait_;  ///< of the queue's head
    cache_maintenance maintenance_;
    shared_accesses shared_;
    load_path constants_;
    load_path read_only_;
    const bool together_;  ///< several instructions may issue in one turn
    line_accesses lines_;

    memory_client& client_;
    instruction_entry entry_;
    outstanding_accesses outstanding_;
    flight_table flights_;
    load_store_counters counters_;
    load_timer timer_;
    load_timer constant_timer_;
    lost_localities lost_;
    data_requests requests_;
    l1_data_cache cache_;
    line_losses losses_;
    load_store_report report_;
};

}  // namespace heddle
