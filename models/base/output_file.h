// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <filesystem>
#include <ostream>
#include <string_view>

#include "models/base/file_buffer.h"

namespace heddle {

/// A file that appears whole or not at all: it is written under a temporary name in the same
/// directory and takes its own name in commit(). Without commit() (an exception, say) an older
/// file of that name stays as it was and nothing is left behind.
///
/// A symbolic link is followed. A device or pipe, as in `--stats /dev/stdout`, can't be renamed
/// onto and is written directly; a file that standard output or error goes to is appended to. A
/// named pipe must have a reader, or get one within two seconds.
class output_file {
public:
    /// Throws configuration_error if the destination is a directory or its directory is missing or
    /// not writable, or nobody reads a named pipe: before the run, not after it.
    explicit output_file(std::filesystem::path destination);
    ~output_file();
    output_file(const output_file&) = delete;
    output_file& operator=(const output_file&) = delete;

    /// Where the contents go; bytes as they are.
    [[nodiscard]] std::ostream& stream() noexcept { return stream_; }
    [[nodiscard]] const std::filesystem::path& destination() const noexcept { return destination_; }
    /// The name that the contents have until commit(), for other programs that write them; the
    /// destination itself where it is written directly.
    [[nodiscard]] const std::filesystem::path& working_name() const noexcept {
        return temporary_.empty() ? destination_ : temporary_;
    }

    /// Completes the file. Throws configuration_error if anything could not be written (full
    /// disk, ...), with the reason. Nothing may be written afterwards.
    void commit();

private:
    void drop_temporary() noexcept;

    std::filesystem::path destination_;
    std::filesystem::path temporary_;  ///< empty once there is nothing to remove
    file_buffer buffer_;
    std::ostream stream_;
};

/// Removes the temporary files of all output_files that were not committed. For a signal handler
/// that ends the process: it only makes calls that are legal there.
void remove_unfinished_files() noexcept;

/// Whether two names lead to the same file, by links or another spelling; neither need exist.
[[nodiscard]] bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// Writes a whole file at once, by the rules of output_file.
void write_file(const std::filesystem::path& destination, std::string_view contents);

}  // namespace heddle
