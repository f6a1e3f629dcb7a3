// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// libsystemc brings a main() that calls sc_main() and does not link without one. Which main() a
// GoogleTest program gets, that one or gmock_main's, depends on the link order; with this sc_main
// both run the tests.
#include <gmock/gmock.h>

#include <systemc>

int sc_main(int argc, char** argv) {
    testing::InitGoogleMock(&argc, argv);
    return RUN_ALL_TESTS();
}
