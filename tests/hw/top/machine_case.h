// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <gmock/gmock.h>

#include <ostream>
#include <string>

#include "tests/hw/top/machine_fixture.h"

namespace heddle {

/// A machine as the parameter of a test.
struct machine_case {
    const char* name;
    const char* configuration;
    settings changes;

    friend std::ostream& operator<<(std::ostream& out, const machine_case& one) {
        return out << one.name;
    }
};

inline std::string name_of(const testing::TestParamInfo<machine_case>& one) {
    return one.param.name;
}

}  // namespace heddle
