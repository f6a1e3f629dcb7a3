// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "check.h"

// Zicond.
BEGIN
    CHECK_BINARY(czero.eqz, 0x12345678, 0, 0)
    CHECK_BINARY(czero.eqz, 0x12345678, 1, 0x12345678)
    CHECK_BINARY(czero.eqz, -1, 0x80000000, -1)
    CHECK_BINARY(czero.nez, 0x12345678, 0, 0x12345678)
    CHECK_BINARY(czero.nez, 0x12345678, 1, 0)
    CHECK_BINARY(czero.nez, -1, 0x80000000, 0)
    PASS
