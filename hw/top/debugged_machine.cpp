// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/debugged_machine.h"

#include <algorithm>
#include <utility>

#include "hw/smx/execute/issue_watch.h"
#include "hw/smx/smx_core.h"
#include "hw/smx/thread_pool/formations.h"
#include "hw/top/debugged_warp_slot.h"
#include "hw/top/gpu.h"
#include "hw/top/simulation.h"
#include "models/base/error.h"

namespace heddle {

/// The warps of one SMX.
class debugged_machine::smx_side final : public execution_observer, public issue_watch {
public:
    smx_side(debugged_machine& of, debugged_parts parts, unsigned slots)
        : of_(of), parts_(std::move(parts)), warps_(slots) {}

    // issue_watch
    void issuing(const issued_group& issued) override {
        simt::debugged_warp& warp = note(issued.threads.home);
        of_.watch_.before(warp);
    }
    void refused(const issued_group& issued) override {
        if (of_.culprit_ == nullptr) of_.culprit_ = warps_[issued.threads.home].get();
    }

    // execution_observer
    void block_started(std::uint64_t, const protocol::block_dispatch&,
                       std::uint64_t slots) override {
        bits::for_each(slots, [&](unsigned slot) {
            warps_[slot] = std::make_unique<debugged_warp_slot>(parts_, slot);
            of_.watch_.started(*warps_[slot]);
        });
    }
    void block_ended(std::uint64_t, const protocol::block_dispatch& dispatch) override {
        leave(dispatch);
    }
    void block_suspended(std::uint64_t, const protocol::block_dispatch& dispatch) override {
        leave(dispatch);
    }
    void block_resumed(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                       std::uint64_t slots, const std::vector<isa::lane_mask>&) override {
        block_started(edge, dispatch, slots);
    }
    void executed(const issued_instruction& issued, const register_file&) override {
        note(issued.warp);
    }
    void accessed(const issued_instruction& issued, const memory_instruction& access) override {
        note(issued.warp).accessed(issued, access);
    }
    void loaded(std::uint64_t, unsigned warp, issue_number number, isa::lane_mask lanes,
                const std::uint32_t*) override {
        note(warp).loaded(number, lanes);
    }
    void completed(std::uint64_t, unsigned warp, issue_number number,
                   const register_file&) override {
        warps_[warp]->completed(number);
    }
    void writes_drained(std::uint64_t, unsigned warp) override {
        if (warps_[warp]) warps_[warp]->writes_drained();
    }
    void fenced(std::uint64_t, unsigned) override {}

    /// As the watch says. True: some warp is held.
    bool apply_locks() {
        bool any = false;
        for (const auto& warp : warps_) {
            if (!warp || warp->live() == 0) continue;
            const bool held = of_.watch_.holds(*warp);
            warp->hold(held);
            any |= held;
        }
        return any;
    }
    /// Whether a warp that is not held can issue some time without the held ones.
    [[nodiscard]] bool anybody_runs() const {
        return std::any_of(warps_.begin(), warps_.end(), [&](const auto& warp) {
            return warp && warp->live() != 0 && !of_.watch_.holds(*warp) && !warp->at_barrier();
        });
    }

private:
    debugged_warp_slot& note(unsigned slot) {
        debugged_warp_slot& warp = *warps_[slot];
        const bool broken = of_.simulated_.status().stop_requested();
        if (broken && of_.culprit_ == nullptr) of_.culprit_ = of_.recent_;
        of_.recent_ = &warp;
        return warp;
    }
    void leave(const protocol::block_dispatch& dispatch) {
        bits::for_each(parts_.inside.blocks.block(dispatch.slot.value()).warps, [&](unsigned slot) {
            const auto warp = std::move(warps_[slot]);
            if (!warp) return;
            warp->hold(false);
            of_.watch_.ended(*warp);
            if (of_.recent_ == warp.get()) of_.recent_ = nullptr;
            if (of_.culprit_ == warp.get()) of_.culprit_ = nullptr;
        });
    }

    debugged_machine& of_;
    const debugged_parts parts_;
    std::vector<std::unique_ptr<debugged_warp_slot>> warps_;  ///< by slot; null: free
};

debugged_machine::debugged_machine(simulation& simulated, const gpu_configuration& configuration,
                                   simt::debug_watch& watch)
    : clocked(simulated.machine().core_clock(), "debugger"), simulated_(simulated), watch_(watch) {
    if (row_of(configuration.smx.formation).on_pool) {
        throw configuration_error(
            "a debugger needs warps with slots of their own; legal: smx.formation = pdom, or the "
            "functional simulator (--functional)");
    }
    std::vector<load_store_unit*> units;
    for (const auto& smx : simulated.machine().smxs()) {
        if (!smx->has_core()) {
            throw configuration_error("a debugger needs SMXs whose registers it can see, and " +
                                      smx->name() +
                                      " is RTL; legal: slot.smx = tlm and pins, or the functional "
                                      "simulator (--functional)");
        }
        units.push_back(&smx->core().inside().lsu);
    }
    const machine_configuration& machine = configuration.machine;
    for (const auto& smx : simulated.machine().smxs()) {
        smxs_.push_back(std::make_unique<smx_side>(
            *this,
            debugged_parts{smx->core().inside(),
                           units,
                           simulated.machine().device(),
                           {machine.smx.private_bytes, machine.warp_size}},
            smx->core().warp_slots()));
        smx->core().watch(*smxs_.back());
    }
}

debugged_machine::~debugged_machine() = default;

execution_observer& debugged_machine::observer(std::size_t smx) noexcept {
    return *smxs_[smx];
}

void debugged_machine::abandon() {
    failed_ = true;  // nobody wants to hear of it
    simulated_.status().report(error_kind::interrupted, "the debugger runs the program again");
}

std::string debugged_machine::waiting_text() const {
    std::string text;
    for (const auto& smx : simulated_.machine().smxs()) {
        for (const std::string& line : smx->waiting_threads({})) text += line + "\n";
    }
    for (const std::string& line : domain().waiting_parts()) text += "waiting: " + line + "\n";
    return text;
}

activity debugged_machine::update() {
    if (simulated_.status().stop_requested()) tell_failure();
    watch_.settled();
    apply_locks();
    return activity::busy;
}

void debugged_machine::tell_failure() {
    if (std::exchange(failed_, true)) return;
    std::string why = simulated_.status().text();
    why.pop_back();  // the last line's end
    watch_.failed(culprit_ != nullptr ? culprit_ : recent_,
                  run_error(simulated_.status().kind(), why));
}

void debugged_machine::apply_locks() {
    if (!holding_ && !watch_.locks()) return;
    holding_ = false;
    for (std::size_t i = 0; i < smxs_.size(); ++i) {
        holding_ |= smxs_[i]->apply_locks();
        simulated_.machine().smxs()[i]->core().wake();
    }
    if (!holding_) return;
    const bool anybody = std::any_of(smxs_.begin(), smxs_.end(),
                                     [](const auto& smx) { return smx->anybody_runs(); });
    if (!anybody) watch_.stuck();
}

}  // namespace heddle
