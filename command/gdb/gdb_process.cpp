// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/gdb/gdb_process.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "models/base/error.h"
#include "models/program/process.h"

namespace heddle::command::gdb {
namespace {

constexpr const char* debugger_program = "gdb-multiarch";

}  // namespace

gdb_process::~gdb_process() {
    if (process_ > 0) ::waitpid(process_, nullptr, 0);
    if (on_interrupt_ != SIG_ERR) std::signal(SIGINT, on_interrupt_);
}

void gdb_process::check() {
    if (!program::find_program(debugger_program).empty()) return;
    throw configuration_error(std::string(debugger_program) +
                              " is not installed; it comes with Debian's package gdb-multiarch");
}

void gdb_process::start(const std::string& elf_file, unsigned port,
                        const std::vector<std::string>& arguments) {
    // A lane's stack is another when $lane changes, so gdb must not keep what it has read of one.
    std::vector<std::string> words{
        debugger_program,      "-q",  "-iex",
        "set stack-cache off", "-ex", "target remote 127.0.0.1:" + std::to_string(port)};
    words.insert(words.end(), arguments.begin(), arguments.end());
    words.push_back(elf_file);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    // Ctrl-C is for gdb, which asks the machine to stop.
    on_interrupt_ = std::signal(SIGINT, SIG_IGN);
    posix_spawnattr_t attributes;
    sigset_t to_default;
    ::sigemptyset(&to_default);
    ::sigaddset(&to_default, SIGINT);
    ::sigaddset(&to_default, SIGPIPE);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setsigdefault(&attributes, &to_default);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    const int error =
        ::posix_spawnp(&process_, pointers[0], nullptr, &attributes, pointers.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    if (error == 0) return;
    process_ = -1;
    throw configuration_error(std::string(debugger_program) +
                              " can't be started: " + std::strerror(error));
}

bool gdb_process::has_ended() {
    if (process_ <= 0) return true;
    if (::waitpid(process_, nullptr, WNOHANG) == 0) return false;
    process_ = -1;
    return true;
}

}  // namespace heddle::command::gdb
