// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/lsu/lines/line_atomics.h"
#include "hw/smx/lsu/lines/line_losses.h"
#include "hw/smx/lsu/lines/line_stores.h"
#include "hw/smx/lsu/load_store_configuration.h"
#include "hw/smx/lsu/loads/cached_loads.h"
#include "hw/smx/lsu/loads/load_targets.h"
#include "hw/smx/lsu/loads/uncached_loads.h"
#include "hw/smx/pipeline/code_profile.h"

namespace heddle {

/// Cuts the accesses of an instruction to global and private memory into lines, and says which way
/// each takes: through L1D, past it, or both.
///
/// A cycle sees the lanes of one line. With l1d.banks above 1, a load or store that uses L1D
/// accesses one line of each bank per cycle, so that it takes as many cycles as its lines in one
/// bank. ldcg, ldcv and parameter reads (runtime reserve) bypass L1D, as do all plain loads of
/// global memory unless l1d.cache_global is on.
class line_accesses {
public:
    line_accesses(const load_store_configuration& configuration,
                  const l1_data_cache_configuration& l1d, const line_environment& environment,
                  line_losses& losses, load_timer& timer);

    /// `profile` is told of the accesses. Call before the run starts.
    void follow(code_profile& profile) noexcept { profile_ = &profile; }
    /// A cycle's accesses of the oldest instruction, private memory first. Lanes that are done
    /// leave `m.left`. It may be called without such lanes. Refused: call again for the same
    /// instruction.
    access_refusal access(queued_instruction& m, std::uint64_t edge);
    /// Further lines in the cycle of an access() of another instruction: those in banks of L1D that
    /// the cycle has not used.
    void access_further(queued_instruction& m, std::uint64_t edge) {
        if (used_banks_ == all_banks) return;
        const bool is_private = m.left.in_private != 0;
        access_other_banks(m, is_private ? m.left.in_private : m.left.in_global, is_private, edge);
    }

    /// `m` makes an access in one of the next cycles: has the host's cache fetch what it looks at.
    void expect(const queued_instruction& m);

    /// Ends the accesses whose latency ends at this edge.
    void complete(std::uint64_t edge) { cached_loads_.complete(edge); }
    /// Edge of the next one; ~0 if there is none.
    [[nodiscard]] std::uint64_t next_due() const noexcept { return cached_loads_.next_due(); }

    /// Before the calls of a cycle, if access() is not the first of them.
    void begin_cycle() noexcept { used_banks_ = 0; }

private:
    static constexpr std::uint64_t all_banks = ~std::uint64_t{0};

    [[nodiscard]] line_access next_of(const queued_instruction& m, isa::lane_mask lanes,
                                      bool is_private) const noexcept;
    access_refusal perform(const queued_instruction& m, const line_access& a, std::uint64_t edge);
    [[nodiscard]] bool uses_banks(const queued_instruction& m, const line_access& a) const noexcept;
    [[nodiscard]] bool uses_cache(const isa::instruction& i, const line_access& a) const noexcept;
    [[nodiscard]] std::uint64_t bank_of(const line_access& a) const noexcept {
        return std::uint64_t{1} << (a.line / line_bytes_ % banks_);
    }
    /// The instruction's lines that lie in banks which this cycle has not used, one of each bank.
    void access_other_banks(const queued_instruction& m, isa::lane_mask& left, bool is_private,
                            std::uint64_t edge);

    cached_loads cached_loads_;  ///< first, as every cycle looks at it
    const unsigned lanes_;
    const std::uint32_t line_bytes_;
    const std::uint32_t banks_;  ///< of L1D
    l1_data_cache& cache_;
    load_store_counters& counters_;
    load_targets targets_;
    line_losses& losses_;
    uncached_loads uncached_loads_;
    line_stores stores_;
    line_atomics atomics_;
    code_profile* profile_ = nullptr;       ///< null: nobody asks
    std::uint64_t used_banks_ = all_banks;  ///< in this cycle
    line_access next_{};                    ///< of the oldest instruction, if next_known_
    bool next_known_ = false;
};

}  // namespace heddle
