// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "library/machine/loaded_program.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "models/base/error.h"
#include "models/program/compile.h"

namespace heddle::library {
namespace {

namespace fs = std::filesystem;

std::vector<std::uint8_t> contents_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// A folder that is there as long as the object.
class scratch_folder {
public:
    scratch_folder() {
        std::string name = (fs::temp_directory_path() / "heddle-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) {
            throw configuration_error("cannot make a folder '" + name +
                                      "' to compile in: " + std::strerror(errno));
        }
        path_ = name;
    }
    ~scratch_folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;

    [[nodiscard]] const fs::path& path() const noexcept { return path_; }

private:
    fs::path path_;
};

}  // namespace

bool is_source(const std::string& file) {
    constexpr std::array endings{".cpp", ".cc", ".cxx", ".cu", ".cl", ".c", ".S", ".s"};
    const std::string ending = fs::path(file).extension().string();
    return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

loaded_program load_program(const std::string& file, const program::program_place& place) {
    if (!is_source(file)) {
        return {std::make_shared<const program::image>(program::image::load(file)), {}};
    }
    const scratch_folder scratch;
    const fs::path output = scratch.path() / fs::path(file).filename().replace_extension(".elf");
    program::compile_options options;
    options.place = place;
    program::compile_result compiled = program::compile({file}, output.string(), options);
    // Messages name the source, not a file that will be gone.
    const std::vector<std::uint8_t> contents = contents_of(output);
    return {std::make_shared<const program::image>(
                program::image::load(contents.data(), contents.size(), file)),
            std::move(compiled.diagnostics)};
}

}  // namespace heddle::library
