// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "hw/smx/thread_pool/dwf/arrival_queue.h"
#include "hw/smx/thread_pool/dwf/overflow_list.h"
#include "hw/smx/thread_pool/dwf/pc_warp_lut.h"
#include "hw/smx/thread_pool/dwf/thread_places.h"
#include "hw/smx/thread_pool/dwf/warp_policy.h"
#include "hw/smx/thread_pool/dwf/warp_pool.h"
#include "hw/smx/thread_pool/dwf/warp_update_register.h"
#include "hw/smx/thread_pool/group_former.h"

namespace heddle {

struct dwf_waves;

/// What dynamic warp formation is made for.
struct dwf_setting {
    unsigned warp_size;
    unsigned threads;         ///< of the SMX: numbers are below it
    unsigned issue_interval;  ///< clocks between two turns; the pipeline has warp_size / it lanes
    const dwf_configuration& dwf;  ///< used during construction only
};

/// What dynamic warp formation counts.
struct dwf_counts {
    std::uint64_t opened = 0;            ///< warps
    std::uint64_t joined = 0;            ///< threads that joined a warp that was there
    std::uint64_t conflicts = 0;         ///< threads that found their place taken
    std::uint64_t lut_replacements = 0;  ///< entries of the PC-warp LUT that were replaced
    std::uint64_t waits = 0;             ///< clocks in which an update register waited
    std::uint64_t overflows = 0;         ///< threads that went to the overflow list
    std::uint64_t rescues = 0;           ///< warps that issued first because of dwf.patience
    std::uint64_t conflict_clocks = 0;   ///< clocks of register bank conflicts
    std::uint64_t pool_maximum = 0;      ///< warps in the pool, the most at a time
};

/// Dynamic warp formation (Fung 2008, chapter 4): threads that come back with the same next PC form
/// new warps, whatever warps they were in before.
///
/// In each pipeline clock, in this order: (1) the heap of majority and minority moves its changed
/// entries by a swap, (2) at the beginning of a turn up to two arrivals enter the warp update
/// registers, (3) each register's threads join the warp that the PC-warp LUT names, as far as their
/// places are free, and open a new one for the others, (4) an exhausted Majority Entry takes the
/// root of a balanced heap. A register waits a clock where the heap is out of balance, or where the
/// other port uses the entry of a LUT that it needs. In one clock two registers change the pool;
/// where one of them is idle, a group that is back from the overflow list does.
///
/// Threads for which pool or heap has no entry go to the overflow list (overflow_list.h). What is
/// sent for from there has a place in both reserved, so it never goes back. Arrivals take free
/// places first, unless the list's first threads have waited for dwf.patience clocks there.
///
/// A warp that has waited for dwf.patience clocks issues before the one that the policy chooses,
/// the oldest first; only while the heap is balanced.
///
/// Cost on the host: a look-up and the copy of a warp's thread numbers per arrival and per issue;
/// `pc` and `pdom_priority` look at each warp of the pool. Allocates nothing unless
/// dwf.infinite_resources lets a LUT grow, or more arrivals wait than before.
class dwf_former final : public group_former {
public:
    static constexpr const char* name = "dwf";
    static constexpr const char* description =
        "dynamic warp formation: threads with the same next PC form new warps";
    using configuration = dwf_configuration;
    static bool individual_return(const part_configurations& formations) {
        return formations.of<configuration>().individual_return;
    }
    static bool shared_pool(const part_configurations& formations) {
        return formations.of<configuration>().pools == pool_count::shared;
    }

    explicit dwf_former(const dwf_setting& setting);
    explicit dwf_former(const group_former_setting& setting)
        : dwf_former(dwf_setting{setting.warp_size, setting.threads, setting.smx.issue_interval,
                                 setting.formations.of<configuration>()}) {}
    ~dwf_former() override;

    void use_program(const protocol::thread_program& programs) override {
        policy_->use_program(programs);
    }
    void arrive(const protocol::thread_arrival& threads) override;
    void pass(std::uint64_t clocks) override;
    void pick(const issue_filter& filter, protocol::thread_issue& issue) override;
    [[nodiscard]] std::uint64_t next_change() const override;
    [[nodiscard]] former_occupancy occupancy() const override;
    void trace(waveform& waves, const std::string& scope) override;
    void publish() override;
    void collect(statistics& into, const std::string& scope) const override;

    [[nodiscard]] const dwf_counts& counts() const noexcept { return counts_; }

private:
    struct limits {
        std::uint64_t patience;
        unsigned interval;
        bool unlimited, bank_conflicts;
    };

    void clock();
    void load_registers();
    [[nodiscard]] bool idle() const;
    [[nodiscard]] bool insert(warp_update_register& from, unsigned kept);
    void join(pc_warp_lut::place at, const warp_update_register& from, unsigned kept);
    void open(pc_warp_lut::place at, const warp_update_register& from, isa::lane_mask lanes);
    [[nodiscard]] isa::lane_mask put(pool_index w, const warp_update_register& from,
                                     isa::lane_mask lanes, bool opens);
    void spill(const warp_update_register& from, isa::lane_mask lanes);
    [[nodiscard]] bool can_reserve() const;
    void refill();
    void send_for_overflow();
    [[nodiscard]] std::uint64_t overflow_due() const;
    [[nodiscard]] unsigned arriving() const;
    [[nodiscard]] pool_index choose() const;

    const limits limits_;
    const thread_places places_;
    arrival_queue arrivals_;  ///< wait for an update register
    std::array<warp_update_register, 2> registers_{};
    warp_update_register refill_{};  ///< a group that is back from the overflow list
    pc_warp_lut lut_;
    warp_pool pool_;
    overflow_list overflow_;
    std::unique_ptr<warp_policy> policy_;
    std::uint64_t clock_ = 0;    ///< clocks that have passed
    std::uint64_t look_up_ = 1;  ///< the clock of the LUT's ports
    unsigned reserved_ = 0;      ///< entries of pool and heap for groups that were sent for
    dwf_counts counts_;
    std::unique_ptr<dwf_waves> waves_;  ///< null without a waveform
};

}  // namespace heddle
