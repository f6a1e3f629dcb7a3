// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/smx/block_life/block_life.h"
#include "hw/smx/blocks/block_table.h"
#include "hw/smx/cooperation/cooperation_unit.h"
#include "hw/smx/execute/instruction_executor.h"
#include "hw/smx/issue/issue_front.h"
#include "hw/smx/issue/scheduler_ports.h"
#include "hw/smx/issue/thread_front.h"
#include "hw/smx/issue/turn_sleep.h"
#include "hw/smx/launch/launch_unit.h"
#include "hw/smx/lsu/load_store_unit.h"
#include "hw/smx/memory_port/memory_port.h"
#include "hw/smx/pipeline/issue_table.h"
#include "hw/smx/smx.h"
#include "hw/smx/smx_inside.h"
#include "hw/smx/smx_statistics.h"
#include "hw/smx/warp_scheduler/warp_view.h"

namespace heddle {

class shared_memory;
class smx_transactions;
class execution_tracer;
struct smx_waves;

/// The links of the core, which the module owns.
struct smx_links {
    protocol::target_socket_of<smx, protocol::block_link>& block;
    protocol::initiator_socket_base<protocol::memory_link>& memory;
    protocol::initiator_socket_base<protocol::shared_link>& shared;
    std::vector<scheduler_ports::port> schedulers;
    bool schedulers_follow_smx;    ///< each hears of the events of all warps, else of its own warps
    warp_view& view;               ///< gets what policies may see of the core's warps
    std::vector<pool_user> pools;  ///< by scheduler; empty where the formation has warp slots
    shared_memory& memory_banks;
    smx_transactions& transactions;
    std::optional<launch_commands::links> launches;  ///< none where kernels can't launch
    /// Null where cooperative calls are refused.
    protocol::initiator_socket_base<protocol::cooperation_link>* cooperation;
};

/// The clocked part of an SMX: the order of its cycle, and nothing else. A cycle:
///
/// 1. *Memory.* memory_port hands answers to who asked. load_store_unit ends accesses whose latency
///    is over, which frees registers. Fences pass. launch_unit goes on with launch instructions.
/// 2. *Write-back.* Results of the pipelines free their registers.
/// 3. *Issue.* Each warp scheduler picks a warp, whose instruction executes at once
///    (instruction_executor).
/// 4. *Fetch.* Instruction buffers fill through L1I. The front (issue_front) does steps 2 to 4; it
///    is a warp_front or a thread_front.
/// 5. *Load-store unit.* The oldest memory instruction makes an access.
/// 6. *Blocks.* block_life: cooperative calls, starts, barriers, ends, blocks that leave and come
///    back. Then memory_port begins a request.
///
/// docs/smx.md describes each step. A block whose dispatch evaluate() sees at t has its first fetch
/// at t + 1.
class smx_core final : public clocked {
public:
    smx_core(clock_domain& domain, const std::string& name, sm_id id,
             const smx_configurations& configurations, const smx_environment& environment,
             const smx_links& links);
    ~smx_core() override;

    void reset() override { front_->connect(); }
    void evaluate() override;
    [[nodiscard]] activity update() override;
    [[nodiscard]] std::string waiting_for() const override;

    /// The SMX's end of its block link.
    [[nodiscard]] block_life& life() noexcept { return life_; }
    /// memory_link, backward path.
    tlm::tlm_sync_enum answer(tlm::tlm_generic_payload& payload, protocol::memory_phase& phase,
                              sc_core::sc_time& delay) {
        return port_.nb_transport_bw(payload, phase, delay);
    }

    /// The SMX's end of its launch links; precondition: kernels can launch.
    [[nodiscard]] launch_commands& launches() noexcept { return launch_->commands(); }
    /// The SMX's end of its cooperation link; precondition: it has one.
    [[nodiscard]] cooperation_unit& cooperation() noexcept { return *cooperation_; }

