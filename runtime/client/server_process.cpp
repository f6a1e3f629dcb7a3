// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/client/server_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/protocol/commands.h"

extern char** environ;

namespace heddle::runtime {
namespace {

/// Above those that the child's have to become.
descriptor lifted(const descriptor& file) {
    descriptor copy(::fcntl(file.number(), F_DUPFD_CLOEXEC, shared_descriptor + 6));
    if (copy.number() < 0) throw connection_error("no file descriptor is left");
    return copy;
}

/// What happens in the child before it becomes the server.
class child_actions {
public:
    child_actions(const server_start& start, int socket, int shared) {
        ::posix_spawn_file_actions_init(&files_);
        ::posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        if (start.summary == "-") {
            ::posix_spawn_file_actions_adddup2(&files_, STDERR_FILENO, STDOUT_FILENO);
        } else {
            const char* const file = start.summary.empty() ? "/dev/null" : start.summary.c_str();
            ::posix_spawn_file_actions_addopen(&files_, STDOUT_FILENO, file,
                                               O_WRONLY | O_CREAT | O_APPEND, 0666);
        }
        ::posix_spawn_file_actions_adddup2(&files_, socket, socket_descriptor);
        ::posix_spawn_file_actions_adddup2(&files_, shared, shared_descriptor);
        // The program's other files would stay open as long as the server lives.
        ::posix_spawn_file_actions_addclosefrom_np(&files_, shared_descriptor + 1);
        if (!start.directory.empty()) {
            ::posix_spawn_file_actions_addchdir_np(&files_, start.directory.c_str());
        }
        ::posix_spawnattr_init(&attributes_);
        sigset_t signals;
        sigfillset(&signals);
        ::posix_spawnattr_setsigdefault(&attributes_, &signals);
        sigemptyset(&signals);
        ::posix_spawnattr_setsigmask(&attributes_, &signals);
        // A session of its own: Ctrl-C is for the program, whose end is the server's.
        ::posix_spawnattr_setflags(
            &attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
    }
    child_actions(const child_actions&) = delete;
    child_actions& operator=(const child_actions&) = delete;
    ~child_actions() {
        ::posix_spawn_file_actions_destroy(&files_);
        ::posix_spawnattr_destroy(&attributes_);
    }

    int start(pid_t& id, const char* program, char** words) {
        return ::posix_spawn(&id, program, &files_, &attributes_, words, environ);
    }

private:
    posix_spawn_file_actions_t files_{};
    posix_spawnattr_t attributes_{};
};

}  // namespace

void start_server_process(const server_start& start, const descriptor& socket,
                          const descriptor& shared) {
    const descriptor server_socket = lifted(socket);
    const descriptor server_shared = lifted(shared);
    std::vector<std::string> words{start.program};
    words.insert(words.end(), start.words.begin(), start.words.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    child_actions actions(start, server_socket.number(), server_shared.number());
    pid_t id = -1;
    const int error = actions.start(id, start.program.c_str(), pointers.data());
    if (error != 0) {
        throw connection_error("cannot start '" + start.program + "': " + std::strerror(error));
    }
    // The program may have waited for all its children.
    while (::waitpid(id, nullptr, 0) < 0 && errno == EINTR) {
    }
}

}  // namespace heddle::runtime
