// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hw/base/inbox.h"
#include "hw/smx/execute/execution_observer.h"
#include "tb/smx/smx_bench.h"
#include "tb/smx_reference/smx_model.h"

namespace heddle::smx_reference {

/// Runs the reference beside an SMX, edge by edge, and compares what both do and count. The
/// reference hears of the same dispatches, credits and answers at the same edges. The first
/// difference is reported to the testbench and ends the run.
class comparison final : public clocked, public execution_observer {
public:
    /// After the bench, which `taps` are part of, in the same domain.
    comparison(testbench& bench, smx_bench& device, const smx_settings& settings,
               const program::image& image, std::uint64_t cycles);

    /// To be called by the bench's taps.
    void block_link(protocol::block_dispatch& block, protocol::block_phase phase, bool forward);
    void memory_link(tlm::tlm_generic_payload& payload, protocol::memory_phase phase, bool forward);

    void evaluate() override;
    [[nodiscard]] activity update() override { return activity::busy; }
    [[nodiscard]] std::uint64_t compared() const { return compared_; }
    /// Compares statistics that change only with what is compared in each cycle.
    void compare_statistics();

    // execution_observer
    void block_started(std::uint64_t, const protocol::block_dispatch&, std::uint64_t) override {}
    void block_ended(std::uint64_t, const protocol::block_dispatch&) override {}
    void executed(const issued_instruction& issued, const register_file& registers) override;
    void accessed(const issued_instruction& issued, const memory_instruction& access) override;
    void loaded(std::uint64_t edge, unsigned warp, issue_number number, isa::lane_mask lanes,
                const std::uint32_t* values) override;
    void completed(std::uint64_t edge, unsigned warp, issue_number number,
                   const register_file& registers) override;
    void writes_drained(std::uint64_t edge, unsigned warp) override;
    void fenced(std::uint64_t edge, unsigned warp) override;

private:
    using named_counts = std::vector<std::pair<std::string, std::uint64_t>>;

    void tell(event::kind what, std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0,
              std::uint64_t d = 0) {
        found_.push_back({what, {a, b, c, d}});
    }
    void hand_over_arrivals();
    void compare_events();
    void compare_counts();
    [[nodiscard]] std::string text_of(const event& e) const;
    void differ(const std::string& text);

    testbench& bench_;
    smx_bench& device_;
    smx_model model_;
    const program::kernel_code& code_;
    const std::uint64_t cycles_;
    std::uint64_t compared_ = 0;
    bool differs_ = false;
    std::vector<event> found_;  ///< of the SMX, in this cycle
    inbox<pool_ptr<protocol::block_dispatch>> dispatches_;
    inbox<bool> credits_;
    inbox<const tlm::tlm_generic_payload*> answers_;
    const tlm::tlm_generic_payload* begun_ = nullptr;  ///< by the SMX in this cycle
    std::map<const tlm::tlm_generic_payload*, std::shared_ptr<request>> under_way_;
    const std::uint32_t return_latency_;
};

}  // namespace heddle::smx_reference
