// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/kernel_launch.h"
#include "hw/protocol/memory_access.h"

// Compiled by wrong_binding.* tests with two links: the same one must bind, two must not.
using namespace heddle::protocol;

void bind(initiator_socket_base<INITIATOR_LINK>& initiator,
          target_socket_base<TARGET_LINK>& target) {
    initiator.bind(target);
}
