// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/protocol/kernel_launch.h"

#include "models/device/launch_table.h"
#include "models/program/image.h"

namespace heddle::protocol {

void kernel_launch::carry(const prepared_launch& what, const program::image& image) {
    launch = what.id;
    parent = what.parent;
    kernel_index = static_cast<std::uint32_t>(what.kernel - image.kernels().data());
    kernel_name = what.kernel->name;
    entry_pc = what.kernel->entry;
    grid = what.shape.grid;
    block = what.shape.block;
    parameter_address = what.parameters;
    parameter_bytes = what.kernel->parameter_bytes;
    per_block = what.per_block;
    dynamic_shared_bytes = what.shape.dynamic_shared_bytes;
}

}  // namespace heddle::protocol
