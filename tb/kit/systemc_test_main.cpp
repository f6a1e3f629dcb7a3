// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// libsystemc brings a main() that calls sc_main() and does not link without one. Which main() a
// GoogleTest program gets, that one or gmock_main's, depends on the link order; with this sc_main
// both run the tests.
#include <gmock/gmock.h>

#include <systemc>

namespace {

/// Has a test fail that uses what the standard of SystemC deprecates.
class deprecated_features final : public testing::Environment {
public:
    void SetUp() override {
        sc_core::sc_report_handler::set_actions("/IEEE_Std_1666/deprecated", sc_core::SC_THROW);
    }
};

testing::Environment* const refused =
    testing::AddGlobalTestEnvironment(new deprecated_features);  // GoogleTest owns it

}  // namespace

int sc_main(int argc, char** argv) {
    testing::InitGoogleMock(&argc, argv);
    return RUN_ALL_TESTS();
}
