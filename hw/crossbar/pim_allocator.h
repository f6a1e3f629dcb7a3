// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "hw/crossbar/allocator.h"
#include "hw/crossbar/grant_accept.h"
#include "hw/crossbar/random_arbiters.h"

namespace heddle {

/// `pim`: parallel iterative matching, Anderson, Owicki, Saxe, Thacker, "High-Speed Switch
/// Scheduling for Local-Area Networks", 1993.
///
/// Each pass: each free column grants to a random one of the free rows that request it; each row
/// accepts a random one of its grants. Maximal when a pass finds nothing, after log2(R) + 4/3
/// passes in the mean. An arbiter steps once for each of its picks, also within one cycle.
class pim_allocator final : public allocator {
public:
    static constexpr const char* name = "pim";
    static constexpr const char* description =
        "outputs grant to random buffers, then buffers accept random grants";

    pim_allocator(const allocator_shape& shape, std::uint64_t run_seed, const std::string& path);
    pim_allocator(const allocator_shape& shape, random_arbiters rows, random_arbiters columns);

    matching decide(const request_matrix& in) override;
    void clock_edge() override;
    void reset() override;

private:
    grant_accept passes_;
    random_arbiters row_arbiters_, column_arbiters_;
};

}  // namespace heddle
