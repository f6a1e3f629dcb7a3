// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>

#include <systemc>

namespace {

// heddle_systemc_test turns SystemC's notes into exceptions. sc_bit is the one feature of the list
// that has to be named anywhere: a sc_trace_file traces it.
TEST(deprecated_features, fail_the_test_that_uses_them) {
    EXPECT_THROW(sc_dt::sc_bit{true}, sc_core::sc_report);
}

}  // namespace
