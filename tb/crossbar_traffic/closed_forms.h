// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <optional>

#include "tb/crossbar_traffic/traffic_options.h"

namespace heddle::crossbar_traffic {

/// Figures from closed forms; empty where there is none.
struct expectation {
    std::optional<double> throughput;  ///< flits per output and cycle
    std::optional<double> latency;     ///< cycles from the creation of a message to its delivery
    bool is_bound = false;             ///< the latency is a lower bound
};

/// Throughput of backlogged inputs, flits per output and cycle: with input_first and with one pass
/// of pim and an input speedup of 1, 1 - (1 - 1/C)^R for R inputs and C outputs of a buffer.
[[nodiscard]] std::optional<double> saturation(const traffic_options& options);

/// What to expect at an offered load.
/// - permutation: throughput = load; latency = that of an empty crossbar + the wait of a Geo/D/1
///   queue of service time c (flits), load * (c - 1) / (2 (1 - load)).
/// - uniform, one flit, equal numbers of inputs and outputs: throughput = load below saturation;
///   no switch is faster than one with output queues, whose wait is
///   (N - 1) / N * load / (2 (1 - load)) (Karol, Hluchyj, Morgan 1987).
/// - hotspot: output 0 can take no more than 1 and holds up all who send to it; with a share h the
///   offered load that it can take is 1 / (N (h + (1 - h) / M)).
[[nodiscard]] expectation expected(const traffic_options& options, double load);

}  // namespace heddle::crossbar_traffic
