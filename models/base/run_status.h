// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/base/error.h"

namespace heddle {

/// Collects what went wrong in one run; one object a run, passed by reference to every block.
///
/// Timed code reports here instead of throwing, and the run stops at the next edge. The first
/// report decides kind() and thereby the exit code: what follows is usually its consequence.
class run_status {
public:
    /// Messages kept; further reports are only counted, so that a fault in every thread of a grid
    /// does not fill the memory.
    static constexpr std::size_t message_limit = 32;

    /// Records a problem and requests the stop. `message` says who, what, where and what would be
    /// legal. error_kind::none is no problem and therefore counts as a violated model invariant.
    [[gnu::cold, gnu::noinline]] void report(error_kind kind, std::string message);

    /// True from the first report on; polled at every edge.
    [[nodiscard]] bool stop_requested() const noexcept { return kind_ != error_kind::none; }
    /// Kind of the first report, none while there is no report.
    [[nodiscard]] error_kind kind() const noexcept { return kind_; }
    /// The first message_limit messages in the order of their reports.
    [[nodiscard]] const std::vector<std::string>& messages() const noexcept { return messages_; }
    /// All reports, kept or not.
    [[nodiscard]] std::uint64_t report_count() const noexcept { return report_count_; }
    /// Messages for people, one a line, the last line says how many were left out. Empty if good.
    [[nodiscard]] std::string text() const;

private:
    error_kind kind_ = error_kind::none;
    std::vector<std::string> messages_;
    std::uint64_t report_count_ = 0;
};

}  // namespace heddle
