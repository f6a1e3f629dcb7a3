// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

namespace heddle::runtime {

/// The words of a text as a shell takes them: blanks separate, quotes and backslashes keep.
/// Throws connection_error for a quote that is not closed.
[[nodiscard]] std::vector<std::string> split_words(const std::string& text);
/// One word of such a text.
[[nodiscard]] std::string quoted_word(const std::string& word);

/// How a server is started: what the environment says (docs/opencl.md).
struct server_start {
    std::string program;             ///< the heddle command
    std::vector<std::string> words;  ///< its arguments
    std::string directory;           ///< where it works; empty: where the program does
    std::string summary;             ///< file for its standard output; "-": standard error
};

/// Of the `number`-th server of this process, counted from 1. Throws connection_error if there is
/// no heddle command.
[[nodiscard]] server_start server_start_from_environment(unsigned number);

}  // namespace heddle::runtime
