// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <map>
#include <optional>

#include "models/iss/access_order.h"
#include "models/iss/atomic_chains.h"
#include "models/iss/interpreter.h"
#include "models/iss/lockstep.h"
#include "models/iss/lockstep_warp.h"
#include "models/iss/memory_system.h"
#include "models/simt/transaction_rules.h"

namespace heddle::iss {

/// lockstep for one warp size. Instructions in lockstep.cpp, accesses in lockstep_access.cpp,
/// blocks that wait for their children in lockstep_stays.cpp, transactions in
/// lockstep_transactions.cpp.
template <unsigned Lanes>
class lockstep_checker final : public lockstep {
public:
    explicit lockstep_checker(lockstep_parts parts);

    void wrote(std::uint32_t address, const void* from, std::size_t bytes) override;
    void launched(const prepared_launch& launch, const program::image& image) override;
    void settled() override;
    void block_started(const lockstep_block& started) override;
    void block_ended(std::uint32_t sm, unsigned slot) override;
    void block_suspended(std::uint32_t sm, unsigned slot) override;
    void block_resumed(const lockstep_block& resumed) override;
    void executed(const lockstep_step& step, const std::uint32_t* row) override;
    void accessed(const lockstep_step& step, const lockstep_operands& operands) override;
    void loaded(std::uint64_t time, std::uint32_t sm, unsigned slot, std::uint64_t number,
                lane_mask lanes, const std::uint32_t* values) override;
    void completed(std::uint64_t time, std::uint32_t sm, unsigned slot, std::uint64_t number,
                   const register_rows& rows) override;
    void returned(std::uint32_t sm, unsigned slot, std::uint64_t number, lane_mask lanes) override;
    void drained(std::uint64_t time, std::uint32_t sm, unsigned slot) override;
    void fenced(std::uint64_t time, std::uint32_t sm) override;
    void transaction(std::uint64_t time, std::uint32_t sm, unsigned slot, transaction_event what,
                     lane_mask lanes, const register_rows& rows) override;
    [[nodiscard]] const lockstep_counts& counts() const noexcept override { return counts_; }

private:
    using warp_type = followed_warp<Lanes>;
    using block_type = followed_block<Lanes>;
    using flight_type = flight<Lanes>;
    using word_part = write_history::word_part;

    /// Who issued a store, for what is found when all has settled.
    struct source {
        launch_id launch;
        std::uint32_t block, warp, pc;
    };
    /// A value that only a write which is still under way can explain.
    struct open_value {
        word_part found;
        write_history::read by;
        std::string text;
    };

    /// A block without an SMX, with its warps.
    struct suspended {
        block_type state;
        std::vector<std::unique_ptr<warp_type>> warps;  ///< by index in the block
    };

    [[nodiscard]] warp_type& warp_at(std::uint32_t sm, unsigned slot) {
        return warps_[std::size_t{sm} * slots_ + slot];
    }
    void start_warp(block_type& b, warp_type& w, unsigned index);

    /// Checks who issues what; null after a difference.
    warp_type* begin(const lockstep_step& step);
    bool check_path(const lockstep_step& step, const warp_type& w);
    bool check_hazards(const lockstep_step& step, const warp_type& w, const isa::instruction& i);
    bool check_row(const lockstep_step& step, const warp_type& w, unsigned index,
                   const std::uint32_t* row);
    void launched(const lockstep_step& step, warp_type& w, const isa::instruction& i,
                  const std::uint32_t* row);
    void release_barrier(block_type& b);

    void execute_transaction(const lockstep_step& step, warp_type& w, const isa::instruction& i);
    void lose(warp_type& w, lane_mask lanes);
    bool meet(const lockstep_step& step, const warp_type& w, unsigned lane, std::uint32_t offset,
              bool write);
    void make_load(const lockstep_step& step, warp_type& w, const flight_type& f, lane_mask lanes);
    void make_store(std::uint64_t time, std::uint32_t sm, unsigned slot, std::uint64_t number);
    /// Whether the warp may execute the instruction, an access at `address`, where it is.
    [[nodiscard]] static bool transaction_allows(const warp_type& w, const isa::instruction& i,
                                                 std::uint32_t address) {
        if (!w.transaction.active()) return true;
        return i.cls == isa::instruction_class::store ? simt::storable_in_transaction(address)
                                                      : simt::legal_in_transaction(i);
    }

    bool check_operands(const lockstep_step& step, const warp_type& w, const isa::instruction& i,
                        const std::uint32_t* address, const lockstep_operands& operands);
    [[nodiscard]] std::string refusal(const isa::instruction& i, std::uint32_t address,
                                      const block_type& b);
    [[nodiscard]] bool in_range(std::uint32_t address, unsigned bytes, bool write);
    void note_shared(const lockstep_step& step, const warp_type& w, const isa::instruction& i,
                     unsigned lane, std::uint32_t offset);
    void note_private(warp_type& w, const isa::instruction& i, unsigned lane, std::uint32_t offset,
                      lane_mask& stale, lane_mask& undefined);
    bool follow_undefined(const lockstep_step& step, warp_type& w, const isa::instruction& i);
    bool check_defined(const lockstep_step& step, const warp_type& w, unsigned index,
                       lane_mask lanes, const char* use);
    void store(const lockstep_step& step, warp_type& w, const isa::instruction& i,
               const std::uint32_t* address, lane_mask lanes);
    void put_off(const lockstep_step& step, warp_type& w, const isa::instruction& i,
                 const std::uint32_t* address, lane_mask lanes);
    void take_off(const lockstep_step& step, warp_type& w, const isa::instruction& i,
                  const std::uint32_t* address, lane_mask global, lane_mask stale);
    void land_atomics(std::uint64_t time, warp_type& w, flight_type& f, lane_mask lanes,
                      const std::uint32_t* values, const lockstep_step& step);
    bool judge(const lockstep_step& step, const warp_type& w, const flight_type& f, unsigned lane,
               std::uint32_t value);
    void judge_open(std::uint32_t word);
    [[nodiscard]] std::uint32_t new_source(const lockstep_step& step, const warp_type& w);

    [[nodiscard]] std::string text(const lockstep_step& step, const warp_type& w, unsigned lane,
                                   const std::string& what) const;
    void differ(const lockstep_step& step, const warp_type& w, unsigned lane,
                const std::string& what);
    void stop(error_kind kind, const std::string& text);

    lockstep_parts parts_;
    const program::image* image_ = nullptr;
    std::uint32_t private_bytes_;
    unsigned slots_;  ///< warps of an SMX
    flat_memory private_backing_;
    flat_memory written_backing_;
    memory_system<Lanes> memory_;  ///< for shared and private memory only
    std::optional<interpreter<Lanes>> cpu_;
    std::vector<warp_type> warps_;
    std::vector<block_type> blocks_;
    std::map<launch_id, std::unique_ptr<followed_grid>> grids_;
    std::map<std::pair<launch_id, std::uint32_t>, suspended> suspended_;  ///< by launch and block
    spare_warps<Lanes> spare_warps_;

    write_history history_;
    atomic_chains chains_;
    std::vector<source> sources_;
    access_order<Lanes> order_;
    std::vector<std::uint64_t> forgot_;         ///< by SMX: when it last forgot its lines
    std::map<std::uint64_t, unsigned> flying_;  ///< reads under way, by `from`
    std::vector<open_value> open_;
    std::vector<std::unique_ptr<flight_type>> spare_;
    allocation known_;  ///< last found
    std::uint64_t known_version_ = ~std::uint64_t{0};

    lockstep_counts counts_;
    bool stopped_ = false;
};

}  // namespace heddle::iss
