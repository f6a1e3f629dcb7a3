// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/work_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>

#include "models/program/process.h"

namespace heddle::program {
namespace fs = std::filesystem;

work_folder::work_folder(bool keep) : keep_(keep) {
    std::string pattern = (fs::temp_directory_path() / "heddle-compile-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
        throw configuration_error("can't make a temporary folder like " + pattern + ": " +
                                  std::strerror(errno));
    }
    path_ = pattern;
}

work_folder::~work_folder() {
    std::error_code error;
    if (!keep_) fs::remove_all(path_, error);
}

namespace {

std::string library_hint(const toolchain& tools, const std::string& complaint) {
    if (!tools.libgcc.empty() || complaint.find("undefined symbol: __") == std::string::npos) {
        return "";
    }
    return "64-bit division and double arithmetic come from libgcc, which is not installed: "
           "apt-get install gcc-riscv64-unknown-elf\n";
}

}  // namespace

std::string run_tool(const toolchain& tools, const std::vector<std::string>& command,
                     const std::string& what, const std::string& input) {
    process_result ended = run_process(command, input);
    if (ended.status == 0) return std::move(ended.output);
    throw tool_failure(
        what + " failed (" + command.front() + ", status " + std::to_string(ended.status) + "):\n",
        ended.output + library_hint(tools, ended.output));
}

}  // namespace heddle::program
