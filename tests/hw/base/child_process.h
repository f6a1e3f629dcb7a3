// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>

namespace heddle {

/// What a program did: everything it printed, and its exit code (-1: it died of a signal).
struct process_result {
    int exit_code = -1;
    std::string output;
};

/// Runs `body` in a forked child and returns what it returned and wrote into `output`: several
/// simulations can so be compared within one test. Call before anything of SystemC exists.
inline process_result run_in_child(const std::function<int(std::string& output)>& body) {
    int channel[2];
    if (pipe(channel) != 0) {
        return {};
    }
    const pid_t child = fork();
    if (child == 0) {
        close(channel[0]);
        std::string output;
        const int code = body(output);
        std::size_t done = 0;
        while (done < output.size()) {
            const ssize_t n = write(channel[1], output.data() + done, output.size() - done);
            if (n <= 0) {
                _exit(125);
            }
            done += static_cast<std::size_t>(n);
        }
        _exit(code);
    }
    close(channel[1]);
    process_result result;
    char buffer[4096];
    for (ssize_t n = 0; (n = read(channel[0], buffer, sizeof buffer)) > 0;) {
        result.output.append(buffer, static_cast<std::size_t>(n));
    }
    close(channel[0]);
    int status = 0;
    waitpid(child, &status, 0);
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return result;
}

}  // namespace heddle
