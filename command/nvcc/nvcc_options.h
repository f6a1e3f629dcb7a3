// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::command {

/// What `heddle nvcc` makes.
enum class nvcc_phase : std::uint8_t {
    program,      ///< an executable, or a library with `shared`
    objects,      ///< -c, -dc
    device,       ///< -cubin, -fatbin, -ptx: the device program alone
    device_link,  ///< -dlink: the object that the device halves of others are linked to
    archive,      ///< -lib
    preprocess,   ///< -E
    depend,       ///< -M, -MM
    version,      ///< --version
    help,         ///< --help
};

/// A command line of nvcc, understood.
struct nvcc_request {
    nvcc_phase phase = nvcc_phase::program;
    std::vector<std::string> sources;
    /// Objects, archives, -L, -l and the linker's options, in order; a source is the empty word.
    std::vector<std::string> link_words;
    std::string output;
    std::string device_extension = ".elf";  ///< of nvcc_phase::device
    std::string output_folder;              ///< of outputs that are not named
    /// For both halves, as clang takes them, in order: -I, -D, -U, -isystem, -include.
    std::vector<std::string> preprocessor;
    std::string standard = "-std=gnu++17";
    /// For the host half alone: -O, -g, -W..., -Xcompiler.
    std::vector<std::string> host;
    /// -MD, -MMD, -MF, -MT, -MP, likewise.
    std::vector<std::string> dependencies;
    std::string depend_option;  ///< -M or -MM
    bool all_cuda = false;      ///< -x cu
    bool relocatable = false;   ///< -rdc=true, -dc
    bool device_debug = false;  ///< -G
    bool fast_math = false;
    bool contract = true;         ///< -fmad
    unsigned most_registers = 0;  ///< -maxrregcount; 0: all that there are
    bool shared = false;
    bool report_kernels = false;  ///< -Xptxas -v, -res-usage
    bool warn_double = false;     ///< -Wdouble
    bool keep = false;
    bool show_commands = false;  ///< -v
    bool dry_run = false;
    std::vector<std::string> warnings;  ///< of the command line
};

/// Understands the words behind `heddle nvcc`. Throws configuration_error that names an unknown
/// option and a near one, or what is missing.
[[nodiscard]] nvcc_request read_nvcc_options(const std::vector<std::string>& words);

/// Whether -v or -dryrun is among the words, not as another option's value. The rest may be wrong.
[[nodiscard]] bool asks_for_commands(const std::vector<std::string>& words);

/// The text of --help.
[[nodiscard]] std::string nvcc_help();

}  // namespace heddle::command
