// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "models/program/image.h"
#include "tests/rtl_smx/rtl_device.h"

namespace heddle::rtl_smx {

/// Source of a kernel `instructions` of random instructions: all that compute, exchange, read and
/// write registers of control, and access global and shared memory, under masks of lanes. Some
/// atomics meet those of other threads.
std::string instruction_source(std::uint64_t seed, unsigned instructions);

/// A compiled kernel of them.
class instruction_program {
public:
    instruction_program(std::uint64_t seed, unsigned instructions);

    /// Runs it on blocks of a size that the seed chooses. Throws the first difference.
    void run(const rtl_settings& settings) const;

private:
    std::uint64_t seed_;
    std::shared_ptr<const program::image> image_;
};

}  // namespace heddle::rtl_smx
