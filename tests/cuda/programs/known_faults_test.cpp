// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The same programs as those of ctest, each made and run by one test: for scripts/mutants, whose
// faults lie in headers that are read when a program is made. ctest does not run it.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using testing::EndsWith;
using words = std::vector<std::string>;

/// A line of the list that CMake wrote: the name, the folder, and what `heddle nvcc` gets.
struct cuda_program {
    std::string name;
    std::filesystem::path folder;
    words arguments;
};

std::vector<cuda_program> listed_programs() {
    std::vector<cuda_program> all;
    std::ifstream list(HEDDLE_CUDA_PROGRAM_LIST);
    for (std::string line; std::getline(list, line);) {
        std::istringstream text(line);
        cuda_program one;
        text >> one.name >> one.folder;
        for (std::string word; text >> word;) one.arguments.push_back(word);
        all.push_back(one);
    }
    return all;
}

class cuda_programs : public testing::TestWithParam<cuda_program> {};
INSTANTIATE_TEST_SUITE_P(all, cuda_programs, testing::ValuesIn(listed_programs()),
                         [](const auto& one) { return one.param.name; });

TEST_P(cuda_programs, are_right) {
    const temporary_directory made;
    const std::string program = made / "program";
    words compile{"nvcc", "-o", program};
    for (const std::string& word : GetParam().arguments) {
        const std::filesystem::path file = GetParam().folder / word;
        compile.push_back(std::filesystem::exists(file) ? file.string() : word);
    }
    const command_result compiled = heddle_command(compile);
    ASSERT_EQ(compiled.code, 0) << compiled.errors;
    for (const words& machine : {words{"--functional"}, words{"--config", "tiny"}}) {
        words run{"cuda"};
        run.insert(run.end(), machine.begin(), machine.end());
        run.insert(run.end(), {"--", program});
        const command_result result = heddle_command(run);
        EXPECT_EQ(result.code, 0) << result.errors;
        EXPECT_THAT(result.output, EndsWith("PASSED\n")) << result.errors;
    }
}

}  // namespace
}  // namespace heddle
