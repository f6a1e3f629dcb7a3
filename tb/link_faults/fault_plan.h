// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "hw/protocol/rule_table.h"

namespace heddle::link_faults {

enum class fault_kind : std::uint8_t { none, drop, delay, duplicate, corrupt };

/// One fault of a run.
struct fault {
    fault_kind kind = fault_kind::none;
    std::string link;  ///< hierarchical name
    protocol::path via = protocol::path::forward;
    std::uint64_t call = 0;    ///< of that link and way, from 0
    std::uint64_t choice = 0;  ///< the bit that is wrong; the time that is lost, in picoseconds
};

/// The fault that is to happen, and the calls that have been made.
class fault_plan {
public:
    explicit fault_plan(fault planned) : planned_(std::move(planned)) {}

    /// A call is made: what is to happen to it.
    [[nodiscard]] fault_kind next(const std::string& link, protocol::path via) {
        const std::uint64_t call = calls_[{link, via}]++;
        const bool now = link == planned_.link && via == planned_.via && call == planned_.call;
        happened_ |= now;
        return now ? planned_.kind : fault_kind::none;
    }
    [[nodiscard]] const fault& planned() const noexcept { return planned_; }
    [[nodiscard]] bool happened() const noexcept { return happened_; }
    [[nodiscard]] const std::map<std::pair<std::string, protocol::path>, std::uint64_t>& calls()
        const noexcept {
        return calls_;
    }

private:
    fault planned_;
    std::map<std::pair<std::string, protocol::path>, std::uint64_t> calls_;
    bool happened_ = false;
};

}  // namespace heddle::link_faults
