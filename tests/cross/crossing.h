// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/top/gpu_configuration.h"
#include "models/base/random.h"
#include "models/random_kernels/random_kernel.h"

// Crossings: random machines with random programs (docs/mutants.md, "Crossings").
namespace heddle::cross {

/// A configuration of configs/ with changes, as KEY=VALUE.
struct machine_choice {
    std::string configuration;
    std::vector<std::string> changes;
};

/// A launch by the host. Each has a stream of its own.
struct launch_choice {
    std::size_t kernel = 0;  ///< index
    unsigned blocks = 1, threads = 1, priority = 0;
    iss::kernel_arguments arguments;
};

struct crossing {
    machine_choice machine;
    std::vector<iss::kernel_tree> kernels;
    std::vector<launch_choice> launches;
};

/// What a machine has for programs.
struct machine_abilities {
    bool transactions = false, launches = false, cooperation = false;
};
machine_abilities abilities_of(const gpu_configuration& configuration);

/// Draws a machine that its rules accept; `refused` counts those that they don't.
machine_choice draw_machine(random_stream& random, std::size_t& refused);

/// A kernel with operations at random.
iss::kernel_tree draw_kernel(random_stream& random, const std::string& name);

/// Draws a machine, and one to three launches of those of the kernels that it can run. The crossing
/// has the kernels that it launches.
crossing draw_crossing(random_stream& random, const std::vector<iss::kernel_tree>& kernels,
                       std::size_t& refused);

/// Formation, policy and what else crosses there, each a word.
std::vector<std::string> mechanisms_of(const crossing& one);

}  // namespace heddle::cross
