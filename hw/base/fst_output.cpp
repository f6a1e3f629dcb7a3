// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/fst_output.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>

#include "models/base/error.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX demands it

namespace heddle {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& reason) {
    throw configuration_error("cannot write '" + file.string() + "': " + reason);
}

/// How the converter is started: reads `input`, says nothing but errors.
class spawn_settings {
public:
    explicit spawn_settings(int input) {
        posix_spawn_file_actions_init(&files_);
        posix_spawn_file_actions_adddup2(&files_, input, STDIN_FILENO);
        posix_spawn_file_actions_addopen(&files_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawnattr_init(&attributes_);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
        posix_spawnattr_setpgroup(&attributes_, 0);
        // It is not written to survive what this process ignores.
        sigset_t signals;
        sigemptyset(&signals);
        sigaddset(&signals, SIGPIPE);
        sigaddset(&signals, SIGXFSZ);
        posix_spawnattr_setsigdefault(&attributes_, &signals);
    }
    ~spawn_settings() {
        posix_spawn_file_actions_destroy(&files_);
        posix_spawnattr_destroy(&attributes_);
    }
    spawn_settings(const spawn_settings&) = delete;
    spawn_settings& operator=(const spawn_settings&) = delete;

    [[nodiscard]] const posix_spawn_file_actions_t& files() const noexcept { return files_; }
    [[nodiscard]] const posix_spawnattr_t& attributes() const noexcept { return attributes_; }

private:
    posix_spawn_file_actions_t files_{};
    posix_spawnattr_t attributes_{};
};

/// Whether the file's blocks (a type, a length of eight bytes that counts itself, contents) fill it
/// and end with the names of the variables. vcd2fst does not notice a full disk.
bool is_whole(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::uint64_t size = std::filesystem::file_size(file);
    int type = -1;
    for (std::uint64_t at = 0; at != size;) {
        std::array<unsigned char, 9> head{};
        in.seekg(static_cast<std::streamoff>(at));
        if (!in.read(reinterpret_cast<char*>(head.data()), head.size())) return false;
        type = head[0];
        std::uint64_t length = 0;
        for (std::size_t i = 1; i < head.size(); ++i) length = length << 8 | head[i];
        if (length < 8 || length > size - at - 1) return false;
        at += 1 + length;
    }
    // Plain, or packed in one of two ways.
    return type == 4 || type == 6 || type == 7;
}

}  // namespace

void fst_output::sender::close() noexcept {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
}

std::streamsize fst_output::sender::xsputn(const char* text, std::streamsize count) {
    std::streamsize sent = 0;
    while (sent < count) {
        const ssize_t taken =
            ::send(socket_, text + sent, static_cast<std::size_t>(count - sent), MSG_NOSIGNAL);
        if (taken < 0 && errno == EINTR) continue;
        if (taken <= 0) break;
        sent += taken;
    }
    return sent;
}

fst_output::sender::int_type fst_output::sender::overflow(int_type c) {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char one = traits_type::to_char_type(c);
    return xsputn(&one, 1) == 1 ? c : traits_type::eof();
}

fst_output::fst_output(const std::filesystem::path& file) : file_(file), stream_(&sender_) {
    if (file_.working_name() == file_.destination()) {
        fail(file, "an FST file must be a regular file, not a pipe or device; use VCD");
    }
    start_converter();
}

fst_output::~fst_output() {
    finish_converter();
    remove_leftovers();
}

void fst_output::start_converter() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        fail(destination(), std::strerror(errno));
    }
    sender_.open(ends[0]);
    const spawn_settings settings(ends[1]);
    std::string name = "vcd2fst";
    std::string input = "-";
    std::string output = file_.working_name().string();
    char* arguments[] = {name.data(), input.data(), output.data(), nullptr};
    const int error = ::posix_spawnp(&converter_, name.c_str(), &settings.files(),
                                     &settings.attributes(), arguments, environ);
    ::close(ends[1]);
    if (error == 0) return;
    converter_ = -1;
    sender_.close();
    fail(destination(), error == ENOENT
                            ? "an FST file needs vcd2fst, which is not installed: apt-get install "
                              "gtkwave, or use .vcd"
                            : "vcd2fst can't be started: " + std::string(std::strerror(error)));
}

bool fst_output::finish_converter() noexcept {
    sender_.close();
    if (converter_ < 0) return false;
    int status = 0;
    ::pid_t ended = -1;
    do {
        ended = ::waitpid(converter_, &status, 0);
    } while (ended < 0 && errno == EINTR);
    converter_ = -1;
    return ended >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// While it runs, the converter keeps the names of the variables in a file beside.
void fst_output::remove_leftovers() noexcept {
    std::error_code ignored;
    std::filesystem::remove(file_.working_name().string() + ".hier", ignored);
}

void fst_output::commit() {
    const bool taken = stream_.good();
    if (!finish_converter() || !taken || !is_whole(file_.working_name())) {
        remove_leftovers();
        fail(destination(), "vcd2fst failed; is the disk full?");
    }
    file_.commit();
}

}  // namespace heddle
