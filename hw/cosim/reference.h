// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <string>

#include "hw/cosim/rtl_model.h"

namespace heddle::cosim {

/// The C++ part of a slot behind the ports of its RTL: what another simulator compares RTL with.
/// The ports mean what the comment over the slot's table says, clock by clock. Before reset() its
/// outputs are 0.
///
/// Throws configuration_error for a slot that has no reference: legal are warp_scheduler,
/// crossbar_allocator, dram_scheduler, queue_picker, kde_chain, group_allocator.
[[nodiscard]] std::unique_ptr<rtl_model> make_reference(const std::string& slot);

}  // namespace heddle::cosim
