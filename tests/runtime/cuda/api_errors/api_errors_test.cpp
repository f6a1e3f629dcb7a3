// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Runs the programs of this folder, and sees to it that no function is without a test of its
// errors.
#include <gmock/gmock.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "tb/kit/paths.h"
#include "tests/base/temporary_directory.h"
#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

class cuda_api_errors : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(all, cuda_api_errors,
                         testing::Values("array_copies", "copies", "devices", "driver_arrays",
                                         "driver_contexts", "driver_memory", "driver_modules",
                                         "functions", "memory", "streams", "textures"),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(cuda_api_errors, are_those_of_cuda) {
    const std::string name = GetParam();
    std::vector<std::string> words{
        "cuda", "--config", "tiny", "--functional", "--", HEDDLE_CUDA_ERROR_PROGRAMS "/" + name};
    if (name == "driver_modules" || name == "driver_arrays")
        words.emplace_back(HEDDLE_CUDA_ERROR_MODULE);
    const command_result result = heddle_command(words);
    EXPECT_EQ(result.code, 0) << result.output << result.errors;
}

std::set<std::string> supported() {
    std::set<std::string> names;
    const std::regex entry(R"(\nHEDDLE_CUDA_ENTRY\((\w+),)");
    for (const char* const table : {"entry_points.def", "driver_entry_points.def"}) {
        const std::string text =
            contents_of(source_path("runtime/cuda/library/" + std::string(table)));
        for (auto it = std::sregex_iterator(text.begin(), text.end(), entry);
             it != std::sregex_iterator(); ++it) {
            names.insert((*it)[1]);
        }
    }
    return names;
}

/// Functions of which a program says that a call returns an error, by the error's name.
std::set<std::string> tested() {
    std::set<std::string> names;
    const std::regex check(R"((?:FAILS|GIVES)\(\s*(?:cudaError|CUDA_ERROR_)\w+,\s*(cu\w+)\()");
    for (const auto& each :
         std::filesystem::recursive_directory_iterator(source_path("tests/runtime/cuda"))) {
        if (each.path().extension() != ".cu") continue;
        const std::string text = contents_of(each.path().string());
        for (auto it = std::sregex_iterator(text.begin(), text.end(), check);
             it != std::sregex_iterator(); ++it) {
            names.insert((*it)[1]);
        }
    }
    return names;
}

TEST(cuda_api_error_tests, are_there_for_every_function) {
    std::set<std::string> left = supported();
    EXPECT_GE(left.size(), 250u);
    for (const std::string& name : tested()) left.erase(name);
    // These have no error to return.
    EXPECT_THAT(left, testing::ElementsAre("cudaCreateChannelDesc", "cudaGetErrorName",
                                           "cudaGetErrorString"))
        << "others need a line FAILS(cudaError..., NAME(...)) or GIVES(CUDA_ERROR_..., NAME(...)) "
           "in a program of tests/runtime/cuda";
}

}  // namespace
}  // namespace heddle
