// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

#include "hw/memory_controller/memory_controller_configuration.h"
#include "tb/channel/traffic.h"

namespace heddle::channel {

/// A row of the table of the channel: what is run, and what it should give.
struct table_row {
    std::string name;
    memory_controller_configuration configuration;
    traffic_options traffic;
    /// The accesses, if they are few and chosen: then the latency of the last one is measured, in
    /// clocks; else the share of the peak bandwidth.
    std::vector<channel_access> chosen;
    /// Channels with seeds of their own that run the row.
    unsigned placements = 1;
    /// The result depends on the placement: their range counts, else their median.
    bool by_range = false;
    double low = 0, high = 0;  ///< expected, tolerance included
    std::string expected;      ///< the same for people
    bool judged = true;        ///< else it is shown only
};

/// The rows for a channel of gf100.
[[nodiscard]] std::vector<table_row> channel_table(memory_controller_configuration gf100);

}  // namespace heddle::channel
