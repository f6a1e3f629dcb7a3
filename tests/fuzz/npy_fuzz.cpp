// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The headers of NumPy's files.
#include <string>
#include <string_view>

#include "command/run/data/npy_header.h"
#include "models/base/error.h"
#include "tests/fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace heddle;
    try {
        const std::string_view bytes(reinterpret_cast<const char*>(data), size);
        const command::npy_header header = command::parse_npy_header(bytes, "fuzz.npy");
        std::uint64_t count = 0;
        (void)command::value_count(header.shape, count);
        (void)command::npy_descr(header.layout);
    } catch (const configuration_error&) {
    }
    return 0;
}
