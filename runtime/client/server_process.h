// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <sys/types.h>

#include "runtime/client/environment.h"
#include "runtime/protocol/channel.h"

namespace heddle::runtime {

/// A device server as a child of this process. It ends by itself when its socket does.
class server_process {
public:
    /// Throws connection_error if it can't be started.
    server_process(const server_start& start, const descriptor& socket, const descriptor& shared);
    server_process(const server_process&) = delete;
    server_process& operator=(const server_process&) = delete;

    /// After its socket has ended: waits for its files. Not in a child of the process.
    void wait() noexcept;

private:
    pid_t id_ = -1;
};

}  // namespace heddle::runtime
