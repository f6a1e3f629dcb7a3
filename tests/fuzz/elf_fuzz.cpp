// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The reader of device programs.
#include "models/base/error.h"
#include "models/program/image.h"
#include "tests/fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        (void)heddle::program::image::load(data, size, "fuzz");
    } catch (const heddle::configuration_error&) {
    }
    return 0;
}
