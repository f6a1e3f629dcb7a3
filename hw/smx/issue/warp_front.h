// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/smx/fetch/front_end.h"
#include "hw/smx/issue/front_parts.h"
#include "hw/smx/issue/issue_front.h"
#include "hw/smx/issue/issue_stage.h"
#include "hw/smx/issue/scheduler_ports.h"
#include "hw/smx/issue/warp_transactions.h"

namespace heddle {

/// The front with warp slots: fetch, instruction buffers, a formation for each warp, the warp
/// schedulers' selection. Nothing but the order of its rooms.
class warp_front final : public issue_front, private movable_warps {
public:
    warp_front(const smx_configuration& smx, const l1i_configuration& l1i,
               const warp_scheduler_configuration& scheduler, unsigned warps,
               std::unique_ptr<formation> groups, const scheduler_ports& ports, memory_port& port,
               const front_parts& parts);

    void connect() override { schedulers_.connect(); }
    [[nodiscard]] memory_client& client() noexcept override { return issue_; }
    void follow(code_profile& profile) override { issue_.follow(profile); }
    void watch_cycles() noexcept override { issue_.watch_cycles(); }
    void use_program(const program::kernel_code& code) override;
    void start(unsigned warp, std::uint32_t pc, isa::lane_mask lanes,
               const program::kernel_code& code) override;
    [[nodiscard]] of_each_warp<std::uint32_t> pcs() const noexcept override { return paths_.pcs(); }
    void begin(std::uint64_t edge) noexcept override {
        edge_ = edge;
        issue_.begin(edge);
    }
    void finish_fences() override { issue_.finish_fences(); }
    bool cycle() override;
    void complete_barriers(protocol::warp_mask homes) override {
        issue_.barriers().complete(homes, edge_);
    }
    [[nodiscard]] bool settle() override { return issue_.settle(); }
    [[nodiscard]] front_rest rest(std::uint64_t edge) const noexcept override {
        const std::uint64_t due = std::min(issue_.next_due(edge), front_end_.next_due(edge));
        return {transactions_ ? std::min(due, transactions_->next_due(edge)) : due,
                issue_.next_turn(edge), issue_.may_issue(), issue_.used()};
    }
    [[nodiscard]] movable_warps* movable() noexcept override { return this; }
    [[nodiscard]] owner_set owners(unsigned block) const override {
        return owner_set(blocks_.block(block).warps);
    }
    [[nodiscard]] bool drained(unsigned block) const override;

    [[nodiscard]] const cycle_account& account() const noexcept override {
        return issue_.account();
    }
    [[nodiscard]] front_counts counts(std::uint64_t edge) const override;
    [[nodiscard]] front_masks masks() const override { return issue_.masks(); }
    /// A line for each warp that has not ended, in the order of the slots.
    [[nodiscard]] std::vector<std::string> waiting(
        const std::optional<std::uint64_t>& spinning_since) const override;
    void watch_waiting() override;

private:
    // movable_warps
    void hold(unsigned warp) override;
    void go_on(unsigned warp) override { issue_.moves().go_on(warp); }
    [[nodiscard]] protocol::warp_mask held() const override { return issue_.moves().held(); }
    [[nodiscard]] protocol::warp_mask at_barrier() const override {
        return issue_.moves().at_barrier();
    }
    [[nodiscard]] bool rests(unsigned warp) const override;
    void save(unsigned warp, std::vector<std::uint32_t>& words) const override {
        issue_.moves().save(warp, words);
    }
    void leave(unsigned warp) override;
    void come_back(unsigned warp, const std::uint32_t* words, bool at_barrier,
                   const program::kernel_code& code) override;

    [[nodiscard]] bool accessing(unsigned warp) const;
    [[nodiscard]] std::string waiting_text(unsigned warp, bool spins) const;

    block_table& blocks_;
    load_store_unit& lsu_;
    const protocol::warp_mask& in_transactions_;
    warp_paths paths_;
    scheduler_ports schedulers_;
    issue_stage issue_;
    front_end front_end_;
    std::optional<warp_transactions> transactions_;  ///< null without transactions
    std::uint64_t edge_ = 0;
};

}  // namespace heddle
