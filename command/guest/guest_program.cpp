// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/guest/guest_program.h"

#include <fmt/format.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <system_error>

#include "command/device_server/numbered_files.h"
#include "command/run/run_checks.h"
#include "command/run/run_settings.h"
#include "hw/top/gpu_configuration.h"
#include "models/base/configuration.h"
#include "models/base/error.h"
#include "models/program/process.h"
#include "runtime/client/environment.h"

extern char** environ;

namespace heddle::command {
namespace {

namespace fs = std::filesystem;

/// A folder for the run, removed at its end: the platform's name for the loader, and the claims of
/// the device servers.
class run_folder {
public:
    run_folder() {
        std::string pattern = (fs::temp_directory_path() / "heddle-run-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) {
            throw configuration_error("can't make a temporary folder like " + pattern + ": " +
                                      std::strerror(errno));
        }
        path_ = pattern;
    }
    run_folder(const run_folder&) = delete;
    run_folder& operator=(const run_folder&) = delete;
    ~run_folder() {
        std::error_code error;
        fs::remove_all(path_, error);
    }
    [[nodiscard]] const fs::path& path() const noexcept { return path_; }

private:
    fs::path path_;
};

/// Beside the command in a build tree, else as it is installed.
fs::path find_library(const fs::path& command) {
    for (const char* const folder : {".", "../lib", "../lib/x86_64-linux-gnu", "../lib64"}) {
        const fs::path file = (command.parent_path() / folder / "libheddle_opencl.so");
        if (fs::exists(file)) return file.lexically_normal();
    }
    throw configuration_error(
        fmt::format("opencl: there is no libheddle_opencl.so beside '{}'", command.string()));
}

void set_variable(const char* name, const std::string& value) {
    ::setenv(name, value.c_str(), 1);
}

/// Ctrl-C is for the program. Its end ends the servers.
class signals_of_program {
public:
    signals_of_program() {
        for (const int each : numbers) std::signal(each, SIG_IGN);
    }
    signals_of_program(const signals_of_program&) = delete;
    signals_of_program& operator=(const signals_of_program&) = delete;
    ~signals_of_program() {
        for (const int each : numbers) std::signal(each, SIG_DFL);
    }

    static constexpr int numbers[] = {SIGINT, SIGQUIT};
};

/// As a shell would say. Those by which a user ends programs need no words.
void tell_signal(const std::string& program, int signal) {
    if (signal == SIGINT || signal == SIGPIPE) return;
    const bool is_access = signal == SIGSEGV || signal == SIGBUS;
    fmt::print(stderr, "heddle: '{}' was ended by signal {} ({}){}\n", program, signal,
               ::strsignal(signal),
               is_access
                   ? ": has it accessed memory of the device, which only kernels and copies may?"
                   : "");
}

int run_words(const std::vector<std::string>& program) {
    std::vector<std::string> words = program;
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    for (const int each : signals_of_program::numbers) sigaddset(&defaults, each);
    sigaddset(&defaults, SIGXFSZ);
    ::posix_spawnattr_setsigdefault(&attributes, &defaults);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    const signals_of_program quiet;
    pid_t id = 0;
    const int error =
        ::posix_spawnp(&id, words.front().c_str(), nullptr, &attributes, pointers.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    if (error != 0) {
        throw configuration_error(
            fmt::format("can't start '{}': {}", words.front(), std::strerror(error)));
    }
    int status = 0;
    while (::waitpid(id, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
    tell_signal(words.front(), WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

fs::path own_command() {
    return fs::read_symlink("/proc/self/exe");
}

void check_options(const guest_request& request, const fs::path& configurations) {
    check_request(request.run);
    gpu_configuration configuration;
    parameter_list parameters(configuration);
    (void)configure(request.run, parameters, configuration, configurations);
}

/// Runs the program with what its runtime library reads (runtime/client/environment.h).
int run_program(const guest_request& request, const run_folder& folder) {
    std::string options;
    for (const std::string& word : request.options) options += runtime::quoted_word(word) + " ";
    if (!request.run.functional && request.run.timed.records.shown_tables.empty()) {
        options += "--show kernels";
    }
    set_variable("HEDDLE_COMMAND", own_command().string());
    set_variable("HEDDLE_OPTIONS", options);
    set_variable("HEDDLE_CLAIMS", folder.path().string());
    set_variable("HEDDLE_DIRECTORY", fs::current_path().string());
    set_variable("HEDDLE_SUMMARY", "-");
    ::unsetenv("HEDDLE_CONFIG");
    const int code = run_words(request.program);
    wait_for_claims(folder.path().string());
    return code;
}

}  // namespace

std::vector<std::string> without_program(std::vector<std::string> words) {
    if (words.size() < 2 || (words[1] != "opencl" && words[1] != "cuda")) return words;
    words.erase(std::find(words.begin(), words.end(), "--"), words.end());
    return words;
}

void split_command_line(const std::vector<std::string>& words, guest_request& request) {
    const auto begin = words.begin() + 1;
    const auto end = std::find(begin, words.end(), "--");
    if (end == words.end() || end + 1 == words.end()) {
        throw configuration_error(fmt::format(
            "{0}: which program? legal: heddle {0} [OPTIONS] -- PROGRAM [ARGUMENTS]", *begin));
    }
    request.options.assign(begin + 1, end);
    request.program.assign(end + 1, words.end());
}

int run_opencl(const guest_request& request, const fs::path& configurations) {
    check_options(request, configurations);
    const run_folder folder;
    std::ofstream(folder.path() / "heddle.icd") << find_library(own_command()).string() << "\n";
    set_variable("OCL_ICD_VENDORS", folder.path().string());
    return run_program(request, folder);
}

int run_cuda(const guest_request& request, const fs::path& configurations) {
    check_options(request, configurations);
    const run_folder folder;
    const int code = run_program(request, folder);
    if (fs::is_empty(folder.path())) {
        fmt::print(
            stderr,
            "heddle: '{}' used no device; programs of heddle nvcc run on the simulated one\n",
            request.program.front());
    }
    return code;
}

}  // namespace heddle::command
