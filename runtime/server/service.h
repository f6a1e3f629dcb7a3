// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

#include "models/base/machine_configuration.h"
#include "models/device/device.h"
#include "runtime/protocol/channel.h"
#include "runtime/protocol/commands.h"
#include "runtime/server/launch_log.h"
#include "runtime/server/peer_watch.h"
#include "runtime/server/program_store.h"

namespace heddle::runtime {

/// The server's end of the connection: carries out what the program's runtime asks of the device.
/// It is a host program as workloads are: simulated time stands while it waits for a request.
class service {
public:
    service(channel& peer, const shared_area& shared)
        : peer_(peer), shared_(shared), watch_(peer.number()) {}

    /// Serves until the other end closes or Ctrl-C. An error of the caller's is its reply; a fault
    /// of a kernel is thrown, as by device, and run_error of kind interrupted where the program
    /// has ended and its launches have not.
    void serve(device& gpu, const machine_configuration& machine,
               const device_description& description);
    /// After the run, or instead of it: tells the other end why there is no device any more, and
    /// the exit code of the run.
    void lost(const std::string& why, int code) noexcept;

private:
    channel& peer_;
    const shared_area& shared_;
    // Not in serve(): the thread of a run that breaks off never returns from there.
    peer_watch watch_;
    std::string printed_;  ///< by kernels, and not sent yet
};

}  // namespace heddle::runtime
