// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
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

/// Names of temporary files that exist, for a signal handler; null where a place is free.
std::array<std::atomic<const char*>, 64> unfinished{};

void remember(const char* name) noexcept {
    for (std::atomic<const char*>& place : unfinished) {
        const char* free = nullptr;
        if (place.compare_exchange_strong(free, name)) return;
    }
}

void forget(const char* name) noexcept {
    for (std::atomic<const char*>& place : unfinished) {
        const char* found = name;
        if (place.compare_exchange_strong(found, nullptr)) return;
    }
}

/// Whether a standard stream goes to the file, as in `/dev/stdout > FILE`: what was printed there
/// would be lost with the old file.
bool goes_to(int descriptor, const fs::path& target) {
    struct stat file = {};
    struct stat stream = {};
    return ::stat(target.c_str(), &file) == 0 && ::fstat(descriptor, &stream) == 0 &&
           stream.st_dev == file.st_dev && stream.st_ino == file.st_ino;
}

bool is_standard_stream(const fs::path& target) {
    return goes_to(STDOUT_FILENO, target) || goes_to(STDERR_FILENO, target);
}

/// What is printed from now on follows what was appended to the file, and does not overwrite it.
void print_behind(const fs::path& target) {
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
        if (goes_to(descriptor, target)) ::lseek(descriptor, 0, SEEK_END);
    }
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
    const bool renameable =
        !fs::exists(status) || (fs::is_regular_file(status) && !is_standard_stream(target));
    if (renameable) {
        temporary_ = create_temporary(destination_, target);
        remember(temporary_.c_str());
        stream_.open(temporary_, std::ios::binary | std::ios::trunc);
    } else {
        std::fflush(stdout);
        stream_.open(target, std::ios::binary | std::ios::app);
    }
    if (!stream_) {
        const std::string reason = std::strerror(errno);
        drop_temporary();
        fail(destination_, reason);
    }
}

output_file::~output_file() {
    stream_.close();
    drop_temporary();
}

void output_file::drop_temporary() noexcept {
    if (temporary_.empty()) return;
    ::unlink(temporary_.c_str());
    forget(temporary_.c_str());
    temporary_.clear();
}

void output_file::commit() {
    errno = 0;
    stream_.close();  // flushes; an earlier failed write is still in the stream's state
    if (!stream_) {
        fail(destination_, errno != 0 ? std::strerror(errno) : "not everything could be written");
    }
    if (temporary_.empty()) {
        print_behind(destination_);
        return;
    }
    std::error_code error;
    fs::rename(temporary_, followed(destination_), error);
    if (error) fail(destination_, error.message());
    forget(temporary_.c_str());
    temporary_.clear();
}

void remove_unfinished_files() noexcept {
    for (const std::atomic<const char*>& place : unfinished) {
        if (const char* const name = place.load()) ::unlink(name);
    }
}

void write_file(const fs::path& destination, std::string_view contents) {
    output_file file(destination);
    file.stream() << contents;
    file.commit();
}

}  // namespace heddle
