// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/program/compile.h"
#include "models/program/link_steps.h"
#include "models/program/toolchain.h"
#include "models/program/work_folder.h"

/// Device halves of CUDA programs. Their host halves embed what is made here.
namespace heddle::program {

/// A source and what its two halves are compiled with.
struct cuda_source {
    std::string file;
    /// As clang takes them, in order: -I, -D, -U, -include, -isystem, -std.
    std::vector<std::string> options;
    /// Folders of the host's system headers, each behind its option.
    std::vector<std::string> system_folders;
    bool fast_math = false;
    bool debug = false;  ///< no optimization
    /// Registers 0 to this one, not itself, are for the compiler; 0: all 32 of them.
    unsigned most_registers = 0;
    /// Arguments are passed in those below.
    static constexpr unsigned fewest_registers = 18;
    /// One of several files whose device code is linked: a name of the file that no other one has.
    /// Empty: a program of its own.
    std::string unit;
};

/// Compiles device halves and links them to a program.
class cuda_build {
public:
    /// All arguments outlive the object. Of `how`, contract_floating_point, place and optimization
    /// count.
    cuda_build(const compile_options& how, const toolchain& tools, const work_folder& folder);

    /// Compiles a source to bitcode, whose file it returns. Throws tool_failure.
    std::string compile(const cuda_source& source);
    /// The command that compile() runs.
    [[nodiscard]] std::vector<std::string> command(const cuda_source& source,
                                                   const std::string& output) const;

    /// A program of some bitcode files, for place_cuda_program(); nothing if they have no kernel.
    /// `name` stands for it in messages. Throws configuration_error.
    std::optional<std::vector<std::uint8_t>> link(const std::vector<std::string>& bitcode,
                                                  const std::string& name);

private:
    void compile_translated(const cuda_source& source, const std::string& output);

    const compile_options& how_;
    const toolchain& tools_;
    const work_folder& folder_;
    unsigned compiled_ = 0;
};

/// The kinds of what a host object embeds.
enum class cuda_payload : std::uint32_t {
    program = 1,  ///< made by cuda_build::link()
    part = 2,     ///< bitcode
};

/// What precedes an embedded payload: "HEDDLECU", its kind, its bytes.
inline constexpr std::string_view cuda_magic = "HEDDLECU";
inline constexpr std::size_t cuda_head_bytes = 16;
[[nodiscard]] std::string with_cuda_head(cuda_payload kind, std::string_view payload);

/// Whether bytes are a payload that place_cuda_program() takes, as far as their end tells.
[[nodiscard]] bool is_cuda_program(std::string_view payload);

/// The executable for how.place. The payload begins with the one for the usual place, and has the
/// object behind it that all others are linked of. Throws configuration_error for bytes that no
/// cuda_build has made.
[[nodiscard]] std::vector<std::uint8_t> place_cuda_program(std::string_view payload,
                                                           const std::string& name,
                                                           const compile_options& how);

}  // namespace heddle::program
