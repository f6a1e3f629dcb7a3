// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/cpu_quota.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace heddle {
namespace {

namespace fs = std::filesystem;

/// Time that may run in each period: version 2 has both in one file, version 1 in two. A quota that
/// is not a number, or -1, is none.
std::optional<double> quota_of(const fs::path& group) {
    std::ifstream both(group / "cpu.max");
    std::ifstream quota(group / "cpu.cfs_quota_us");
    std::ifstream length(group / "cpu.cfs_period_us");
    double runs = 0;
    double period = 0;
    const bool limited =
        both ? static_cast<bool>(both >> runs >> period)
             : static_cast<bool>(quota >> runs) && static_cast<bool>(length >> period);
    if (!limited || runs <= 0 || period <= 0) return std::nullopt;
    return runs / period;
}

/// "cpu" is one of the controllers, which commas part.
bool has_cpu(const std::string& controllers) {
    return ("," + controllers + ",").find(",cpu,") != std::string::npos;
}

}  // namespace

std::optional<double> cpu_quota(const fs::path& membership, const fs::path& mounted) {
    std::optional<double> least;
    std::ifstream lines(membership);
    // hierarchy:controllers:path; version 2 has no controllers there
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (!controllers.empty() && !has_cpu(controllers)) continue;
        const fs::path top = mounted / controllers;
        fs::path group = fs::path(line.substr(second + 1)).relative_path();
        for (;; group = group.parent_path()) {
            if (const auto quota = quota_of(top / group)) {
                least = std::min(*quota, least.value_or(*quota));
            }
            if (group.empty()) break;
        }
    }
    return least;
}

}  // namespace heddle
