// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// heddle_compile_tool OUTPUT DEPENDENCY_FILE [-I… -D… --no-contract]… SOURCE…
// The compile driver for the build itself (scripts/cmake/heddle_kernels.cmake), which needs
// kernels before the heddle command exists. Users have `heddle compile`.
#include <cstdio>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "models/program/compile.h"

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() < 3) {
        std::fprintf(stderr,
                     "usage: %s OUTPUT DEPENDENCY_FILE [-I.. -D.. --no-contract] SOURCE...\n",
                     argv[0]);
        return heddle::exit_code(heddle::error_kind::configuration);
    }
    heddle::program::compile_options options;
    options.dependency_file = arguments[1];
    std::vector<std::string> sources;
    for (std::size_t i = 2; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (argument.rfind("-I", 0) == 0) {
            options.include_directories.push_back(argument.substr(2));
        } else if (argument.rfind("-D", 0) == 0) {
            options.definitions.push_back(argument.substr(2));
        } else if (argument == "--no-contract") {
            options.contract_floating_point = false;
        } else {
            sources.push_back(argument);
        }
    }
    try {
        const auto result = heddle::program::compile(sources, arguments[0], options);
        std::fputs(result.diagnostics.c_str(), stderr);
    } catch (const heddle::run_error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return heddle::exit_code(error.kind());
    }
    return 0;
}
