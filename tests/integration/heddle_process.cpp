// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/integration/heddle_process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "tb/kit/paths.h"

namespace heddle {

heddle_process::heddle_process(const std::vector<std::string>& arguments)
    : heddle_process(build_path("heddle"), arguments) {}

heddle_process::heddle_process(const std::string& program,
                               const std::vector<std::string>& arguments) {
    std::vector<char*> texts{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments)
        texts.push_back(const_cast<char*>(argument.c_str()));
    texts.push_back(nullptr);
    const std::string output = files_ / "output";
    const std::string errors = files_ / "errors";
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    constexpr int create = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), create, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), create, 0600);
    const int failure = posix_spawn(&id_, texts[0], &actions, nullptr, texts.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) throw std::runtime_error("cannot start " + program);
}

heddle_process::~heddle_process() {
    if (id_ < 0) return;
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
}

bool heddle_process::wait_until_interruptible() const {
    const std::string status = "/proc/" + std::to_string(id_) + "/status";
    const std::string key = "SigCgt:";
    for (;;) {
        const std::string text = contents_of(status);
        const std::size_t at = text.find(key);
        if (at == std::string::npos || text.find("State:\tZ") != std::string::npos) return false;
        const auto caught = std::stoull(text.substr(at + key.size()), nullptr, 16);
        if ((caught >> (SIGINT - 1) & 1U) != 0) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

void heddle_process::send(int signal_number) const {
    ::kill(id_, signal_number);
}

void heddle_process::interrupt() const {
    send(SIGINT);
}

command_result heddle_process::wait() {
    int status = 0;
    ::waitpid(id_, &status, 0);
    id_ = -1;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
            contents_of(files_ / "output"), contents_of(files_ / "errors")};
}

command_result heddle_command(const std::vector<std::string>& arguments) {
    return heddle_process(arguments).wait();
}

std::string built_program(const std::string& name) {
    return build_path("kernels/") + name + ".elf";
}

void expect_refused(const std::vector<std::string>& arguments, const std::string& text) {
    const command_result result = heddle_command(arguments);
    EXPECT_EQ(result.code, 2) << testing::PrintToString(arguments);
    EXPECT_EQ(result.output, "");
    EXPECT_THAT(result.errors, testing::HasSubstr(text));
    EXPECT_LT(std::count(result.errors.begin(), result.errors.end(), '\n'), 8) << result.errors;
}

}  // namespace heddle
