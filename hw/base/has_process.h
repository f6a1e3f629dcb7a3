// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <systemc>

/// In a module with SC_METHOD or SC_THREAD. Before SystemC 3 these need SC_HAS_PROCESS;
/// IEEE 1666-2023 calls it obsolete.
#if IEEE_1666_SYSTEMC < 202301L
#define HEDDLE_HAS_PROCESS(module) SC_HAS_PROCESS(module)
#else
#define HEDDLE_HAS_PROCESS(module) static_assert(true)
#endif
