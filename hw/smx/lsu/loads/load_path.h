// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/l1/load_cache_configuration.h"
#include "hw/smx/lsu/loads/cached_loads.h"
#include "hw/smx/pipeline/code_profile.h"

namespace heddle {

/// Loads of memory that nobody writes while the launch runs, through a cache of their own: lines,
/// miss registers, the loads that wait for a fill, and the way to memory.
///
/// An access sees the lanes within one `granule`: a word in the constant cache, so that lanes at
/// different words take turns; a line in the read-only cache. A miss asks memory for the whole
/// line; loads of that line join it.
///
/// Other launches: the first block of a launch on the SMX invalidates all lines, and a fill that is
/// under way then reaches those who wait for it, but is not installed. So a launch never sees what
/// memory held for an earlier one, although parameter buffers are used again. A launch that runs at
/// the same time loses its lines, which costs it time only: it asks memory again, and its own
/// constants have not changed. Lines that carry the number of their launch would save these misses,
/// but NVIDIA's launch descriptors invalidate, too (INVALIDATE_SHADER_CONSTANT_CACHE), and the
/// constants of a program could not be shared by its launches.
///
/// Costs: so many accesses a cycle as there are ports; a hit has its value after the hit latency.
class load_path {
public:
    /// `cause`: the reason that an access gets which has to wait for this cache.
    load_path(const load_cache_configuration& shape, std::uint32_t granule, reservation_fail cause,
              const load_environment& environment);

    [[nodiscard]] bool exists() const noexcept { return cache_.exists(); }
    /// `profile` is told of the accesses. Call before the run starts.
    void follow(code_profile& profile) noexcept { profile_ = &profile; }
    /// An access of an instruction, if is_free(). `left` has its lanes that have not accessed, at
    /// least one; those that are done leave. Refused: call again for the same instruction.
    access_refusal access(const queued_instruction& m, isa::lane_mask& left, std::uint64_t edge);
    /// Whether another access can be made in this cycle.
    [[nodiscard]] bool is_free(std::uint64_t edge) const noexcept {
        return edge != last_ || made_ < ports_;
    }
    /// As many accesses of the instruction as the cycle allows. Refused: not even one was possible.
    access_refusal access_all(const queued_instruction& m, isa::lane_mask& left,
                              std::uint64_t edge);

    /// Ends the accesses whose latency ends at this edge.
    void complete(std::uint64_t edge) { loads_.complete(edge); }
    /// Edge of the next one; ~0 if there is none.
    [[nodiscard]] std::uint64_t next_due() const noexcept { return loads_.next_due(); }

    /// First block of a launch: forgets all lines.
    void invalidate() { cache_.invalidate_global(); }

    [[nodiscard]] const l1_data_cache& cache() const noexcept { return cache_; }

private:
    [[nodiscard]] line_access next_of(const queued_instruction& m,
                                      isa::lane_mask left) const noexcept;

    const unsigned lanes_;
    const std::uint32_t granule_;  ///< bytes, a power of two
    const std::uint32_t line_bytes_;
    const reservation_fail cause_;
    const std::uint32_t ports_;
    std::uint64_t last_ = ~std::uint64_t{0};  ///< edge of the last access
    std::uint32_t made_ = 0;                  ///< accesses at that edge
    code_profile* profile_ = nullptr;         ///< null: nobody asks
    l1_data_cache cache_;
    load_targets targets_;
    cached_loads loads_;
};

}  // namespace heddle
