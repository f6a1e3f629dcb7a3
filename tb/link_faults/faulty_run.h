// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <map>
#include <string>
#include <utility>

#include "hw/top/gpu_configuration.h"
#include "models/workloads/launch_mode.h"
#include "tb/link_faults/fault_plan.h"

namespace heddle::link_faults {

/// What a run with a fault does.
struct faulty_run {
    gpu_configuration configuration;
    std::string workload;
    std::map<std::string, std::string> options;
    workloads::launch_mode mode = workloads::launch_mode::flat;
    std::uint64_t max_cycles;
};

/// How a run has ended.
struct outcome {
    bool right = false;     ///< it ended well, with the right result
    bool happened = false;  ///< the fault
    std::string text;       ///< what the run says otherwise
    std::map<std::pair<std::string, protocol::path>, std::uint64_t> calls;  ///< by link
};

/// Runs the workload on the machine with checkers on all links and the fault in one of them. One in
/// a process.
[[nodiscard]] outcome run_with_fault(const faulty_run& run, const fault& planned);

/// The same in a process of its own. A run of more than `seconds` is killed; the text says so.
[[nodiscard]] outcome run_apart(const faulty_run& run, const fault& planned, unsigned seconds);

}  // namespace heddle::link_faults
