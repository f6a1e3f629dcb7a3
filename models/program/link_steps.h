// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/program/compile.h"
#include "models/program/kernel_signature.h"
#include "models/program/toolchain.h"
#include "models/program/work_folder.h"

namespace heddle::program {

/// From objects and IR to an executable: finds the kernels, writes their entry stubs and their
/// table, links. All that the constructor gets outlives the object.
class link_steps {
public:
    /// Warnings are added to `diagnostics`. Throws configuration_error if options.place is no
    /// place.
    link_steps(const compile_options& options, const toolchain& tools, const work_folder& folder,
               std::string& diagnostics);

    /// An object file.
    void add_object(const std::string& object) { objects_.push_back(object); }
    /// A C or C++ source as IR and as the object made of it, which has its signatures.
    void add_inlined(const std::string& bitcode, const std::string& object);
    /// IR text of OpenCL C, in a file; `source` is what it was made of, for messages.
    void add_opencl(const std::string& ir_file, const std::string& source);

    /// Kernels may take classes with a copy constructor or destructor: the host has called it.
    void let_host_copy() { host_copies_ = true; }

    /// Links what has been added; `name` stands for the program in messages. Throws
    /// configuration_error as compile() does, tool_failure if it is a tool that complains.
    std::vector<std::uint8_t> link(const std::string& name);
    /// All that link() has compiled, as one object; after link() of sources that were added by
    /// add_inlined().
    [[nodiscard]] const std::string& object() const noexcept { return objects_.front(); }
    /// Links an earlier object() for options.place.
    std::vector<std::uint8_t> link_again(const std::string& object, const std::string& name);
    /// Names, ascending; after link().
    [[nodiscard]] const std::vector<std::string>& kernels() const noexcept { return kernels_; }

private:
    void run(const std::vector<std::string>& command, const std::string& what,
             const std::string& input = "/dev/null") {
        diagnostics_ += run_tool(tools_, command, what, input);
    }
    [[nodiscard]] std::vector<std::string> link_command(const std::string& output) const;
    void add_stubs(const std::string& name);
    std::vector<std::uint8_t> link_objects(const std::string& name);

    struct inlined_source {
        std::string bitcode, object;
    };

    const compile_options& options_;
    const toolchain& tools_;
    const work_folder& folder_;
    std::string& diagnostics_;
    std::vector<std::string> objects_;
    std::vector<inlined_source> inlined_;
    bool host_copies_ = false;
    opencl_parameters parameters_;
    required_blocks blocks_;
    std::vector<std::string> kernels_;
};

}  // namespace heddle::program
