// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "models/base/error.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& destination, const std::string& reason) {
    throw configuration_error("cannot write '" + destination.string() + "': " + reason);
}

/// The file behind a symbolic link, so that commit() replaces that and not the link.
fs::path followed(const fs::path& destination) {
    std::error_code error;
    if (!fs::is_symlink(destination, error)) return destination;
    fs::path target = fs::weakly_canonical(destination, error);
    return error ? destination : target;
}

/// Creates an empty file that was not there before, beside the destination: a rename works only
/// within one file system.
fs::path create_temporary(const fs::path& destination, const fs::path& target) {
    const fs::path directory = target.has_parent_path() ? target.parent_path() : fs::path(".");
    for (unsigned attempt = 0;; ++attempt) {
        fs::path candidate =
            directory / ("." + target.filename().string() + "." + std::to_string(::getpid()) + "." +
                         std::to_string(attempt) + ".partial");
        const int descriptor =
            ::open(candidate.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        if (descriptor >= 0) {
            ::close(descriptor);
            return candidate;
        }
        const int reason = errno;
        if (reason == EEXIST && attempt < 1000) continue;
        fail(destination, "directory '" + directory.string() + "': " + std::strerror(reason));
    }
}

}  // namespace

output_file::output_file(fs::path destination) : destination_(std::move(destination)) {
    if (destination_.empty()) fail(destination_, "the file name is empty");
    const fs::path target = followed(destination_);
    std::error_code error;
    const fs::file_status status = fs::status(target, error);
    if (fs::is_directory(status)) fail(destination_, "it is a directory; give a file name");
    const bool renameable = !fs::exists(status) || fs::is_regular_file(status);
    if (renameable) temporary_ = create_temporary(destination_, target);
    stream_.open(renameable ? temporary_ : target, std::ios::binary | std::ios::trunc);
    if (!stream_) {
        const std::string reason = std::strerror(errno);
        if (renameable) fs::remove(temporary_, error);
        fail(destination_, reason);
    }
}

output_file::~output_file() {
    if (temporary_.empty()) return;
    stream_.close();
    std::error_code ignored;
    fs::remove(temporary_, ignored);
}

void output_file::commit() {
    errno = 0;
    stream_.close();  // flushes; an earlier failed write is still in the stream's state
    if (!stream_) {
        fail(destination_, errno != 0 ? std::strerror(errno) : "not everything could be written");
    }
    if (temporary_.empty()) return;
    std::error_code error;
    fs::rename(temporary_, followed(destination_), error);
    if (error) fail(destination_, error.message());
    temporary_.clear();
}

void write_file(const fs::path& destination, std::string_view contents) {
    output_file file(destination);
    file.stream() << contents;
    file.commit();
}

}  // namespace heddle
