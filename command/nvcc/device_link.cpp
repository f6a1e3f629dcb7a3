// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/nvcc/device_link.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>

#include "models/base/error.h"
#include "models/program/cuda_build.h"
#include "models/program/object_sections.h"

namespace heddle::command {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view registration_prefix = "__cudaRegisterLinkedBinary";
/// Where clang puts what the host half embeds.
constexpr const char* part_section = "__nv_relfatbin";

/// Objects and archives of the link, each once. A linker looks for libraries in all folders.
struct link_files {
    std::vector<std::string> named, libraries;
};
link_files files_of(const std::vector<std::string>& words) {
    link_files files;
    std::vector<std::string> folders;
    for (const std::string& word : words) {
        if (word.rfind("-L", 0) == 0) folders.push_back(word.substr(2));
    }
    const auto add = [](std::vector<std::string>& to, const std::string& file) {
        if (std::find(to.begin(), to.end(), file) == to.end()) to.push_back(file);
    };
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "-Xlinker") {
            ++i;
        } else if (word.rfind("-l", 0) == 0) {
            for (const std::string& folder : folders) {
                const fs::path file = fs::path(folder) / ("lib" + word.substr(2) + ".a");
                if (!fs::exists(file)) continue;
                add(files.libraries, file.string());
                break;
            }
        } else if (word[0] != '-') {
            const std::string extension = fs::path(word).extension().string();
            if (extension == ".o" || extension == ".a" || extension == ".obj")
                add(files.named, word);
        }
    }
    return files;
}

void add_parts(std::string_view section, std::vector<std::string>& to) {
    for (std::size_t at = 0; (at = section.find(program::cuda_magic, at)) != std::string::npos;) {
        if (section.size() - at < program::cuda_head_bytes) return;
        std::uint32_t bytes = 0;
        std::memcpy(&bytes, section.data() + at + 12, sizeof bytes);
        at += program::cuda_head_bytes;
        if (bytes > section.size() - at) return;
        to.emplace_back(section.substr(at, bytes));
        at += bytes;
    }
}

}  // namespace

device_parts find_device_parts(const std::vector<std::string>& words) {
    device_parts parts;
    std::set<std::string> wanted, there;
    const auto look = [&](const std::string& file) {
        for (const auto& object : program::objects_in(file)) {
            add_parts(object.contents(part_section), parts.bitcode);
            for (const auto& symbol : object.symbols()) {
                if (symbol.name.rfind(registration_prefix, 0) != 0) continue;
                (symbol.defined ? there : wanted).insert(symbol.name);
            }
        }
    };
    const link_files files = files_of(words);
    for (const std::string& file : files.named) {
        if (!fs::exists(file)) throw configuration_error("nvcc: " + file + ": no such file");
        look(file);
    }
    for (const std::string& file : files.libraries) {
        try {
            look(file);
        } catch (const configuration_error&) {
            // Of another kind: the linker goes on to the next folder.
        }
    }
    for (const std::string& name : wanted) {
        if (there.count(name) == 0) parts.registrations.push_back(name);
    }
    return parts;
}

std::string registration_source(const std::vector<std::string>& registrations,
                                const std::string& blob) {
    std::string text =
        "__asm__(\".section .nv_fatbin,\\\"a\\\"\\n.balign 8\\nheddle_linked:\\n"
        ".incbin \\\"" +
        blob +
        "\\\"\\n.previous\\n\");\n"
        "extern const char heddle_linked[] __attribute__((visibility(\"hidden\")));\n"
        "void** __cudaRegisterFatBinary(void*);\n"
        "void __cudaRegisterFatBinaryEnd(void**);\n"
        "void __cudaUnregisterFatBinary(void**);\n"
        "static struct { int magic, version; const void* data; void* file; }\n"
        "    wrapper __attribute__((section(\".nvFatBinSegment\"))) = "
        "{0x466243b1, 1, heddle_linked, 0};\n"
        "static void** handle;\n"
        "static __attribute__((destructor)) void remove_it(void) {\n"
        "    if (handle) __cudaUnregisterFatBinary(handle);\n}\n"
        "static void add(void (*each)(void**)) {\n"
        "    if (!handle) handle = __cudaRegisterFatBinary(&wrapper);\n"
        "    each(handle);\n    __cudaRegisterFatBinaryEnd(handle);\n}\n";
    for (const std::string& name : registrations) {
        text += "void " + name +
                "(void (*each)(void**), void* part, void* unit, void (*back)(void*)) {\n"
                "    (void)part; (void)unit; (void)back;\n    add(each);\n}\n";
    }
    return text;
}

}  // namespace heddle::command
