// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <filesystem>

namespace heddle {

/// Where the files are that a program reads when it runs.
struct data_folders {
    std::filesystem::path configurations;  ///< NAME.toml of --config NAME
    std::filesystem::path device;          ///< include/ and device/: headers and library of kernels
    std::filesystem::path kernels;         ///< compiled kernels of the workloads, NAME.elf
    std::filesystem::path compiler;        ///< heddle_pass.so, and parts of programs
    std::filesystem::path scripts;         ///< programs in Python that the command starts
    std::filesystem::path cuda;            ///< include/: headers of CUDA programs

    /// Those below `share/heddle` of an installed Heddle; the plug-in, which is no data, is beside
    /// it in `libexec/heddle`.
    [[nodiscard]] static data_folders installed_in(const std::filesystem::path& share);
};

/// The folders of the Heddle that a program is installed with: ../share/heddle of the folder of
/// `program`, if that has configurations. Else `linked`.
[[nodiscard]] data_folders data_folders_of(const std::filesystem::path& program,
                                           const data_folders& linked);

/// The same of the running program. Programs of others are not installed with Heddle: they have
/// those of the Heddle that they were linked with.
[[nodiscard]] const data_folders& data_folders_in_use();

/// Those of the tree or of the installed Heddle that is linked: each brings this function.
[[nodiscard]] data_folders linked_data_folders();

}  // namespace heddle
