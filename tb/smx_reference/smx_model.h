// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "hw/protocol/block_dispatch.h"
#include "hw/smx/pipeline/cycle_account.h"
#include "hw/smx/smx_configuration.h"
#include "models/base/machine_configuration.h"
#include "models/device/allocation_table.h"
#include "models/program/image.h"
#include "models/simt/reconvergence_stack.h"
#include "tb/smx_reference/event.h"
#include "tb/smx_reference/load_store_model.h"
#include "tb/smx_reference/thread_model.h"
#include "tb/warp_scheduler_reference.h"

namespace heddle::smx_reference {

struct smx_settings {
    machine_configuration machine;
    smx_configuration smx;
    l1i_configuration l1i;
    warp_scheduler_configuration scheduler;
    load_store_settings memory;
};

/// An SMX, cycle by cycle, as docs/smx_rules.md describes it: one list of warps that is looked
/// through in every step of every cycle. No masks, no wheels, no sleeping. Registers that only
/// carry data are not computed (thread_model).
class smx_model {
public:
    struct counts {
        std::array<std::uint64_t, cycle_cause_count> issue_slots{};
        std::uint64_t fetches = 0, fetch_misses = 0, writeback_conflicts = 0, second_issues = 0,
                      resident_warps = 0, executing_warps = 0, active_cycles = 0;
    };

    smx_model(const smx_settings& settings, const program::image& image,
              const allocation_table& ranges);

    // What arrives before a cycle.
    void dispatch(pool_ptr<protocol::block_dispatch> block) { dispatched_.push_back(block); }
    void credit() { credits_ = true; }
    void answer(const std::shared_ptr<request>& what) { answers_.push_back(what); }

    /// The cycle of an edge; edges come one after another.
    void cycle(std::uint64_t edge);

    /// What has happened in the last cycle.
    [[nodiscard]] const std::vector<event>& events() const { return events_; }
    /// The request that began in it, or null.
    [[nodiscard]] const std::shared_ptr<request>& begun() const { return begun_; }
    [[nodiscard]] const counts& counted() const { return counts_; }
    [[nodiscard]] const load_store_model& memory() const { return memory_; }

private:
    enum class state {
        absent,
        at_barrier,
        at_fence,
        no_instructions,
        waits_memory,
        waits_constants,
        waits_result,
        ready
    };
    struct warp {
        bool resident = false;  ///< belongs to a block
        bool live = false;      ///< has not ended
        unsigned block = 0, index = 0;
        thread_model threads;
        simt::reconvergence_stack path;
        unsigned buffered = 0;   ///< instructions
        bool path_open = false;  ///< a branch, jump, return or exit is ahead of fetch
        bool fetching = false;
        bool at_barrier = false, at_fence = false;
        std::map<unsigned, state> waits;  ///< registers, and what for
        std::uint64_t issued = 0;         ///< instructions
    };
    struct block {
        pool_ptr<protocol::block_dispatch> dispatch;  ///< null: no block
        bool announced = false;
        std::uint32_t threads = 0, waiting = 0;  ///< that have not ended; at the barrier
        std::set<unsigned> warps;
    };
    struct timed {
        std::uint64_t due;
        unsigned warp;
        unsigned value;  ///< register, or instructions
    };
    struct line {
        std::uint32_t address;
        std::uint64_t used;
    };

    // The steps; those of write-back, fetch and blocks are in smx_model_front.cpp.
    void memory_step();
    void write_back_step();
    void write_through_one_port();
    void fetch_events();
    void issue_step();
    void fetch_step();
    void block_step();

    [[nodiscard]] state state_of(const warp& w) const;
    /// Whether the instruction at `pc` takes the constant cache.
    [[nodiscard]] bool loads_constants(std::uint32_t pc) const;
    [[nodiscard]] const isa::instruction& head(const warp& w) const;
    /// Whether unit and load-store unit take the warp's next instruction; it is ready.
    [[nodiscard]] bool is_taken(const warp& w, unsigned scheduler) const;
    [[nodiscard]] bool counts_as_memory(const isa::instruction& i, std::uint32_t pc) const;
    [[nodiscard]] bool is_own(unsigned scheduler, unsigned slot) const;
    void run_scheduler(unsigned s, reference_scheduler::signals signals);
    [[nodiscard]] cycle_cause cause_of(unsigned s) const;
    void issue(unsigned scheduler, unsigned slot);
    void go_on(unsigned slot, const isa::instruction& i, std::uint32_t pc, isa::lane_mask lanes);
    void transfer(warp& w, unsigned slot, const isa::instruction& i, std::uint32_t pc,
                  isa::lane_mask lanes);
    void end_threads(unsigned slot, isa::lane_mask lanes);
    void access(unsigned slot, const isa::instruction& i, std::uint32_t pc, isa::lane_mask lanes);
    void choose_windows(memory_operation& m, const lane_list& lanes, unsigned slot) const;
    [[nodiscard]] const program::kernel_code& code() const { return image_.code(); }
    [[nodiscard]] bool can_fetch(const warp& w) const;
    [[nodiscard]] std::uint32_t fetch_pc(const warp& w) const {
        return w.path.top().next_pc + 4 * w.buffered;
    }
    bool fetch(unsigned slot);
    [[nodiscard]] unsigned instructions_for(const warp& w) const;
    void deliver(unsigned slot, unsigned instructions);
    void fill_line(std::uint32_t address);
    void start_block(pool_ptr<protocol::block_dispatch> dispatch);
    void tell(event::kind what, std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0,
              std::uint64_t d = 0) {
        events_.push_back({what, {a, b, c, d}});
    }
    void completed(const memory_operation& m);

    smx_settings settings_;
    const program::image& image_;
    const allocation_table& ranges_;
    std::uint64_t edge_ = 0;
    std::vector<warp> warps_;
    std::vector<block> blocks_;
    std::vector<event> events_;
    std::shared_ptr<request> begun_;
    std::vector<pool_ptr<protocol::block_dispatch>> dispatched_;
    bool credits_ = false;
    std::vector<std::shared_ptr<request>> answers_;

    port_model port_;
    load_store_model memory_;
    std::vector<reference_scheduler> schedulers_;
    std::vector<cycle_cause> causes_;
    std::vector<std::optional<unsigned>> picked_;
    std::array<std::vector<std::uint64_t>, unit_class_count> inputs_;  ///< free from
    std::vector<std::uint64_t> pipelines_;                             ///< of the schedulers
    std::vector<state> states_;  ///< at the beginning of step (3)
    bool room_at_begin_ = true;
    std::set<std::uint32_t> off_global_pcs_;  ///< went to shared or private memory

    // since the last step (3)
    std::uint64_t started_ = 0, ended_ = 0;
    std::array<bool, 64> memory_done_{}, lost_{};
    std::uint64_t ended_now_ = 0;

    std::vector<timed> results_;   ///< in the order of their issue
    unsigned memory_results_ = 0;  ///< registers that memory has written in this cycle
    std::uint64_t port_free_ = 0;  ///< smx.writeback_interval: edge from which the port is free
    bool held_ = false;            ///< a result waits for it
    std::vector<timed> turns_;     ///< paths that become known
    std::vector<timed> arrivals_;  ///< fetches that have hit
    std::vector<timed> releases_;  ///< warps that leave a barrier
    std::vector<line> lines_;      ///< L1I
    std::map<std::uint32_t, std::set<unsigned>> missing_;  ///< lines under way, who waits
    unsigned next_fetch_ = 0;
    counts counts_;
};

}  // namespace heddle::smx_reference
