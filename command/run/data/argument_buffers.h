// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "command/run/data/array_file.h"
#include "models/device/device.h"
#include "models/program/kernel.h"

namespace heddle::command {

/// A text of the user's, and what an error message about it begins with.
struct located_text {
    std::string text;
    std::string where;  ///< "--arg a:f32[4]: parameter 'a' (const float *)", "run.toml:4:9: ..."
};

/// A device buffer that the user names.
struct argument_buffer {
    std::string name;
    located_text asked;
    std::string init;            ///< a number, iota or random; or
    std::filesystem::path file;  ///< the file that has the values
    /// Extents, of which COUNT may have several; empty: the file says them.
    std::vector<std::uint64_t> asked_shape;
    std::string asked_type;  ///< empty: the file says it
    /// Type, dtype and shape; contents only of a file, until the device has them.
    array_values values;
    std::uint64_t count = 0;
    bool is_known = false;  ///< the type is, since a parameter has used the buffer
    device_address address = 0;

    [[nodiscard]] std::string type() const;  ///< "f32", "record"
    [[nodiscard]] std::uint64_t bytes() const noexcept { return count * values.layout.size; }
    /// The first values, as texts: "0 3 6 9 ...". They lie in the first previewed_bytes().
    [[nodiscard]] std::string preview(const std::vector<std::byte>& contents) const;
    [[nodiscard]] std::uint64_t previewed_bytes() const noexcept;
};

/// The named buffers of a run. First all are added, then used, then made.
class argument_buffers {
public:
    /// What add() takes after the name.
    static const std::string syntax;

    /// `folder` is where relative names of files begin. `definition` is "TYPE[COUNT]",
    /// "TYPE[COUNT]=INIT" or "@FILE"; its text is what the user wrote. Returns the buffer's index.
    /// Throws configuration_error if it has another form or the name is there already.
    std::size_t add(const std::string& name, const std::string& definition,
                    const located_text& asked, const std::filesystem::path& folder);

    /// A pointer parameter gets this buffer. The first use reads the buffer's file. Throws
    /// configuration_error if the file can't be read or its values are not those of the type, or,
    /// for a type from a file or `record`, not what the parameter points to.
    void use(std::size_t buffer, const program::kernel_parameter& parameter,
             const std::string& where);

    [[nodiscard]] std::optional<std::size_t> find(const std::string& name) const;
    /// "there is no buffer 'x'; did you mean ...".
    [[nodiscard]] std::string missing(const std::string& name) const;
    [[nodiscard]] const std::vector<argument_buffer>& all() const noexcept { return buffers_; }

    /// Allocates the buffers on the device and fills them.
    void make(device& target, std::uint64_t seed);

private:
    std::vector<argument_buffer> buffers_;
};

}  // namespace heddle::command
