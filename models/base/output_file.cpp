// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>
#include <thread>

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
    if (fs::exists(destination, error)) {
        fs::path target = fs::canonical(destination, error);
        return error ? destination : target;  // /dev/stdout leads to no name if it is a pipe
    }
    fs::path target = destination;  // a link to a file that is not there yet
    for (unsigned links = 0; links < 40 && fs::is_symlink(target, error); ++links) {
        target = target.parent_path() / fs::read_symlink(target, error);
    }
    return target;
}

struct temporary_file {
    fs::path name;
    int descriptor;
};

/// Creates an empty file that was not there before, beside the destination: a rename works only
/// within one file system.
temporary_file create_temporary(const fs::path& destination, const fs::path& target) {
    const fs::path directory = target.has_parent_path() ? target.parent_path() : fs::path(".");
    for (unsigned attempt = 0;; ++attempt) {
        fs::path candidate =
            directory / ("." + target.filename().string() + "." + std::to_string(::getpid()) + "." +
                         std::to_string(attempt) + ".partial");
        const int descriptor =
            ::open(candidate.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        if (descriptor >= 0) return {candidate, descriptor};
        const int reason = errno;
        if (reason == EEXIST && attempt < 1000) continue;
        fail(destination, "directory '" + directory.string() + "': " + std::strerror(reason));
    }
}

/// Opens what can't be renamed onto. A named pipe without a reader would block the process, so it
/// is opened without waiting first.
int open_directly(const fs::path& destination, const fs::path& target) {
    constexpr int mode = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY;
    constexpr std::chrono::milliseconds step(10);
    for (std::chrono::milliseconds left(2000);; left -= step) {
        const int descriptor = ::open(target.c_str(), mode | O_NONBLOCK);
        if (descriptor >= 0) {
            ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
            return descriptor;
        }
        const int reason = errno;
        if (reason != ENXIO || !fs::is_fifo(target)) fail(destination, std::strerror(reason));
        if (left.count() <= 0) fail(destination, "nobody reads from the pipe");
        std::this_thread::sleep_for(step);
    }
}

}  // namespace

output_file::output_file(fs::path destination)
    : destination_(std::move(destination)), stream_(&buffer_) {
    if (destination_.empty()) fail(destination_, "the file name is empty");
    const fs::path target = followed(destination_);
    std::error_code error;
    const fs::file_status status = fs::status(target, error);
    if (fs::is_directory(status)) fail(destination_, "it is a directory; give a file name");
    const bool renameable =
        !fs::exists(status) || (fs::is_regular_file(status) && !is_standard_stream(target));
    if (renameable) {
        temporary_file created = create_temporary(destination_, target);
        buffer_.attach(created.descriptor);
        temporary_ = std::move(created.name);
        remember(temporary_.c_str());
    } else {
        std::fflush(stdout);
        buffer_.attach(open_directly(destination_, target));
    }
}

output_file::~output_file() {
    buffer_.close();
    drop_temporary();
}

void output_file::drop_temporary() noexcept {
    if (temporary_.empty()) return;
    ::unlink(temporary_.c_str());
    forget(temporary_.c_str());
    temporary_.clear();
}

void output_file::commit() {
    if (const int reason = buffer_.close(); reason != 0) fail(destination_, std::strerror(reason));
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

bool same_file(const fs::path& a, const fs::path& b) {
    std::error_code error;
    if (fs::equivalent(a, b, error)) return true;
    const auto full = [&](const fs::path& file) {
        const fs::path absolute = fs::absolute(followed(file), error);
        return error ? file : fs::weakly_canonical(absolute, error);
    };
    return full(a) == full(b);
}

void write_file(const fs::path& destination, std::string_view contents) {
    output_file file(destination);
    file.stream() << contents;
    file.commit();
}

}  // namespace heddle
