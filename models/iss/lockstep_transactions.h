// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/iss/lockstep_base.h"
#include "models/simt/transaction_rules.h"

namespace heddle::iss {

/// The transactions of the lock-step simulation. The shared memory of a block whose kernel has them
/// is accessed when the machine accesses it, not when the instruction issues: what a lane that
/// loses in between has issued does not happen.
template <unsigned Lanes>
class lockstep_transactions : public lockstep_base<Lanes> {
public:
    using register_rows = lockstep::register_rows;

    void transaction(std::uint64_t time, std::uint32_t sm, unsigned slot, transaction_event what,
                     lane_mask lanes, const register_rows& rows) override;

protected:
    using base = lockstep_base<Lanes>;
    using warp_type = followed_warp<Lanes>;
    using flight_type = flight<Lanes>;
    using base::check_row;
    using base::counts_;
    using base::differ;
    using base::parts_;
    using base::stopped_;
    using base::text;
    using base::warp_at;

    using base::base;

    /// tx.begin and tx.commit issue.
    void execute_transaction(const lockstep_step& step, warp_type& w, const isa::instruction& i);
    /// The machine has made an access to shared memory of a block with transactions.
    void make_load(const lockstep_step& step, warp_type& w, const flight_type& f, lane_mask lanes);
    void make_store(std::uint64_t time, std::uint32_t sm, unsigned slot, std::uint64_t number);
    void put_off(const lockstep_step& step, warp_type& w, const isa::instruction& i,
                 const std::uint32_t* address, lane_mask lanes);
    /// Whether the lanes may execute the instruction, an access at `address`, where they are.
    [[nodiscard]] static bool transaction_allows(const warp_type& w, lane_mask lanes,
                                                 const isa::instruction& i, std::uint32_t address) {
        if (!w.transaction.active(lanes)) return true;
        return i.cls == isa::instruction_class::store ? simt::storable_in_transaction(address)
                                                      : simt::legal_in_transaction(i);
    }

private:
    [[nodiscard]] bool storing(const warp_type& w, lane_mask lanes) const;
    [[nodiscard]] bool under_way(const warp_type& w, lane_mask lanes) const;
    void lose(warp_type& w, lane_mask lanes);
    /// An access of a lane meets the transactions under way; false after a difference.
    bool meet(const lockstep_step& step, const warp_type& w, unsigned lane, std::uint32_t offset,
              bool write);
};

#define HEDDLE_DECLARE(lanes) extern template class lockstep_transactions<lanes>;
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_DECLARE)
#undef HEDDLE_DECLARE

}  // namespace heddle::iss
