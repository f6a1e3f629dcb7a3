// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "models/program/control_flow.h"
#include "models/program/references.h"

namespace heddle::program {

/// Finds the loads that read constants, as boards have instructions of their own for them. One
/// element an instruction of `text`. The code decides, not what lanes do:
/// - parameters: the address begins with that of the parameter buffer, which a0 holds where a
///   thread starts, in a function of `entries`, plus any offset or index;
/// - `__constant__` variables and literals: it begins with an address in section .constant, plus
///   any offset or index. Lanes may want different words;
/// - other read-only data: it is an address there plus offsets that are the same for all threads.
///   A table that is read with an index is global memory.
///
/// Addresses are followed through the registers of one function, over all its ways. A pointer that
/// a call, an argument or memory hands on is not followed: loads through it are loads of global
/// memory. An index can lead out of the constants: a load that is marked and finds other memory at
/// its address is a load of that memory.
/// Cost: O(instructions x registers) in the worst case, mostly two passes over the code.
std::vector<bool> find_constant_loads(const code_text& text,
                                      const std::vector<function_graph>& graphs,
                                      const std::set<std::uint32_t>& entries,
                                      const address_users& users);

}  // namespace heddle::program
