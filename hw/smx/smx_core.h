// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/warp_issue.h"
#include "hw/smx/divergence/formation.h"
#include "hw/smx/execution_observer.h"
#include "hw/smx/fetch/instruction_buffers.h"
#include "hw/smx/fetch/instruction_cache.h"
#include "hw/smx/lsu/load_store_unit.h"
#include "hw/smx/lsu/memory_port.h"
#include "hw/smx/pipeline/cycle_account.h"
#include "hw/smx/pipeline/event_wheel.h"
#include "hw/smx/pipeline/execution_units.h"
#include "hw/smx/pipeline/issue_table.h"
#include "hw/smx/pipeline/register_file.h"
#include "hw/smx/pipeline/scoreboard.h"
#include "hw/smx/pipeline/warp_states.h"
#include "hw/smx/smx.h"
#include "hw/smx/smx_statistics.h"
#include "hw/smx/warp_scheduler/warp_scheduler_configuration.h"
#include "models/simt/block_threads.h"
#include "models/simt/special_registers.h"
#include "models/simt/transfer.h"

namespace heddle {

class local_memory;
class execution_tracer;
struct smx_waves;

/// Bytes of local memory between the windows of two block slots. Each slot has a window for the
/// largest block; the SMX scheduler's account keeps the sum of what blocks use within
/// smx.shared_bytes, so that no block finds the memory fragmented.
[[nodiscard]] std::uint32_t local_memory_stride(const machine_configuration& machine);

/// Warp slots of an SMX. Throws configuration_error unless there are 1 to 64.
[[nodiscard]] unsigned warp_slots_of(const machine_configuration& machine);

/// The links of the core, which the module owns.
struct smx_links {
    protocol::target_socket_of<smx, protocol::block_link>& block;
    protocol::initiator_socket_base<protocol::memory_link>& memory;
    protocol::initiator_socket_base<protocol::local_link>& local;
    struct scheduler_link {
        protocol::initiator_socket_base<protocol::warp_link>* socket;
        protocol::warp_mask own;  ///< slots
    };
    std::vector<scheduler_link> schedulers;
    bool schedulers_follow_smx;  ///< they hear of all warps' events, else of their own
    local_memory& memory_banks;
};

/// The clocked part of an SMX; its cycle is described in smx.h.
///
/// Times, for an instruction that issues at edge t: a dependent one may issue at
/// t + smx.operand_latency + bank conflicts + the unit's latency; the unit's input is free again
/// after its interval (and the conflicts); after a branch, jump, return or exit the warp fetches
/// again at t + smx.branch_latency. An instruction that is fetched at t may issue at
/// t + l1i.hit_latency. A block that is dispatched at t (seen by evaluate()) has its first fetch at
/// t + 1; a barrier that is complete at t lets its warps issue at t + 1.
class smx_core final : public clocked, private memory_client, private memory_requester {
public:
    smx_core(clock_domain& domain, const std::string& name, sm_id id,
             const smx_configurations& configurations, const smx_environment& environment,
             const smx_links& links);
    ~smx_core() override;

    void reset() override;
    void evaluate() override;
    [[nodiscard]] activity update() override;
    [[nodiscard]] std::string waiting_for() const override;

    /// block_link, forward path.
    tlm::tlm_sync_enum dispatch(protocol::block_dispatch& payload, protocol::block_phase& phase);
    /// memory_link, backward path.
    tlm::tlm_sync_enum answer(tlm::tlm_generic_payload& payload, protocol::memory_phase& phase,
                              sc_core::sc_time& delay) {
        return port_.nb_transport_bw(payload, phase, delay);
    }

    /// Of the edges before `edge`, at which nothing that comes later may have happened yet.
    [[nodiscard]] smx_counts counts(std::uint64_t edge) const;
    [[nodiscard]] smx_counts counts() const { return counts(domain().edge_count()); }
    [[nodiscard]] const load_latency& latency() const noexcept { return lsu_.latency(); }
    /// Puts scheduler_cycle_statistics of scheduler `s` under `scope`.
    void collect_scheduler(statistics& into, const std::string& scope, unsigned s) const;
    /// `idle_cycles` without work for the machine are left out.
    void collect(statistics& into, const std::string& scope, std::uint64_t idle_cycles) const;
    /// Grows whenever the SMX gets on: blocks that start or end, barriers that release, values that
    /// change in shared memory.
    [[nodiscard]] std::uint64_t progress() const noexcept;
    /// For the wait-for report: one line a warp that has not ended, in the order of the slots.
    [[nodiscard]] std::vector<std::string> waiting_warps() const;
    [[nodiscard]] unsigned warp_slots() const noexcept { return warp_count_; }
    [[nodiscard]] const register_file& registers() const noexcept { return *registers_; }
    /// Who hears of every executed instruction; null: nobody. Before the run starts.
    void observe(execution_observer* observer) noexcept;

private:
    /// A warp slot. Fetched instructions start at group.pc and follow each other.
    struct alignas(64) warp_context {
        warp_group group;
        isa::lane_mask live = 0;  ///< lanes whose thread has not ended
        const isa::instruction* code = nullptr;
        std::uint32_t code_base = 0;
        std::uint32_t code_size = 0;  ///< instructions
        std::uint16_t block = 0;
        std::uint16_t index = 0;       ///< in the block
        std::uint8_t arriving = 0;     ///< instructions that a fetch under way will deliver
        std::uint64_t issued = 0;      ///< instructions
        std::uint64_t last_issue = 0;  ///< edge
    };
    /// A block slot, with what its TBCR = {KDEI, BLKID} names.
    struct block_context {
        pool_ptr<protocol::block_dispatch> dispatch;  ///< null: the slot is free
        simt::block_identity identity;
        const program::kernel* kernel = nullptr;
        execution_counts* counts = nullptr;  ///< of the kernel
        protocol::warp_mask warps = 0;
        protocol::warp_mask at_barrier = 0;
        std::uint32_t shared_base = 0;
        std::uint32_t running_warps = 0;
        simt::block_threads threads;
        bool started = false;
    };
    enum frontend_event : std::uint8_t { path_known, fetch_arrives };

