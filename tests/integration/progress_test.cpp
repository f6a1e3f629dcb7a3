// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The line that shows how far a run is, on a pseudo terminal and without one.
#include <gmock/gmock.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "tb/kit/paths.h"
#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::HasSubstr;
using testing::Not;
using words = std::vector<std::string>;

const std::string erase = "\r\x1b[K";

/// A `heddle` command on a terminal of its own, which is its input and both outputs.
class terminal_process {
public:
    terminal_process(const words& arguments, unsigned short columns, const char* terminal) {
        winsize size = {};
        size.ws_row = 24;
        size.ws_col = columns;
        id_ = ::forkpty(&master_, nullptr, nullptr, &size);
        if (id_ != 0) return;
        std::string command = build_path("heddle");
        std::vector<char*> texts{command.data()};
        for (const std::string& word : arguments) texts.push_back(const_cast<char*>(word.c_str()));
        texts.push_back(nullptr);
        ::setenv("TERM", terminal, 1);
        ::execv(texts[0], texts.data());
        ::_exit(127);
    }
    ~terminal_process() {
        ::close(master_);
        if (id_ > 0) {
            ::kill(id_, SIGKILL);
            ::waitpid(id_, nullptr, 0);
        }
    }
    terminal_process(const terminal_process&) = delete;
    terminal_process& operator=(const terminal_process&) = delete;

    /// Reads until `text` has come; false if the command ended or half a minute passed before.
    bool wait_for(const std::string& text) {
        const auto deadline = steady_clock::now() + std::chrono::seconds(30);
        while (shown_.find(text) == std::string::npos) {
            if (steady_clock::now() > deadline || !read_some()) return false;
        }
        return true;
    }
    /// As if the user typed it: "\x03" is Ctrl-C.
    void type(const std::string& text) const {
        EXPECT_EQ(::write(master_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    }
    /// Everything shown until the end, and the exit code.
    std::pair<std::string, int> end() {
        while (read_some()) {
        }
        int status = 0;
        ::waitpid(id_, &status, 0);
        id_ = -1;
        return {shown_, WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status)};
    }

private:
    bool read_some() {
        char buffer[4096];
        const ssize_t count = ::read(master_, buffer, sizeof buffer);
        if (count > 0) shown_.append(buffer, static_cast<std::size_t>(count));
        return count > 0;
    }

    int master_ = -1;
    pid_t id_ = -1;
    std::string shown_;
};

/// Containers without /dev/pts have no pseudo terminals.
class progress_on_a_terminal : public testing::Test {
protected:
    void SetUp() override {
        int master = -1;
        int terminal = -1;
        if (::openpty(&master, &terminal, nullptr, nullptr, nullptr) != 0) {
            GTEST_SKIP() << "no pseudo terminal: " << std::strerror(errno);
        }
        ::close(master);
        ::close(terminal);
    }
};

const words endless{"run",     "compute",  "--option", "rounds=1048576", "--option",
                    "n=65536", "--option", "block=64", "--config",       "tiny"};

words with(words arguments, const words& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

void expect_a_line(const words& arguments, const char* contents) {
    terminal_process run(arguments, 120, "xterm");
    ASSERT_TRUE(run.wait_for(erase + "blocks 0/1024 (0.0 %)"));
    ASSERT_TRUE(run.wait_for(" warp instructions/s" + erase));
    run.type("\x03");
    const auto [shown, code] = run.end();
    EXPECT_EQ(code, 130) << shown;
    EXPECT_THAT(shown, testing::ContainsRegex(contents));
    // What comes after it starts on an empty line.
    EXPECT_THAT(shown, HasSubstr(erase + "heddle: interrupted"));
    const std::size_t last = shown.rfind("blocks 0/1024");
    const std::size_t summary = shown.find("compute on configuration tiny");
    ASSERT_LT(last, summary);
    EXPECT_THAT(shown.substr(last, summary - last), HasSubstr(erase));
}

TEST_F(progress_on_a_terminal, is_a_line_on_a_terminal_that_goes_away) {
    expect_a_line(endless, ", cycle [1-9][0-9]+, [0-9.]+ [kM ]*cycles/s, [1-9][0-9.]* [kM ]*warp ");
    expect_a_line(with(endless, {"--functional", "--set", "iss.watchdog=1000000000000"}),
                  "%\\), [1-9][0-9.]* [kM ]*warp instr");
}

TEST_F(progress_on_a_terminal, fits_a_narrow_terminal) {
    terminal_process run(endless, 20, "xterm");
    ASSERT_TRUE(run.wait_for(erase + "blocks 0/1024 (0.0 " + erase));
}

TEST_F(progress_on_a_terminal, is_off_where_it_would_be_in_the_way) {
    const words short_run{"run", "saxpy", "--config", "tiny"};
    for (const auto& [arguments, terminal] :
         {std::pair{short_run, "xterm"}, std::pair{with(endless, {"--no-progress"}), "xterm"},
          std::pair{endless, "dumb"}}) {
        terminal_process run(arguments, 120, terminal);
        if (arguments != short_run) {
            ::usleep(1'200'000);
            run.type("\x03");
        }
        const std::string shown = run.end().first;
        EXPECT_THAT(shown, HasSubstr("on configuration tiny"));
        EXPECT_THAT(shown, Not(HasSubstr("blocks 0/")));
        EXPECT_THAT(shown, Not(HasSubstr(erase)));
    }
}

TEST(progress, without_a_terminal_is_printed_on_demand_only) {
    for (const bool wanted : {false, true}) {
        heddle_process run(wanted ? with(endless, {"--progress"}) : endless);
        ASSERT_TRUE(run.wait_until_interruptible());
        ::usleep(1'200'000);
        run.interrupt();
        const command_result result = run.wait();
        EXPECT_EQ(result.errors.find("heddle: blocks 0/1024 (0.0 %), cycle ") == 0, wanted)
            << result.errors;
        EXPECT_THAT(result.errors, Not(HasSubstr("\x1b")));
    }
}

TEST_F(progress_on_a_terminal, changes_no_result) {
    const temporary_directory files;
    const words run{"run",     "compute",  "--option", "rounds=1600", "--option",
                    "n=32768", "--config", "tiny",     "--stats"};
    words contents;
    for (const char* name : {"seen.csv", "unseen.csv"}) {
        const bool seen = name[0] == 's';
        const std::string file = files / name;
        terminal_process process(with(run, {file, seen ? "--progress" : "--no-progress"}), 120,
                                 "xterm");
        const auto [shown, code] = process.end();
        ASSERT_EQ(code, 0) << shown;
        EXPECT_EQ(shown.find("left") != std::string::npos, seen) << shown;
        EXPECT_EQ(shown.find(erase + "compute on configuration") != std::string::npos, seen);
        const std::string all = contents_of(file);
        contents.push_back(all.substr(0, all.find("\nhost.")));
        EXPECT_THAT(contents.back(), HasSubstr("gpu.cycles"));
    }
    EXPECT_EQ(contents[0], contents[1]);
}

}  // namespace
}  // namespace heddle
