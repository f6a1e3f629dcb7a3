// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/execute/opcode_unit.h"

namespace heddle {

/// Hears of each instruction of an SMX before it executes, and may let the whole machine stand
/// still there. An SMX without one has nothing to ask.
class issue_watch {
public:
    virtual ~issue_watch() = default;

    /// Registers and memory are as the instruction finds them.
    virtual void issuing(const issued_group& issued) = 0;
    /// It was illegal: its fault has been reported.
    virtual void refused(const issued_group& issued) = 0;
};

/// A unit in front of which a watch stands.
class watched_unit final : public opcode_unit {
public:
    watched_unit(opcode_unit& unit, issue_watch& watch) : unit_(unit), watch_(watch) {}

    execution_outcome execute(const issued_group& issued) override {
        watch_.issuing(issued);
        execution_outcome outcome = unit_.execute(issued);
        if (outcome.what == execution_outcome::kind::refused) watch_.refused(issued);
        return outcome;
    }

private:
    opcode_unit& unit_;
    issue_watch& watch_;
};

}  // namespace heddle
