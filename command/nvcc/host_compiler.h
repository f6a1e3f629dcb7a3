// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

#include "command/nvcc/nvcc_options.h"
#include "models/program/toolchain.h"

namespace heddle::command {

/// Commands of clang for the host halves of CUDA programs, which have 32 bits: pointers and
/// structures have one layout on both sides.
class host_compiler {
public:
    /// All arguments outlive the object.
    host_compiler(const nvcc_request& request, const program::toolchain& tools)
        : request_(request), tools_(tools) {}

    /// Up to the source's language and name. `device`: what the object embeds; empty: nothing.
    [[nodiscard]] std::vector<std::string> compile(const std::string& source,
                                                   const std::string& device) const;
    [[nodiscard]] std::vector<std::string> link(const std::vector<std::string>& words,
                                                const std::string& output) const;
    /// What both halves read sources with.
    [[nodiscard]] std::vector<std::string> both_halves() const;
    /// Folders of system headers, each behind its option of clang -cc1.
    [[nodiscard]] std::vector<std::string> system_folders() const;

    /// What build systems read from `nvcc -v`: where headers and libraries are, and a command that
    /// links.
    [[nodiscard]] static std::string announcement();

    /// Whether a source has a device half.
    [[nodiscard]] bool is_cuda(const std::string& source) const;

private:
    /// The options of the host's compiler.
    [[nodiscard]] std::vector<std::string> host_words() const;
    /// The folder of omp.h behind its option, if the program asks for OpenMP.
    [[nodiscard]] std::vector<std::string> openmp_folder() const;

    const nvcc_request& request_;
    const program::toolchain& tools_;
};

}  // namespace heddle::command
