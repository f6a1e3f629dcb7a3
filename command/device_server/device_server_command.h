// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <filesystem>
#include <string>

#include "command/run/run_command.h"

namespace heddle::command {

/// `heddle device-server`, as a runtime library starts it.
struct device_server_request {
    run_request run;
    /// Which server of its program this is; the files of the second are FILE.2.json.
    unsigned number = 1;
    /// Folder in which the servers of several processes claim their numbers; empty: `number` says
    /// it.
    std::string claims;
    bool double_precision = true;
};

/// Serves the program at the other end of the socket (runtime/protocol) until it ends, with all
/// that `heddle run` makes of a run. Throws what run() throws, after the program has heard it.
void serve_device(device_server_request request, const std::filesystem::path& configurations);

}  // namespace heddle::command
