// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/random/random_command.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "models/base/error.h"
#include "models/base/output_file.h"
#include "models/random_kernels/random_kernel.h"
#include "models/random_kernels/shrink.h"

namespace heddle::command {
namespace {

std::string program_text(const random_request& request,
                         const std::vector<iss::kernel_tree>& kernels) {
    std::string text = fmt::format(
        "// Made by heddle random --seed {}. In each kernel n and m are any numbers, flags are 4\n"
        "// words, thread i of the grid writes out[i]{}. A block has up to 64 threads.\n",
        request.seed,
        request.atomics
            ? fmt::format(", and block b adds to sums[{} * b] and behind", iss::sums_of_block)
            : "");
    if (!request.opencl) text += "#include <heddle.h>\n";
    for (const iss::kernel_tree& kernel : kernels) text += "\n" + iss::source_text(kernel);
    return text;
}

/// As one word of a shell.
std::string quoted(const std::string& word) {
    std::string made = "'";
    for (const char c : word) made += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return made + "'";
}

/// Whether the command fails for the program. Throws if it was interrupted or could not run.
bool fails(const random_request& request, const iss::kernel_tree& kernel) {
    constexpr int not_executable = 126, not_found = 127, by_signal = 128;  // exit codes of a shell
    write_file(request.output, program_text(request, {kernel}));
    const int status = std::system((request.shrink + " " + quoted(request.output)).c_str());
    if (status == -1) throw configuration_error("--shrink: the command can't be started");
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : by_signal + WTERMSIG(status);
    if (code == by_signal + SIGINT || code == by_signal + SIGQUIT) {
        throw run_error(error_kind::interrupted, fmt::format("--shrink {}: interrupted; {} has the "
                                                             "smallest program so far",
                                                             request.shrink, request.output));
    }
    if (code == not_executable || code == not_found) {
        throw configuration_error(fmt::format(
            "--shrink {}: the shell can't run it (exit code {}); legal: a command whose "
            "exit code says whether the program fails",
            request.shrink, code));
    }
    return code != 0;
}

void shrink(const random_request& request, const iss::kernel_tree& kernel) {
    if (!fails(request, kernel)) {
        throw configuration_error(
            fmt::format("--shrink {}: it does not fail for the program of seed {}; legal: a "
                        "command whose exit code is not 0",
                        request.shrink, request.seed));
    }
    iss::kernel_tree smallest = kernel;
    try {
        smallest = iss::shrunk(kernel, [&](const iss::kernel_tree& smaller) {
            const bool still = fails(request, smaller);
            if (still) smallest = smaller;
            return still;
        });
    } catch (const run_error&) {
        write_file(request.output, program_text(request, {smallest}));
        throw;
    }
    write_file(request.output, program_text(request, {smallest}));
    std::fputs(fmt::format("{}: {} statements of {}\n", request.output,
                           iss::statement_count(smallest), iss::statement_count(kernel))
                   .c_str(),
               stdout);
}

}  // namespace

void random(const random_request& request) {
    if (request.opencl && request.atomics) {
        throw configuration_error("--atomics: kernels in OpenCL C have none; leave out --opencl");
    }
    if (!request.shrink.empty() && (request.output.empty() || request.kernels != 1)) {
        throw configuration_error(
            "--shrink cuts down one kernel in a file; legal: with -o FILE, "
            "and without --kernels");
    }
    const auto language = request.opencl ? iss::kernel_language::opencl : iss::kernel_language::cpp;
    iss::kernel_operations operations;
    operations.atomics = request.atomics;
    random_stream stream(request.seed, "random kernels");
    std::vector<iss::kernel_tree> kernels;
    for (unsigned k = 0; k < request.kernels; ++k) {
        kernels.push_back(
            iss::make_random_kernel(stream, "k" + std::to_string(k), language, operations));
    }
    if (!request.shrink.empty()) return shrink(request, kernels.front());
    const std::string text = program_text(request, kernels);
    if (!request.output.empty()) return write_file(request.output, text);
    std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace heddle::command
