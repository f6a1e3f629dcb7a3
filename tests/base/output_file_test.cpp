// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/output_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <thread>

#include "models/base/error.h"
#include "tests/base/temporary_directory.h"

namespace heddle {
namespace {

using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;

std::string failure(const std::string& destination) {
    return message_of<configuration_error>([&] { write_file(destination, "new"); });
}

TEST(output_file, appears_at_commit_and_replaces_an_older_one) {
    const temporary_directory directory;
    const std::string name = directory.write("stats.json", "old");
    output_file file(name);
    file.stream() << "new";
    file.stream().flush();
    EXPECT_EQ(contents_of(name), "old");
    file.commit();
    EXPECT_EQ(contents_of(name), "new");
    EXPECT_EQ(directory.file_count(), 1U);
}

TEST(output_file, leaves_nothing_behind_without_commit) {
    const temporary_directory directory;
    const std::string name = directory.write("stats.json", "old");
    try {
        output_file file(name);
        file.stream() << "half of";
        throw std::runtime_error("the run failed");
    } catch (const std::runtime_error&) {
    }
    EXPECT_EQ(contents_of(name), "old");
    EXPECT_EQ(directory.file_count(), 1U);
}

TEST(output_file, keeps_every_byte) {
    const temporary_directory directory;
    const std::string bytes("\0\r\n\xff text", 9);
    write_file(directory / "x", bytes);
    EXPECT_EQ(contents_of(directory / "x"), bytes);
}

TEST(output_file, two_at_once_for_one_name_do_not_mix) {
    const temporary_directory directory;
    output_file first(directory / "x");
    output_file second(directory / "x");
    first.stream() << "first";
    second.stream() << "second";
    first.commit();
    EXPECT_EQ(contents_of(directory / "x"), "first");
    second.commit();
    EXPECT_EQ(contents_of(directory / "x"), "second");
    EXPECT_EQ(directory.file_count(), 1U);
}

TEST(output_file, obeys_the_umask) {
    const temporary_directory directory;
    const mode_t before = ::umask(027);
    write_file(directory / "x", "");
    ::umask(before);
    EXPECT_EQ(fs::status(directory / "x").permissions(), fs::perms(0640));
}

TEST(output_file, follows_a_symbolic_link) {
    const temporary_directory directory;
    directory.write("real/file", "old");
    fs::create_symlink("real/file", directory / "link");
    write_file(directory / "link", "new");
    EXPECT_TRUE(fs::is_symlink(directory / "link"));
    EXPECT_EQ(contents_of(directory / "real/file"), "new");
}

TEST(output_file, makes_what_a_symbolic_link_leads_to) {
    const temporary_directory directory;
    fs::create_directory(directory / "real");
    fs::create_symlink("real/second", directory / "first");
    fs::create_symlink("file", directory / "real/second");
    write_file(directory / "first", "new");
    EXPECT_TRUE(fs::is_symlink(directory / "first"));
    EXPECT_TRUE(fs::is_symlink(directory / "real/second"));
    EXPECT_EQ(contents_of(directory / "real/file"), "new");
}

TEST(output_file, knows_a_file_by_its_names) {
    const temporary_directory directory;
    const std::string name = directory.write("folder/file", "");
    fs::create_symlink("folder/file", directory / "link");
    fs::create_symlink("folder/new", directory / "early");
    fs::create_hard_link(name, directory / "hard");
    for (const char* other :
         {"folder/file", "folder/./file", "folder/../folder/file", "link", "hard"}) {
        EXPECT_TRUE(same_file(name, directory / other)) << other;
    }
    EXPECT_TRUE(same_file(directory / "early", directory / "folder/new"));
    EXPECT_TRUE(same_file("not_there", "./not_there"));
    EXPECT_FALSE(same_file(name, directory / "folder/new"));
    EXPECT_FALSE(same_file(name, directory / "folder"));
}

/// A named pipe with an open reader. Stands for every destination that can't be renamed onto: a
/// test on /dev/null would replace the machine's, were the code wrong and the user root.
class pipe_destination {
public:
    explicit pipe_destination(const temporary_directory& directory) : name_(directory / "pipe") {
        EXPECT_EQ(::mkfifo(name_.c_str(), 0600), 0);
        reader_ = ::open(name_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        EXPECT_GE(reader_, 0);
    }
    ~pipe_destination() { stop_reading(); }
    pipe_destination(const pipe_destination&) = delete;
    pipe_destination& operator=(const pipe_destination&) = delete;

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] std::string received() const {
        char buffer[64];
        const ssize_t size = ::read(reader_, buffer, sizeof buffer);
        return size < 0 ? "nothing" : std::string(buffer, static_cast<std::size_t>(size));
    }
    void stop_reading() {
        if (reader_ >= 0) ::close(reader_);
        reader_ = -1;
    }

private:
    std::string name_;
    int reader_ = -1;
};

TEST(output_file, writes_straight_to_what_is_no_regular_file) {
    const temporary_directory directory;
    const pipe_destination pipe(directory);
    output_file file(pipe.name());
    file.stream() << "new";
    file.commit();
    EXPECT_EQ(pipe.received(), "new");
    EXPECT_TRUE(fs::is_fifo(pipe.name()));
    EXPECT_EQ(directory.file_count(), 1U);
}

TEST(output_file, appends_to_where_standard_error_goes) {
    const temporary_directory directory;
    const std::string name = directory.write("log", "printed\n");
    // As a shell opens it for >>, and for >.
    for (const int mode : {O_APPEND, 0}) {
        const int before = ::dup(STDERR_FILENO);
        const int log = ::open(name.c_str(), O_WRONLY | mode);
        ::lseek(log, 0, SEEK_END);
        ::dup2(log, STDERR_FILENO);
        ::close(log);
        write_file("/dev/stderr", "statistics\n");
        std::fputs("summary\n", stderr);
        ::dup2(before, STDERR_FILENO);
        ::close(before);
    }
    EXPECT_EQ(contents_of(name), "printed\nstatistics\nsummary\nstatistics\nsummary\n");
    EXPECT_EQ(directory.file_count(), 1U);
}

TEST(output_file, unfinished_ones_can_be_removed_by_a_signal_handler) {
    const temporary_directory directory;
    const std::string name = directory.write("stats.json", "old");
    const output_file a(name);
    const output_file b(directory / "new.json");
    {
        output_file finished(directory / "done.json");
        finished.commit();
    }
    EXPECT_EQ(directory.file_count(), 4U);
    remove_unfinished_files();
    EXPECT_EQ(directory.file_count(), 2U);
    EXPECT_EQ(contents_of(name), "old");
}

TEST(output_file, rejects_a_directory_as_destination) {
    const temporary_directory directory;
    fs::create_directory(directory / "results");
    EXPECT_EQ(failure(directory / "results"), "cannot write '" + (directory / "results") +
                                                  "': it is a directory; give a file name");
    EXPECT_EQ(directory.file_count(), 1U);
}

TEST(output_file, rejects_an_empty_name) {
    EXPECT_EQ(failure(""), "cannot write '': the file name is empty");
}

TEST(output_file, names_a_missing_directory) {
    const temporary_directory directory;
    EXPECT_EQ(failure(directory / "none/x"), "cannot write '" + (directory / "none/x") +
                                                 "': directory '" + (directory / "none") +
                                                 "': No such file or directory");
}

TEST(output_file, names_a_directory_that_is_not_writable) {
    const temporary_directory directory;
    fs::permissions(directory.path(), fs::perms(0555));
    // Permissions do not stop root.
    constexpr uid_t nobody = 65534;
    const bool root = ::geteuid() == 0;
    if (root) {
        ASSERT_EQ(::seteuid(nobody), 0);
    }
    const std::string message = failure(directory / "x");
    if (root) {
        ASSERT_EQ(::seteuid(0), 0);
    }
    fs::permissions(directory.path(), fs::perms(0755));
    EXPECT_THAT(message, AllOf(HasSubstr("cannot write '" + (directory / "x") + "'"),
                               HasSubstr(directory.path().string() + "': Permission denied")));
    EXPECT_EQ(directory.file_count(), 0U);
}

TEST(output_file, a_failed_direct_write_is_an_error) {
    std::signal(SIGPIPE, SIG_IGN);
    const temporary_directory directory;
    pipe_destination pipe(directory);
    output_file file(pipe.name());
    pipe.stop_reading();
    file.stream() << "new";
    EXPECT_EQ(message_of<configuration_error>([&] { file.commit(); }),
              "cannot write '" + pipe.name() + "': Broken pipe");
}

TEST(output_file, a_pipe_that_nobody_reads_is_an_error) {
    const temporary_directory directory;
    pipe_destination pipe(directory);
    pipe.stop_reading();
    EXPECT_EQ(failure(pipe.name()),
              "cannot write '" + pipe.name() + "': nobody reads from the pipe");
    EXPECT_TRUE(fs::is_fifo(pipe.name()));
}

TEST(output_file, waits_for_the_reader_of_a_pipe) {
    const temporary_directory directory;
    pipe_destination pipe(directory);
    pipe.stop_reading();
    std::string read;
    std::thread reader([&] { read = contents_of(pipe.name()); });
    const std::string text(1'000'000, 'x');
    write_file(pipe.name(), text);
    reader.join();
    EXPECT_TRUE(read == text);
}

TEST(output_file, tells_why_the_first_write_failed) {
    std::signal(SIGPIPE, SIG_IGN);
    const temporary_directory directory;
    pipe_destination pipe(directory);
    output_file file(pipe.name());
    pipe.stop_reading();
    file.stream() << "new" << std::flush;
    errno = 0;
    file.stream() << "more";
    EXPECT_EQ(message_of<configuration_error>([&] { file.commit(); }),
              "cannot write '" + pipe.name() + "': Broken pipe");
}

TEST(output_file, a_failed_write_keeps_the_old_file_and_no_half_one) {
    const temporary_directory directory;
    const std::string name = directory.write("x", "old");
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    rlimit small = before;
    small.rlim_cur = 4096;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string message =
        message_of<configuration_error>([&] { write_file(name, std::string(100'000, 'x')); });
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_EQ(message, "cannot write '" + name + "': File too large");
    EXPECT_EQ(contents_of(name), "old");
    EXPECT_EQ(directory.file_count(), 1U);
}

TEST(output_file, a_destination_that_became_a_directory_is_an_error) {
    const temporary_directory directory;
    output_file file(directory / "x");
    fs::create_directories(directory / "x/y");
    EXPECT_THAT(message_of<configuration_error>([&] { file.commit(); }),
                HasSubstr("cannot write '" + (directory / "x") + "': "));
}

}  // namespace
}  // namespace heddle
