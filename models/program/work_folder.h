// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "models/base/error.h"
#include "models/program/toolchain.h"

namespace heddle::program {

/// A folder for intermediate files, removed at the end unless it is to be kept.
class work_folder {
public:
    /// Throws configuration_error.
    explicit work_folder(bool keep);
    work_folder(const work_folder&) = delete;
    work_folder& operator=(const work_folder&) = delete;
    ~work_folder();

    [[nodiscard]] std::string file(const std::string& name) const {
        return (path_ / name).string();
    }

private:
    std::filesystem::path path_;
    bool keep_;
};

/// A tool does not like its input.
class tool_failure : public configuration_error {
public:
    tool_failure(const std::string& what, std::string said)
        : configuration_error(what + said), said_(std::move(said)) {}
    /// What it wrote.
    [[nodiscard]] const std::string& said() const noexcept { return said_; }

private:
    std::string said_;
};

/// Runs a tool of the tool chain and returns its warnings. Throws tool_failure when it fails;
/// `what` is what it was to do.
std::string run_tool(const toolchain& tools, const std::vector<std::string>& command,
                     const std::string& what, const std::string& input = "/dev/null");

template <typename Container>
Container read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return Container{std::istreambuf_iterator<char>(in), {}};
}

}  // namespace heddle::program
