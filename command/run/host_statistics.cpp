// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/host_statistics.h"

#include <sys/resource.h>

namespace heddle::command {

void collect_host(statistics& into, double seconds, std::uint64_t warp_instructions,
                  std::optional<std::uint64_t> cycles) {
    into.declare("host", host_statistics);
    into.set("host.seconds", seconds);
    if (seconds > 0) {
        into.set("host.warp_instructions_per_second",
                 static_cast<double>(warp_instructions) / seconds);
    }
    if (seconds > 0 && cycles) {
        into.set("host.cycles_per_second", static_cast<double>(*cycles) / seconds);
    }
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    constexpr std::uint64_t kibibyte = 1024;  // unit of ru_maxrss
    into.set("host.peak_memory", static_cast<std::uint64_t>(used.ru_maxrss) * kibibyte);
}

}  // namespace heddle::command
