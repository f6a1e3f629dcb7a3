// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/base/part_list.h"
#include "hw/crossbar/input_first_allocator.h"
#include "hw/crossbar/islip_allocator.h"
#include "hw/crossbar/pim_allocator.h"
#include "hw/crossbar/wavefront_allocator.h"

namespace heddle {

/// What `crossbar.allocator` chooses from; the first one is the default. An allocator is made of
/// its shape, or of shape, seed of the run and path.
using allocators = part_list<allocator_kind, islip_allocator, pim_allocator, input_first_allocator,
                             wavefront_allocator>;

}  // namespace heddle
