// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/iss/warp.h"
#include "models/program/image.h"

namespace heddle::iss {

/// Who waits for what, when nothing has changed for `instructions` warp instructions: one line a
/// warp for the first blocks. A warp whose active lanes spin while others wait at a reconvergence
/// point all along (reconvergence_stack::watch()) is named a SIMT deadlock: the waiting lanes may
/// hold what the spinning ones want.
template <unsigned Lanes>
std::string progress_report(const std::vector<block<Lanes>*>& resident, std::uint64_t instructions);

#define HEDDLE_DECLARE(lanes) \
    extern template std::string progress_report(const std::vector<block<lanes>*>&, std::uint64_t);
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_DECLARE)
#undef HEDDLE_DECLARE

}  // namespace heddle::iss