    // (1) memory
    void loaded(warp_slot warp, std::uint64_t number, std::uint8_t rd, isa::lane_mask lanes,
                const std::uint32_t* values) override;
    void completed(warp_slot warp, std::uint64_t number,
                   const isa::instruction& instruction) override;
    void writes_drained(warp_slot warp) override;
    void access_fault(warp_slot warp, unsigned lane, std::uint32_t address,
                      const std::string& what) override;
    void lost_locality(warp_slot warp) override { lost_locality_ |= bit(warp.value()); }
    void responded(memory_request& request) override;
    void finish_fences();
    // (2) write-back
    void write_back();
    void frontend_events();
    // (3) issue
    void issue_step();
    void refresh_states();
    [[nodiscard]] warp_state state_of(unsigned warp) const;
    [[nodiscard]] std::string doing(unsigned warp) const;
    [[nodiscard]] std::uint32_t owners_of(protocol::warp_mask warps) const noexcept;
    void describe_cycle();
    void classify_head(unsigned warp);
    bool select(unsigned scheduler, protocol::warp_mask issuable);
    [[nodiscard]] protocol::warp_mask all_resident() const noexcept {
        return all_ & ~states_.in(warp_state::absent);
    }
    [[nodiscard]] protocol::warp_mask issuable_warps(std::uint32_t accepting) const noexcept;
    void classify(unsigned scheduler);
    [[nodiscard]] cycle_cause ready_cause(protocol::warp_mask ready) const noexcept;
    void issue(unsigned warp);
    void execute(unsigned warp, const isa::instruction& i, const issue_info& info);
    void finish_later(unsigned warp, const isa::instruction& i, const issue_info& info);
    void compute(unsigned warp, const isa::instruction& i);
    void access_memory(unsigned warp, const isa::instruction& i);
    void access_csr(unsigned warp, const isa::instruction& i);
    void branch(unsigned warp, const isa::instruction& i);
    void jump(unsigned warp, const isa::instruction& i);
    void jump_register(unsigned warp, const isa::instruction& i);
    void control(unsigned warp, const isa::instruction& i);
    void arrive(unsigned warp);
    void end_lanes(unsigned warp);
    void go_to(unsigned warp, std::uint32_t pc);
    void straight_on(unsigned warp);
    void resolve_path(unsigned warp);
    [[nodiscard]] simt::control_site control_site(unsigned warp) const;
    void write_link(unsigned warp, const isa::instruction& i);
    void follow(unsigned warp, const simt::transfer& to);
    void refuse(unsigned warp, const isa::instruction& i, isa::lane_mask lanes);
    // (4) fetch
    void fetch_step();
    void fetch(unsigned warp);
    void request_line(unsigned warp, std::uint32_t line);
    [[nodiscard]] unsigned run_length(unsigned warp) const;
    void deliver(unsigned warp, unsigned count);
    void update_fetchable(unsigned warp);
    // (6) blocks
    void block_step();
    void start_block(pool_ptr<protocol::block_dispatch> dispatch);
    void start_warp(block_context& block, unsigned slot, unsigned index);
    void use_program(const program::image& image);
    void announce_started();
    void release_barriers();
    void end_blocks();
    [[nodiscard]] bool drained(const block_context& block) const;
    void count_resident(int change);
    void count_in_flight() noexcept;

    [[nodiscard]] std::uint32_t position(const warp_context& w) const noexcept {
        return (w.group.pc - w.code_base) / 4;
    }
    void fault(unsigned warp, unsigned lane, const std::string& what);
    void report(const std::string& what);
    void trace(const smx_environment& environment, const std::string& scope);
    void declare_waves(waveform& waves, const std::string& scope);
    void publish();
    static protocol::warp_mask bit(unsigned warp) noexcept {
        return protocol::warp_mask{1} << warp;
    }
    static unsigned first(std::uint64_t mask) noexcept {
        return static_cast<unsigned>(__builtin_ctzll(mask));
    }

