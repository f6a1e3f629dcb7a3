// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/lockstep_check.h"

#include "hw/smx/lsu/queue/memory_instruction.h"
#include "hw/top/gpu.h"
#include "hw/top/simulation.h"

namespace heddle {

/// Translates what one SMX does.
class lockstep_check::smx_observer final : public execution_observer {
public:
    smx_observer(iss::lockstep& simulator, std::uint32_t smx) : simulator_(simulator), smx_(smx) {}

    void block_started(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                       std::uint64_t warp_slots) override {
        simulator_.block_started({edge, smx_, dispatch.slot.value(), dispatch.launch,
                                  dispatch.block, warp_slots, dispatch.groups, dispatch.origin});
    }
    void cooperated(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                    std::uint32_t groups, bool ends) override {
        simulator_.cooperated({edge, smx_, dispatch.slot.value(), groups, ends});
    }
    void block_ended(std::uint64_t, const protocol::block_dispatch& dispatch) override {
        simulator_.block_ended(smx_, dispatch.slot.value());
    }
    void block_suspended(std::uint64_t, const protocol::block_dispatch& dispatch) override {
        simulator_.block_suspended(smx_, dispatch.slot.value());
    }
    void block_resumed(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                       std::uint64_t warp_slots, const std::vector<isa::lane_mask>&) override {
        simulator_.block_resumed({edge,
                                  smx_,
                                  dispatch.slot.value(),
                                  dispatch.launch,
                                  dispatch.block,
                                  warp_slots,
                                  0,
                                  {}});
    }
    void executed(const issued_instruction& i, const register_file& registers) override {
        const bool writes = i.instruction->writes_register();
        simulator_.executed(step_of(i),
                            writes ? registers.row(i.warp, i.instruction->rd) : nullptr);
    }
    void accessed(const issued_instruction& i, const memory_instruction& access) override {
        simulator_.accessed(step_of(i),
                            {access.address, access.data, access.compare, i.pipeline_lanes});
    }
    void loaded(std::uint64_t edge, unsigned warp, issue_number number, isa::lane_mask lanes,
                const std::uint32_t* values) override {
        simulator_.loaded(edge, smx_, warp, number.value(), lanes, values);
    }
    void completed(std::uint64_t edge, unsigned warp, issue_number number,
                   const register_file& registers) override {
        simulator_.completed(edge, smx_, warp, number.value(),
                             [&](unsigned index) { return registers.row(warp, index); });
    }
    void returned(std::uint64_t, unsigned warp, issue_number number,
                  isa::lane_mask lanes) override {
        simulator_.returned(smx_, warp, number.value(), lanes);
    }
    void writes_drained(std::uint64_t edge, unsigned warp) override {
        simulator_.drained(edge, smx_, warp, ~std::uint64_t{0});
    }
    void fenced(std::uint64_t edge, unsigned) override { simulator_.fenced(edge, smx_); }
    void transaction(std::uint64_t edge, unsigned warp, transaction_event what,
                     isa::lane_mask lanes, const register_file& registers) override {
        simulator_.transaction(edge, smx_, warp, same(what), lanes,
                               [&](unsigned index) { return registers.row(warp, index); });
    }

private:
    [[nodiscard]] iss::lockstep_step step_of(const issued_instruction& i) const noexcept {
        return {i.edge, smx_, i.warp, i.number.value(), i.pc, i.lanes, i.more_warps};
    }

    [[nodiscard]] static iss::transaction_event same(transaction_event what) noexcept {
        switch (what) {
            case transaction_event::began:
                return iss::transaction_event::began;
            case transaction_event::lost:
                return iss::transaction_event::lost;
            case transaction_event::restarted:
                return iss::transaction_event::restarted;
            case transaction_event::committed:
                break;
        }
        return iss::transaction_event::committed;
    }

    iss::lockstep& simulator_;
    std::uint32_t smx_;
};

lockstep_check::lockstep_check(simulation& simulated, const gpu_configuration& configuration)
    : device_(simulated.machine().device()) {
    gpu& machine = simulated.machine();
    iss::lockstep_parts parts{
        configuration.machine, device_.ranges(), false, false, false, false, false, {}, {}};
    parts.threads_apart = machine.capabilities().thread_pool;
    // The load-store unit serves them as its banks allow.
    parts.turns_together = machine.capabilities().lane_units;
    parts.stale_loads = configuration.l1d.cache_global && configuration.l1d.size != 0;
    parts.memory = [&host = machine.host_processor()](std::uint32_t address, const auto&) {
        std::uint32_t word = 0;
        host.copy(tlm::TLM_READ_COMMAND, address, reinterpret_cast<std::uint8_t*>(&word),
                  sizeof word);
        return word;
    };
    parts.report = [&status = simulated.status()](error_kind kind, const std::string& text,
                                                  const auto&) { status.report(kind, text); };
    simulator_ = iss::make_lockstep(std::move(parts));
    for (std::uint32_t i = 0; i < configuration.machine.smx_count; ++i) {
        observers_.push_back(std::make_unique<smx_observer>(*simulator_, i));
    }
    device_.observe(this);
    device_.launches().observe(*this);
}

lockstep_check::~lockstep_check() = default;

execution_observer& lockstep_check::observer(std::size_t smx) noexcept {
    return *observers_[smx];
}

void lockstep_check::wrote(device_address to, const void* from, std::size_t bytes) {
    simulator_->wrote(to, from, bytes);
}

void lockstep_check::launched(const prepared_launch& launch) {
    simulator_->launched(launch);
}

void lockstep_check::settled() {
    simulator_->settled();
}

}  // namespace heddle
