// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/program/compiled_program.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "models/base/error.h"

namespace heddle::program::test {

std::string scratch_file(const std::string& name) {
    struct folder {
        std::filesystem::path path = std::filesystem::temp_directory_path() /
                                     ("heddle-program-test-" + std::to_string(::getpid()));
        folder() { std::filesystem::create_directories(path); }
        ~folder() {
            std::error_code error;
            std::filesystem::remove_all(path, error);
        }
    };
    static const folder own;
    return (own.path / name).string();
}

std::string write_source(const std::string& name, const std::string& text) {
    const std::string path = scratch_file(name);
    std::ofstream(path) << text;
    return path;
}

std::string compile_text(const std::string& text, const std::string& source_name,
                         const compile_options& options) {
    const std::string output = scratch_file(source_name + ".elf");
    compile({write_source(source_name, text)}, output, options);
    return output;
}

image load_text(const std::string& text) {
    return image::load(compile_text("#include <heddle.h>\n" + text));
}

std::string compile_error(const std::string& text, const std::string& source_name,
                          const compile_options& options) {
    try {
        compile_text(text, source_name, options);
    } catch (const configuration_error& error) {
        return error.what();
    }
    return "";
}

std::vector<std::uint8_t> read_bytes(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<isa::instruction> instructions_of(const image& program, const kernel& kernel,
                                              const std::string& symbol_name) {
    const symbol* found = program.find_symbol(symbol_name);
    if (found == nullptr) throw std::runtime_error("no symbol " + symbol_name);
    std::vector<isa::instruction> out;
    for (std::uint32_t at = 0; at < found->size; at += 4) {
        out.push_back(kernel.code.at(found->address + at));
    }
    return out;
}

}  // namespace heddle::program::test
