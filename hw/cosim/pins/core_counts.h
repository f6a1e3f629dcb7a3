// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/cosim/pins/core_record.h"
#include "hw/smx/smx_statistics.h"
#include "models/base/level_meter.h"
#include "models/base/statistics.h"
#include "models/isa/instruction.h"

namespace heddle::pins {

/// What the retire port of an SMX tells, as an SMX's statistics. Why it has not issued is unknown.
class core_counts {
public:
    /// `schedulers`, `warp_slots`: of the SMXs that are not behind pins, for what sums over all.
    core_counts(unsigned schedulers, unsigned warp_slots)
        : schedulers_(schedulers), warp_slots_(warp_slots) {}

    void begin(std::uint64_t edge, unsigned warps);
    void step(std::uint64_t edge, std::size_t kernel, const isa::instruction& i,
              const core_record& record, bool diverges, bool of_double);
    void end(std::uint64_t edge, std::size_t kernel, unsigned warps);
    void released() noexcept { ++progress_; }
    void stored_shared() noexcept { ++progress_; }

    [[nodiscard]] smx_counts counts(std::uint64_t edge, std::uint64_t fetched_lines) const;
    /// Under `scope` those of an SMX's statistics that are known. `idle`: cycles without a launch.
    static void collect(statistics& into, const std::string& scope, smx_counts all,
                        std::uint64_t idle, unsigned warp_slots);
    /// Counts blocks that begin or end, barriers, and stores to shared memory. L2 counts what
    /// changes in global memory.
    [[nodiscard]] std::uint64_t progress() const noexcept { return progress_; }

private:
    execution_counts& of(std::size_t kernel);

    const unsigned schedulers_;
    const unsigned warp_slots_;
    std::vector<execution_counts> kernels_;
    level_meter live_warps_;
    level_meter held_slots_;
    issue_sizes sizes_;
    std::uint64_t steps_ = 0;
    std::uint64_t progress_ = 0;
};

}  // namespace heddle::pins
