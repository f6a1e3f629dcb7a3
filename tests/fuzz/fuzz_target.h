// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

/// What libFuzzer calls with each input, and replay_main.cpp with each file of a corpus: runs one
/// reader. The reader may refuse the input with a configuration_error; anything else that it
/// throws, and what the sanitizers see, is a finding.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace heddle {

/// Bytes as a file that has a name but no place on a disk; one at a time.
class memory_file {
public:
    memory_file(const std::uint8_t* data, std::size_t size);
    ~memory_file();
    memory_file(const memory_file&) = delete;
    memory_file& operator=(const memory_file&) = delete;
    [[nodiscard]] std::string path() const;

private:
    int file_;
};

}  // namespace heddle
