// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/nvcc/folder_cache.h"

#include <gmock/gmock.h>

#include <chrono>
#include <string>
#include <vector>

#include "models/base/output_file.h"
#include "models/program/work_folder.h"

namespace heddle::command {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

struct folder_cache_test : testing::Test {
    folder_cache_test() {
        write_file(compiler, "");
        fs::create_directories(headers);
    }
    [[nodiscard]] folder_cache cache() const { return folder_cache(place / "cache", compiler); }

    program::work_folder folder{false};
    const fs::path place{folder.file("")};
    const std::string compiler = (place / "clang").string();
    const std::string headers = (place / "headers").string();
    const std::string later = (place / "later").string();
    const std::vector<std::string> words{"-resource-dir", headers, "-internal-isystem", later};
};

TEST_F(folder_cache_test, keeps_what_the_compiler_said) {
    EXPECT_THAT(cache().find(), IsEmpty());
    cache().keep(words);
    EXPECT_EQ(cache().find(), words);
}

TEST_F(folder_cache_test, another_compiler_is_asked_again) {
    cache().keep(words);
    EXPECT_THAT(folder_cache(place / "cache", headers).find(), IsEmpty());
    fs::last_write_time(compiler, fs::last_write_time(compiler) + std::chrono::seconds(1));
    EXPECT_THAT(cache().find(), IsEmpty());
}

TEST_F(folder_cache_test, a_folder_that_comes_or_goes_is_asked_for_again) {
    cache().keep(words);
    fs::create_directories(later);
    EXPECT_THAT(cache().find(), IsEmpty());
    cache().keep(words);
    fs::remove(headers);
    EXPECT_THAT(cache().find(), IsEmpty());
}

TEST_F(folder_cache_test, without_a_place_nothing_is_kept) {
    const folder_cache none("", compiler);
    none.keep(words);
    EXPECT_THAT(none.find(), IsEmpty());
    const folder_cache beside_a_file(fs::path(compiler) / "cache", compiler);
    beside_a_file.keep(words);
    EXPECT_THAT(beside_a_file.find(), IsEmpty());
}

TEST_F(folder_cache_test, a_file_that_was_cut_is_not_known) {
    cache().keep(words);
    fs::resize_file(place / "cache/nvcc_folders", fs::file_size(place / "cache/nvcc_folders") - 3);
    EXPECT_THAT(cache().find(), IsEmpty());
}

}  // namespace
}  // namespace heddle::command
