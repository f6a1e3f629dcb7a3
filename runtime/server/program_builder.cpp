// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/server/program_builder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "models/base/error.h"
#include "models/program/compile.h"
#include "runtime/protocol/wire.h"

namespace heddle::runtime {
namespace {

namespace fs = std::filesystem;

class build_folder {
public:
    build_folder() {
        std::string pattern = (fs::temp_directory_path() / "heddle-opencl-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) {
            throw configuration_error("can't make a temporary folder like " + pattern + ": " +
                                      std::strerror(errno));
        }
        path_ = pattern;
    }
    build_folder(const build_folder&) = delete;
    build_folder& operator=(const build_folder&) = delete;
    ~build_folder() {
        std::error_code error;
        fs::remove_all(path_, error);
    }
    [[nodiscard]] const fs::path& path() const noexcept { return path_; }

private:
    fs::path path_;
};

void write_text(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
}

program::compile_options options_of(const build_request& request, const fs::path& folder) {
    program::compile_options options;
    options.include_directories.push_back(folder.string());
    for (std::size_t i = 0; i < request.options.size(); ++i) {
        const std::string& word = request.options[i];
        const std::string flag = word.substr(0, 2);
        if (word == "-cl-opt-disable") options.optimization = 0;
        if (flag != "-D" && flag != "-I") continue;
        std::string value = word.substr(2);
        if (value.empty() && i + 1 < request.options.size()) value = request.options[++i];
        (flag == "-D" ? options.definitions : options.include_directories).push_back(value);
    }
    return options;
}

/// Without the folder's name, which is another one each time.
std::string without(const std::string& folder, std::string text) {
    for (std::size_t at = 0; (at = text.find(folder + "/", at)) != std::string::npos;) {
        text.erase(at, folder.size() + 1);
    }
    return text;
}

built_answer compile_all(const std::vector<build_request>& sources) {
    const build_folder folder;
    std::vector<std::string> files;
    for (const build_request& source : sources) {
        const std::string name =
            files.empty() ? "program.cl" : "program_" + std::to_string(files.size()) + ".cl";
        files.push_back((folder.path() / name).string());
        write_text(files.back(), source.source);
        for (const named_text& header : source.headers) {
            write_text(folder.path() / header.name, header.text);
        }
    }
    built_answer answer;
    const std::string output = (folder.path() / "program.elf").string();
    try {
        const auto result =
            program::compile(files, output, options_of(sources.front(), folder.path()));
        answer.log = without(folder.path().string(), result.diagnostics);
    } catch (const run_error& error) {
        answer.log = without(folder.path().string(), error.what());
        return answer;
    }
    std::ifstream stream(output, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    answer.binary.resize(bytes.size());
    std::memcpy(answer.binary.data(), bytes.data(), bytes.size());
    answer.good = true;
    return answer;
}

}  // namespace

built_answer build(const build_request& request) {
    built_answer answer = compile_all({request});
    if (!request.object || !answer.good) return answer;
    wire_writer object;
    object(request);
    answer.binary = object.bytes();
    return answer;
}

built_answer link(const link_request& request) {
    std::vector<build_request> sources;
    for (const auto& object : request.objects) {
        wire_reader in(object);
        in(sources.emplace_back());
    }
    return compile_all(sources);
}

}  // namespace heddle::runtime
