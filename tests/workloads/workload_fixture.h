// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <string>

#include "models/iss/simulator.h"
#include "models/workloads/registry.h"

namespace heddle::workloads {

using option_values = std::map<std::string, std::string>;

/// A functional simulator of two SMXs with transactional memory.
inline std::unique_ptr<device> make_device(unsigned warp_size) {
    machine_configuration machine;
    machine.warp_size = warp_size;
    machine.smx_count = 2;
    machine.tm.enabled = true;
    return std::make_unique<iss::functional_simulator>(machine);
}

inline workload_report run_on(device& gpu, const char* name, const option_values& values,
                              std::uint64_t seed = 1, const std::string& input = "") {
    return run_workload(find_workload(name), gpu, {seed, input, values});
}

/// A run of a workload on the functional simulator.
struct run_case {
    const char* workload;
    option_values values;
    std::string input = "";
};

inline std::ostream& operator<<(std::ostream& out, const run_case& one) {
    out << one.workload;
    for (const auto& [key, value] : one.values) out << " " << key << "=" << value;
    return out << " " << one.input;
}

}  // namespace heddle::workloads
