// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/data_folders.h"

#include <gmock/gmock.h>

namespace heddle {
namespace {

namespace fs = std::filesystem;

const data_folders linked{"/tree/configs",   "/tree/models/program", "/build/kernels",
                          "/build/compiler", "/tree/scripts",        "/tree/cuda"};

class data_folders_test : public testing::Test {
protected:
    void SetUp() override { fs::create_directories(prefix_ / "bin"); }
    void TearDown() override { fs::remove_all(prefix_); }

    [[nodiscard]] data_folders found() const {
        return data_folders_of(prefix_ / "bin/heddle", linked);
    }

    const fs::path prefix_ = fs::path(testing::TempDir()) /
                             testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(data_folders_test, program_with_files_beside_it_reads_those) {
    fs::create_directories(prefix_ / "share/heddle/configs");
    EXPECT_EQ(found().configurations, prefix_ / "share/heddle/configs");
    EXPECT_EQ(found().device, prefix_ / "share/heddle/program");
    EXPECT_EQ(found().kernels, prefix_ / "share/heddle/kernels");
    EXPECT_EQ(found().compiler, prefix_ / "libexec/heddle");
    EXPECT_EQ(found().scripts, prefix_ / "share/heddle/scripts");
}

TEST_F(data_folders_test, program_without_reads_what_it_was_linked_with) {
    EXPECT_EQ(found().configurations, linked.configurations);
    EXPECT_EQ(found().device, linked.device);
    EXPECT_EQ(found().kernels, linked.kernels);
    EXPECT_EQ(found().compiler, linked.compiler);
    EXPECT_EQ(found().scripts, linked.scripts);
}

TEST_F(data_folders_test, a_file_of_that_name_is_no_folder) {
    fs::create_directories(prefix_ / "share/heddle");
    fs::copy_file("/proc/self/cmdline", prefix_ / "share/heddle/configs");
    EXPECT_EQ(found().configurations, linked.configurations);
}

TEST(data_folders_in_use, a_test_has_those_of_its_tree) {
    EXPECT_TRUE(fs::exists(data_folders_in_use().configurations / "gk110.toml"));
    EXPECT_TRUE(fs::exists(data_folders_in_use().device / "include/heddle.h"));
    for (const char* const part :
         {"heddle_pass.so", "opencl_builtins.bc", "print.o", "soft_math.o"}) {
        EXPECT_TRUE(fs::exists(data_folders_in_use().compiler / part)) << part;
    }
    EXPECT_TRUE(fs::exists(data_folders_in_use().scripts / "report"));
}

}  // namespace
}  // namespace heddle
