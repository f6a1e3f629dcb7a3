// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <deque>

#include "models/base/error.h"
#include "models/program/compile.h"
#include "models/program/image.h"
#include "tests/base/temporary_directory.h"
#include "tests/cross/pair.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle::cross {

namespace {

// Results of a child process, beside 0.
constexpr int differs = 11, ended_badly = 20, signalled = 100;

constexpr std::uint64_t cycles_without_progress = 3'000'000;

/// A launch with its buffers. These are made before any launch begins: the
/// host's copies wait for all launches.
class launch_with_buffers {
public:
    launch_with_buffers(device& gpu, const expected_launch& expected)
        : expected_(expected),
          flags_(gpu, {expected.arguments.flags.begin(), expected.arguments.flags.end()}, "flags"),
          out_(gpu, expected.out.size(), "out"),
          sums_(gpu, std::max<std::size_t>(expected.sums.size(), 1), "sums") {}

    void begin(device& gpu) {
        launch_shape shape{{expected_.blocks}, {expected_.threads}};
        shape.cooperative = expected_.cooperative;
        shape.priority = expected_.priority;
        shape.stream = gpu.create_stream();
        const auto& given = expected_.arguments;
        if (expected_.sums.empty()) {
            launch(gpu, expected_.kernel, shape, given.n, given.m, flags_.get(), out_.get());
        } else {
            launch(gpu, expected_.kernel, shape, given.n, given.m, flags_.get(), out_.get(),
                   sums_.get());
        }
    }

    /// Prints what differs.
    bool is_right() const {
        const auto out = out_.read();
        const auto sums = sums_.read();
        const std::size_t threads = expected_.threads;
        for (unsigned block = 0; block < expected_.blocks; ++block) {
            // A cooperative kernel may run with fewer blocks, and one of them may end
            // at an offer.
            const bool may_be_absent = expected_.cooperative && block != 0;
            const auto begin = out.begin() + static_cast<std::ptrdiff_t>(block * threads);
            const auto end = begin + static_cast<std::ptrdiff_t>(threads);
            if (may_be_absent && std::find(begin, end, 0u) != end) continue;
            if (!same("out", out, expected_.out, block * threads, threads)) return false;
            if (expected_.sums.empty()) continue;
            if (!same("sums", sums, expected_.sums, std::size_t{block} * iss::sums_of_block,
                      iss::sums_of_block)) {
                return false;
            }
        }
        return true;
    }

private:
    bool same(const char* what, const std::vector<std::uint32_t>& found,
              const std::vector<std::uint32_t>& expected, std::size_t first,
              std::size_t count) const {
        for (std::size_t i = first; i < first + count; ++i) {
            if (found[i] == expected[i]) continue;
            std::printf("%s: %s[%zu] is %u, expected %u\n", expected_.kernel.c_str(), what, i,
                        found[i], expected[i]);
            return false;
        }
        return true;
    }

    const expected_launch& expected_;
    device_buffer<std::uint32_t> flags_, out_, sums_;
};

int run_here(const pair& one, const std::shared_ptr<const program::image>& image) {
    auto configuration = configuration_of(one.machine.configuration, one.machine.changes);
    configuration.watchdog.watchdog = cycles_without_progress;
    bool right = true;
    timed_machine machine(configuration);
    constexpr std::uint64_t no_limit = 0;  // of cycles: the pair has a time, and a watchdog
    const error_kind ended = machine.run(
        [&](device& gpu) {
            gpu.load(image);
            std::deque<launch_with_buffers> launches;
            for (const auto& launch : one.launches) launches.emplace_back(gpu, launch);
            for (auto& launch : launches) launch.begin(gpu);
            gpu.synchronize();
            for (const auto& launch : launches) right = right && launch.is_right();
        },
        no_limit);
    if (ended != error_kind::none) {
        std::printf("%s\n", machine.status().text().c_str());
        return ended_badly + exit_code(ended);
    }
    return right ? 0 : differs;
}

[[noreturn]] void run_as_child(const pair& one, const std::shared_ptr<const program::image>& image,
                               unsigned seconds, int to) {
    ::dup2(to, STDOUT_FILENO);
    ::dup2(to, STDERR_FILENO);
    const rlimit limit{seconds, seconds + 5};
    ::setrlimit(RLIMIT_CPU, &limit);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    int result = differs;
    try {
        result = run_here(one, image);
    } catch (const run_error& error) {
        std::printf("%s\n", error.what());
        result = ended_badly + exit_code(error.kind());
    }
    std::fflush(stdout);
    ::_exit(result);
}

}  // namespace

std::string name_of(const verdict& how) {
    if (how.kind == signalled + SIGXCPU) return "no end in its time";
    if (how.kind >= signalled) return "signal " + std::to_string(how.kind - signalled);
    switch (how.kind) {
        case 0:
            return "clean";
        case differs:
            return "other result than the source's";
        case ended_badly + exit_code(error_kind::wrong_result):
            return "check failed";
        case ended_badly + exit_code(error_kind::configuration):
            return "refused";
        case ended_badly + exit_code(error_kind::kernel_fault):
            return "kernel fault";
        case ended_badly + exit_code(error_kind::no_progress):
            return "no progress";
        default:
            return "exit code " + std::to_string(how.kind);
    }
}

std::shared_ptr<const program::image> compile(const std::string& source, unsigned optimization) {
    const temporary_directory files;
    program::compile_options options;
    options.optimization = optimization;
    const std::string program = files / "cross.elf";
    program::compile({files.write("cross.cpp", source)}, program, options);
    return std::make_shared<program::image>(program::image::load(program));
}

verdict run(const pair& one, const std::shared_ptr<const program::image>& image, unsigned seconds) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw configuration_error("no pipe to a child process");
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child < 0) throw configuration_error("no child process");
    if (child == 0) {
        ::close(ends[0]);
        run_as_child(one, image, seconds, ends[1]);
    }
    ::close(ends[1]);
    verdict how;
    std::array<char, 4096> part{};
    for (ssize_t got = 0; (got = ::read(ends[0], part.data(), part.size())) > 0;) {
        if (how.text.size() < 20'000) how.text.append(part.data(), static_cast<std::size_t>(got));
    }
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    how.kind = WIFSIGNALED(status) ? signalled + WTERMSIG(status) : WEXITSTATUS(status);
    return how;
}

}  // namespace heddle::cross
