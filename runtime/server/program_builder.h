// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/program/build_cache.h"
#include "models/program/compile.h"
#include "models/program/program_place.h"
#include "runtime/protocol/commands.h"

namespace heddle::runtime {

/// Compiles and links for a program, without files. An error of the compiler is in the answer's
/// log. Throws configuration_error if nothing can be compiled on this computer.
///
/// An executable is an ELF file for one place on the device. What it was made of, source or IR, is
/// behind it, so that it can have another place; readers of ELF files do not see it. Executables of
/// sources are kept from one run to the next (program::build_cache).
class program_builder {
public:
    explicit program_builder(bool double_precision) : cache_(program::default_cache_folder()) {
        how_.double_precision = double_precision;
    }

    /// An object, or an executable for that place.
    built_answer compile(const build_request& request, const program::program_place& place);
    built_answer link(const link_request& request, const program::program_place& place);
    /// The same executable for another place. Throws configuration_error if nothing is behind it.
    [[nodiscard]] std::vector<std::byte> move(const std::vector<std::byte>& executable,
                                              const program::program_place& place);

private:
    built_answer link(const std::vector<std::string>& modules, const std::string& name,
                      const program::program_place& place);
    built_answer build(const build_request& request, const std::string& name,
                       const program::program_place& place);

    program::compile_options how_;
    program::build_cache cache_;
    unsigned sources_ = 0;  ///< so far, for their names
};

}  // namespace heddle::runtime
