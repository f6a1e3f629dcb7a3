// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "tests/rtl_smx/rtl_device.h"

namespace heddle::rtl_smx {

/// Source of a kernel `instructions` of random instructions: all that compute, exchange, read and
/// write registers of control, and access global and shared memory, under masks of lanes. Some
/// atomics meet those of other threads.
std::string instruction_source(std::uint64_t seed, unsigned instructions);

/// Compiles it and runs it on blocks of a size that the seed chooses. Throws the first difference.
void run_instructions(const rtl_settings& settings, std::uint64_t seed, unsigned instructions);

}  // namespace heddle::rtl_smx
