// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/reported_errors.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include "models/base/error.h"

namespace heddle::command {
namespace {

int reported(const std::string& program, const std::string& what, error_kind kind) {
    std::fprintf(stderr, "%s: %s\n", program.c_str(), what.c_str());
    return exit_code(kind);
}

}  // namespace

int reported_errors(const std::string& program, const std::function<void()>& work) {
    // A file that reaches its limit is an error with a message, as a full disk is.
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        work();
        if (std::fflush(stdout) == 0) return 0;
        throw configuration_error(std::string("cannot write to standard output: ") +
                                  std::strerror(errno));
    } catch (const run_error& error) {
        return reported(program, error.what(), error.kind());
    } catch (const std::bad_alloc&) {
        return reported(program, "the host is out of memory", error_kind::configuration);
    } catch (const std::exception& error) {
        return reported(program, std::string("internal error: ") + error.what(),
                        error_kind::wrong_result);
    }
}

}  // namespace heddle::command