    /// Counts the edges before `edge`. No later edge may have been evaluated yet.
    [[nodiscard]] smx_counts counts(std::uint64_t edge) const;
    [[nodiscard]] smx_counts counts() const { return counts(domain().edge_count()); }
    [[nodiscard]] const load_latency& latency() const noexcept { return lsu_.report().latency(); }
    [[nodiscard]] const histogram& constant_latency() const noexcept {
        return lsu_.report().constant_latency();
    }
    /// What each instruction has cost before this edge; null unless smx_environment asks for it.
    [[nodiscard]] const code_profile* profile() const;
    /// Puts scheduler_cycle_statistics of scheduler `s` under `scope`.
    void collect_scheduler(statistics& into, const std::string& scope, unsigned s) const;
    /// Leaves out `idle_cycles`, in which no launch was open.
    void collect(statistics& into, const std::string& scope, std::uint64_t idle_cycles) const;
    /// Transactions before `edge`; 0 without.
    [[nodiscard]] tm_counts transactions(std::uint64_t edge) const;
    /// Counts progress: blocks that start or end, barriers that release, values that change in
    /// shared memory outside of transactions, threads that commit.
    [[nodiscard]] std::uint64_t progress() const noexcept;
    /// For the wait-for report: as those of issue_front.
    [[nodiscard]] std::vector<std::string> waiting_threads(
        const std::optional<std::uint64_t>& spinning_since = {}) const;
    void watch_waiting();
    [[nodiscard]] unsigned schedulers() const noexcept { return configuration_.schedulers; }
    [[nodiscard]] unsigned warp_slots() const noexcept { return can_.warp_slots; }
    [[nodiscard]] const register_file& registers() const noexcept { return *registers_; }
    /// `observer` hears of every executed instruction; null: nobody does. Call before the run
    /// starts.
    void observe(execution_observer* observer) noexcept;
    /// `watch`, which outlives the run, hears of each instruction before it executes; likewise.
    void watch(issue_watch& watch) { executor_.watch(watch); }
    [[nodiscard]] smx_inside inside() noexcept {
        return {*registers_, blocks_, *front_, lsu_, links_.memory_banks};
    }

private:
    template <class Front>
    void run_cycle(Front& front);
    void follow_programs();
    /// The edge behind one at which a request has begun need not run.
    [[nodiscard]] bool uses_up_request() const noexcept;
    /// As of issue_front.
    void watch_cycles() noexcept;

    void show_warps(warp_view& view) const noexcept;
    [[nodiscard]] std::unique_ptr<issue_front> make_front(const smx_configurations& configurations,
                                                          const smx_environment& environment);
    /// What units of the SMX work with.
    [[nodiscard]] execution_parts parts() noexcept;
    void trace(const smx_environment& environment, const std::string& scope);
    void declare_waves(waveform& waves, const std::string& scope);
    [[gnu::noinline]] void publish();
    // Apart: most cycles change something, and would keep registers for it.
    [[nodiscard, gnu::noinline]] activity rest();

    const sm_id id_;
    const unsigned lanes_;
    const smx_capabilities can_;
    const smx_configuration configuration_;
    const std::uint32_t private_bytes_;
    const program_table& programs_;
    smx_links links_;

    fault_reporter faults_;
    observer_holder observer_;
    memory_port port_;
    std::unique_ptr<register_file> registers_;
    issue_table table_;
    std::uint32_t followed_ = 0;  ///< loads of programs that table_ has seen
    block_table blocks_;
    instruction_executor executor_;
    warp_waits waits_;
    std::unique_ptr<issue_front> front_;
    load_store_unit lsu_;  ///< after front_, its client
    block_life life_;
    std::optional<launch_unit> launch_;            ///< none where kernels can't launch
    launch_unit* launching_ = nullptr;             ///< null: no program launches anything
    std::optional<cooperation_unit> cooperation_;  ///< none: calls are refused
    /// What parts tell in the wait-for report, in this order; empty texts for nothing.
    std::vector<std::function<std::string()>> waits_for_;

    std::uint64_t edge_ = 0;
    /// What a cycle leaves for the next edge, which does not differ from it if there was nothing.
    enum class change : std::uint8_t { nothing, used, lasting } change_ = change::nothing;
    turn_sleep turns_{configuration_.issue_interval, can_.thread_pool};

    std::unique_ptr<code_profile> profile_;     ///< null: nobody asks
    std::unique_ptr<execution_tracer> tracer_;  ///< if set, it is the observer
    std::unique_ptr<smx_waves> waves_;
};

}  // namespace heddle
