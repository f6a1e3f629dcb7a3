// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/base/slot_trace_file.h"
#include "hw/cosim/stimulus/port_coverage.h"
#include "models/base/random.h"

namespace heddle::cosim {

/// Where a stimulus goes.
struct stimulus_target {
    slot_trace_file& file;
    port_coverage& coverage;
    random_stream& random;
    unsigned steps;  ///< calls after the directed ones
    std::uint64_t seed;
    std::string name;
};

/// What RTL of a slot is asked without a machine around it: calls as the port table allows them,
/// over the whole range of each port, directed ones first, then random ones.
struct stimulus {
    const char* slot;
    unsigned steps;  ///< that reach all situations of its coverage
    void (*drive)(const stimulus_target& to);
};

void drive_crossbar_allocator(const stimulus_target& to);
void drive_dram_scheduler(const stimulus_target& to);
void drive_formation(const stimulus_target& to);
void drive_group_allocator(const stimulus_target& to);
void drive_kde_chain(const stimulus_target& to);
void drive_queue_picker(const stimulus_target& to);
void drive_tm_bank(const stimulus_target& to);
void drive_warp_scheduler(const stimulus_target& to);

/// Throws configuration_error with the legal names.
[[nodiscard]] const stimulus& find_stimulus(const std::string& slot);

}  // namespace heddle::cosim