    const sm_id id_;
    const unsigned lanes_;
    const unsigned warp_count_;
    const smx_configuration configuration_;
    const unsigned hit_latency_;
    const bool every_cycle_;  ///< a scheduler issues in any cycle, not in its turn only
    const std::uint32_t private_bytes_;
    const std::uint32_t shared_stride_;  ///< between the windows of two block slots
    const program_holder& programs_;
    run_status& status_;
    smx_links links_;

    memory_port port_;
    load_store_unit lsu_;
    std::unique_ptr<register_file> registers_;
    std::unique_ptr<formation> formation_;
    scoreboard scoreboard_;
    instruction_buffers buffers_;
    instruction_cache icache_;
    execution_units units_;
    event_wheel results_;   ///< codes: destination registers
    event_wheel frontend_;  ///< codes: frontend_event
    warp_states states_;
    cycle_account account_;
    issue_table table_;
    const program::image* image_ = nullptr;  ///< that table_ belongs to

    std::vector<warp_context> warps_;
    std::vector<block_context> blocks_;
    protocol::warp_cycle cycle_;  ///< the payload of all calls to schedulers
    std::array<protocol::warp_mask, smx_configuration::maximum_schedulers> own_{};  ///< warp slots
    /// What the sockets to the schedulers are bound to: asking them in each cycle costs the host
    /// two lines of its cache.
    std::array<tlm::tlm_fw_transport_if<protocol::warp_link>*,
               smx_configuration::maximum_schedulers>
        selection_{};
    inbox<pool_ptr<protocol::block_dispatch>> dispatches_;

    std::uint64_t edge_ = 0;
    const protocol::warp_mask all_;      ///< the slots that exist
    protocol::warp_mask free_ = 0;       ///< slots without a warp of a resident block
    protocol::warp_mask dirty_ = 0;      ///< state to be found again
    protocol::warp_mask touched_ = 0;    ///< may change what its scheduler's cycles count as
    protocol::warp_mask fetchable_ = 0;  ///< room in the buffer, path known, nothing under way
    protocol::warp_mask path_open_ = 0;  ///< an unresolved control-flow instruction is buffered
    protocol::warp_mask fetching_ = 0;   ///< a fetch or a miss is under way
    protocol::warp_mask at_barrier_ = 0;
    protocol::warp_mask fenced_ = 0;       ///< waits for its accesses
    protocol::warp_mask fence_check_ = 0;  ///< may have got them
    protocol::warp_mask started_ = 0;      ///< since the schedulers were called
    protocol::warp_mask memory_done_ = 0;  ///< since the schedulers were called
    protocol::warp_mask lost_locality_ = 0;
    protocol::warp_mask ended_ = 0;  ///< since the schedulers were called
    const memory_classification classification_;
    protocol::warp_mask uncounted_ = 0;  ///< their memory instruction is none to the policy
    /// By position in the code, for memory_classification::last_window: the instruction's last
    /// access did not go to global memory.
    std::vector<std::uint8_t> off_global_;
    std::uint64_t to_announce_ = 0;  ///< block slots whose first warp may issue
    std::uint64_t barriers_ = 0;     ///< block slots whose barrier may be complete
    std::uint64_t ending_ = 0;       ///< block slots without a running warp
    unsigned next_fetch_ = 0;
    unsigned memory_results_ = 0;  ///< register writes by memory at this edge
    bool changed_ = false;         ///< the next edge may differ from this one
    std::uint32_t quiet_ = 0;      ///< edges since the last change
    bool faulted_ = false;
    bool lsu_accepts_ = true;   ///< at the beginning of the issue step
    bool lsu_refused_ = false;  ///< if it did not: the cache has no place for its oldest access
    bool lsu_takes_ = true;     ///< now, within the issue step

    smx_counts totals_;
    std::uint64_t resident_since_ = 0;
    unsigned resident_ = 0;
    std::uint64_t in_flight_since_ = 0;
    unsigned in_flight_ = 0;  ///< warps with a result outstanding
    std::uint64_t progress_ = 0;
    execution_observer* observer_ = nullptr;
    std::unique_ptr<execution_tracer> tracer_;  ///< is the observer then
    std::unique_ptr<smx_waves> waves_;
};

/// One bit per scheduler that one of `warps` belongs to; no branches, nobody could foresee them.
inline std::uint32_t smx_core::owners_of(protocol::warp_mask warps) const noexcept {
    std::uint32_t owners = 0;
    for (unsigned s = 0; s < own_.size(); ++s) {
        owners |= std::uint32_t{(warps & own_[s]) != 0} << s;
    }
    return owners;
}

/// What keeps `ready` warps from issuing; of several units the one that the lowest slot needs.
inline cycle_cause smx_core::ready_cause(protocol::warp_mask ready) const noexcept {
    const protocol::warp_mask others = ready & ~states_.in(ready_for(unit_class::memory));
    if (others != 0) return busy_cause(static_cast<unit_class>(states_.of(first(others))));
    if (lsu_accepts_) return cycle_cause::memory_busy;
    return lsu_refused_ ? cycle_cause::reservation_fail : cycle_cause::memory_stall;
}

}  // namespace heddle
