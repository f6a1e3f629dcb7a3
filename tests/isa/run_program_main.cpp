// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cstdio>
#include <string>

#include "tests/isa/machine.h"

/// Runs static RV32 programs that end with exit(0) on a full warp; names those that do not.
/// Exit code 0 if all passed. riscv-tests report the failed case as exit code 2 * case + 1.
int main(int argument_count, char** arguments) {
    using namespace heddle::isa;
    if (argument_count < 2) {
        std::fprintf(stderr, "usage: heddle_isa_run PROGRAM.elf...\n");
        return 2;
    }
    int failures = 0;
    for (int k = 1; k < argument_count; ++k) {
        const test::flat_program program = test::load_flat(arguments[k]);
        std::string problem = program.error;
        if (problem.empty()) {
            test::machine<32> warp(program, all_lanes<32>);
            warp.run(10'000'000);
            problem = warp.error();
            for (unsigned lane = 0; lane < 32 && problem.empty(); ++lane) {
                const unsigned code = warp.exit_code(lane);
                if (code != 0)
                    problem = "lane " + std::to_string(lane) + " failed case " +
                              std::to_string(code >> 1);
            }
        }
        std::printf("%s %s%s%s\n", problem.empty() ? "pass" : "FAIL", arguments[k],
                    problem.empty() ? "" : ": ", problem.c_str());
        failures += problem.empty() ? 0 : 1;
    }
    return failures == 0 ? 0 : 1;
}
