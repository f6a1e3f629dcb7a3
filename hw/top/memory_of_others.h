// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <tlm>

namespace heddle {

/// Where an L2 bank binds to a memory that is not Heddle's: a target of the base protocol for each
/// bank, with transport_dbg, that performs accesses to the addresses of device memory. It has 4
/// GiB, and byte enables, or answers them with their error.
using memory_of_others = std::function<tlm::tlm_target_socket<32>&(std::uint32_t bank)>;

}  // namespace heddle
