// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace heddle::command {

/// What `heddle tm_feasibility` is asked.
struct feasibility_request {
    std::string program;               ///< name of a workload, or ELF file
    std::string configuration = "si";  ///< name or file
    std::vector<std::string> settings;
    std::uint32_t threads = 256;  ///< of a block
    std::uint32_t dynamic_shared_bytes = 0;
};

/// Which detections of transactional memory each kernel with transactions fits, and which suits it
/// (models/analytic/transaction_feasibility.h); text, or JSON with `as_json`. Throws
/// configuration_error for an unknown program or configuration, and if no kernel has transactions.
std::string tm_feasibility(const feasibility_request& request, bool as_json,
                           const std::filesystem::path& configurations);

}  // namespace heddle::command
