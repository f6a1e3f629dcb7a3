// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <map>
#include <optional>

#include "models/iss/access_order.h"
#include "models/iss/atomic_chains.h"
#include "models/iss/gathered_writes.h"
#include "models/iss/interpreter.h"
#include "models/iss/lockstep_transactions.h"
#include "models/iss/memory_system.h"

namespace heddle::iss {

/// lockstep for one warp size. Instructions in lockstep.cpp, accesses in lockstep_access.cpp,
/// blocks that wait for their children in lockstep_suspension.cpp, those of cooperative launches in
/// lockstep_cooperation.cpp.
template <unsigned Lanes>
class lockstep_checker final : public lockstep_transactions<Lanes> {
public:
    using register_rows = lockstep::register_rows;

    explicit lockstep_checker(lockstep_parts parts);

    void wrote(std::uint32_t address, const void* from, std::size_t bytes) override;
    void launched(const prepared_launch& launch) override;
    void settled() override;
    void block_started(const lockstep_block& started) override;
    void block_ended(std::uint32_t sm, unsigned slot) override;
    void block_suspended(std::uint32_t sm, unsigned slot) override;
    void block_resumed(const lockstep_block& resumed) override;
    void cooperated(const lockstep_answer& answer) override;
    void executed(const lockstep_step& step, const std::uint32_t* row) override;
    void accessed(const lockstep_step& step, const lockstep_operands& operands) override;
    void loaded(std::uint64_t time, std::uint32_t sm, unsigned slot, std::uint64_t number,
                lane_mask lanes, const std::uint32_t* values) override;
    void completed(std::uint64_t time, std::uint32_t sm, unsigned slot, std::uint64_t number,
                   const register_rows& rows) override;
    void returned(std::uint32_t sm, unsigned slot, std::uint64_t number, lane_mask lanes) override;
    void drained(std::uint64_t time, std::uint32_t sm, unsigned slot, std::uint64_t up_to) override;
    void barrier_released(std::uint64_t time, std::uint32_t sm, unsigned slot) override;
    void fenced(std::uint64_t time, std::uint32_t sm) override;

private:
    using base = lockstep_transactions<Lanes>;
    using block_type = followed_block<Lanes>;
    using flight_type = flight<Lanes>;
    using warp_type = followed_warp<Lanes>;
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
        const isa::instruction* load;
        std::uint32_t address;
        std::string text;  ///< without what is possible
        lockstep_place at;
    };

    /// A block without an SMX, with its warps.
    struct suspended {
        block_type state;
        std::vector<std::unique_ptr<warp_type>> warps;  ///< by index in the block
    };

    using base::check_encoding;
    using base::check_row;
    using base::check_told;
    using base::counts_;
    using base::differ;
    using base::execute_transaction;
    using base::horizon_of_warps;
    using base::make_load;
    using base::make_store;
    using base::parts_;
    using base::place_of;
    using base::put_off;
    using base::slots_;
    using base::stop;
    using base::stopped_;
    using base::text;
    using base::told_fault;
    using base::transaction_allows;
    using base::warp_at;
    using base::warps_;

    void start_warp(block_type& b, warp_type& w, unsigned index, std::uint64_t started);

    [[nodiscard]] std::string start_refusal(const followed_grid& g, const lockstep_block& s);
    [[nodiscard]] std::string end_refusal(const followed_grid& g) const;
    template <class Wrong>
    void kill(block_type& b, const std::string& name, const Wrong& wrong);

    /// Checks who issues what; null after a difference.
    warp_type* begin(const lockstep_step& step);
    bool check_path(const lockstep_step& step, const warp_type& w);
    bool check_hazards(const lockstep_step& step, const warp_type& w, const isa::instruction& i);
    void launched(const lockstep_step& step, warp_type& w, const isa::instruction& i,
                  const std::uint32_t* row);
    void release_barrier(block_type& b, std::uint64_t time);

    bool check_operands(const lockstep_step& step, const warp_type& w, const isa::instruction& i,
                        const std::uint32_t* address, const lockstep_operands& operands);
    [[nodiscard]] std::string refusal(const isa::instruction& i, std::uint32_t address,
                                      const block_type& b);
    [[nodiscard]] bool in_range(std::uint32_t address, unsigned bytes, bool write);
    void make(const isa::instruction& i, std::uint32_t pc, warp_type& w, lane_mask lanes);
    void note_shared(const lockstep_step& step, const warp_type& w, const isa::instruction& i,
                     unsigned lane, std::uint32_t offset);
    void note_private(warp_type& w, const isa::instruction& i, unsigned lane, std::uint32_t offset,
                      lane_mask& stale, lane_mask& undefined);
    bool follow_undefined(const lockstep_step& step, warp_type& w, const isa::instruction& i);
    bool check_defined(const lockstep_step& step, const warp_type& w, unsigned index,
                       lane_mask lanes, const char* use);
    void store(const lockstep_step& step, warp_type& w, const isa::instruction& i,
               const std::uint32_t* address, lane_mask lanes);
    void take_off(const lockstep_step& step, warp_type& w, const isa::instruction& i,
                  const std::uint32_t* address, lane_mask global, lane_mask stale);
    void land_atomics(std::uint64_t time, warp_type& w, flight_type& f, lane_mask lanes,
                      const std::uint32_t* values, const lockstep_step& step);
    bool judge(const lockstep_step& step, const warp_type& w, const flight_type& f, unsigned lane,
               std::uint32_t value);
    void judge_open(std::uint32_t word);
    [[nodiscard]] std::uint32_t new_source(const lockstep_step& step, const warp_type& w);

    std::uint32_t private_bytes_;
    flat_memory private_backing_;
    flat_memory written_backing_;
    memory_system<Lanes> memory_;  ///< for shared and private memory only
    interpreter<Lanes> cpu_{memory_};
    std::size_t most_instructions_ = 0;  ///< of the code of a launch
    std::vector<block_type> blocks_;
    std::map<launch_id, std::unique_ptr<followed_grid>> grids_;
    std::map<std::pair<launch_id, std::uint32_t>, suspended> suspended_;  ///< by launch and block
    spare_warps<Lanes> spare_warps_;

    write_history history_;
    atomic_chains chains_;
    std::vector<source> sources_;
    access_order<Lanes> order_;
    gathered_writes<warp_type, Lanes> gathered_;
    std::vector<std::uint64_t> forgot_;         ///< by SMX: when it last forgot its lines
    std::map<std::uint64_t, unsigned> flying_;  ///< reads under way, by `from`
    std::vector<open_value> open_;
    std::vector<std::unique_ptr<flight_type>> spare_;
    allocation known_;  ///< last found
    std::uint64_t known_version_ = ~std::uint64_t{0};
};

}  // namespace heddle::iss
