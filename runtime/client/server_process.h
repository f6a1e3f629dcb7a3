// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "runtime/client/environment.h"
#include "runtime/protocol/channel.h"

namespace heddle::runtime {

/// Starts a device server, which ends by itself when its socket does. It is no child of this
/// process: programs wait for all their children. Throws connection_error if it can't be started.
void start_server_process(const server_start& start, const descriptor& socket,
                          const descriptor& shared);

}  // namespace heddle::runtime
