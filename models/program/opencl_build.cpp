// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/opencl_build.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <sstream>

#include "models/base/output_file.h"
#include "models/program/link_steps.h"
#include "models/program/toolchain.h"
#include "models/program/work_folder.h"

namespace heddle::program {
namespace {

namespace fs = std::filesystem;

/// An option that is the whole word, or the beginning of it where more may follow.
struct known_option {
    std::string_view word;
    bool has_value;
};
constexpr std::array known_options{
    known_option{"-D", true},
    known_option{"-I", true},
    known_option{"-w", false},
    known_option{"-W", true},
    known_option{"-g", false},
    known_option{"-cl-std=", true},
    known_option{"-cl-single-precision-constant", false},
    known_option{"-cl-denorms-are-zero", false},
    known_option{"-cl-fp32-correctly-rounded-divide-sqrt", false},
    known_option{"-cl-opt-disable", false},
    known_option{"-cl-strict-aliasing", false},
    known_option{"-cl-mad-enable", false},
    known_option{"-cl-no-signed-zeros", false},
    known_option{"-cl-unsafe-math-optimizations", false},
    known_option{"-cl-finite-math-only", false},
    known_option{"-cl-fast-relaxed-math", false},
    known_option{"-cl-kernel-arg-info", false},
};

/// The library of built-ins has the addresses of OpenCL C 1.2, so that clang's later versions do
/// not link. The C++ headers' one-line constructor asks for CL2.0, whatever the program needs.
bool is_later_version(std::string_view word) {
    return word == "-cl-std=CL2.0" || word == "-cl-std=CL3.0";
}

bool is_known_version(std::string_view word) {
    constexpr std::array<std::string_view, 3> versions{"CL1.0", "CL1.1", "CL1.2"};
    constexpr std::string_view option = "-cl-std=";
    return word.substr(0, option.size()) != option || is_later_version(word) ||
           std::find(versions.begin(), versions.end(), word.substr(option.size())) !=
               versions.end();
}

struct checked_options {
    std::vector<std::string> words;
    std::string error;  ///< empty: none
};

/// Other words could name files, or make something else than IR.
checked_options check_options(const std::string& options) {
    checked_options checked;
    const auto words = option_words(options);
    if (!words) {
        checked.error = "error: build options: a quotation mark is not closed: " + options + "\n";
        return checked;
    }
    for (std::size_t at = 0; at < words->size(); ++at) {
        const std::string& word = (*words)[at];
        const auto known =
            std::find_if(known_options.begin(), known_options.end(), [&](const known_option& o) {
                if (!o.has_value) return word == o.word;
                // -Wl,... and the like speak to other tools.
                const bool to_tool = o.word == "-W" && word.find(',') != std::string::npos;
                return word.rfind(o.word, 0) == 0 && !to_tool;
            });
        if (known == known_options.end()) {
            checked.error = "error: build options: unknown option '" + word + "'\n";
            return checked;
        }
        if (!is_known_version(word)) {
            checked.error = "error: build options: '" + word +
                            "'; legal: -cl-std=CL1.0, CL1.1, CL1.2: the device has OpenCL C 1.2\n";
            return checked;
        }
        checked.words.push_back(is_later_version(word) ? "-cl-std=CL1.2" : word);
        if ((word != "-D" && word != "-I") || word.size() > 2) continue;
        if (at + 1 == words->size()) {
            checked.error = "error: build options: nothing follows '" + word + "'\n";
            return checked;
        }
        checked.words.back() += (*words)[++at];
    }
    return checked;
}

std::string without(std::string text, const std::string& part) {
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos;) {
        text.erase(at, part.size());
    }
    return text;
}

/// Below a folder of the work folder. A header may have folders in its name, but leads nowhere
/// else.
void write_headers(const std::vector<source_text>& headers, const fs::path& below) {
    for (const source_text& header : headers) {
        const fs::path name = fs::path(header.name).lexically_normal();
        if (name.is_absolute() || name.empty() || *name.begin() == "..") {
            throw configuration_error("header '" + header.name +
                                      "': legal: a name without a leading '/' or '..'");
        }
        fs::create_directories((below / name).parent_path());
        write_file((below / name).string(), header.text);
    }
}

/// The files that a make rule names, without the source and what lies in `folder`.
std::vector<std::string> files_of_rule(const std::string& rule, const std::string& folder) {
    std::vector<std::string> files;
    std::string file;
    const auto end = [&] {
        if (!file.empty() && file != "-" && file.back() != ':' && file.rfind(folder, 0) != 0) {
            files.push_back(file);
        }
        file.clear();
    };
    for (std::size_t at = 0; at < rule.size(); ++at) {
        if (rule[at] == '\\' && at + 1 < rule.size()) {
            if (rule[++at] != '\n') file += rule[at];
        } else if (rule[at] == ' ' || rule[at] == '\n') {
            end();
        } else {
            file += rule[at];
        }
    }
    end();
    return files;
}

}  // namespace

std::optional<std::vector<std::string>> option_words(std::string_view options) {
    std::vector<std::string> words;
    std::string word;
    bool inside = false;  // of a word, which may be empty
    char quote = 0;
    for (std::size_t at = 0; at < options.size(); ++at) {
        const char c = options[at];
        if (c == '\\' && quote != '\'' && at + 1 < options.size()) {
            word += options[++at];
            inside = true;
        } else if (quote != 0) {
            if (c == quote) {
                quote = 0;
            } else {
                word += c;
            }
        } else if (c == '"' || c == '\'') {
            quote = c;
            inside = true;
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            if (inside) words.push_back(std::move(word));
            word.clear();
            inside = false;
        } else {
            word += c;
            inside = true;
        }
    }
    if (quote != 0) return std::nullopt;
    if (inside) words.push_back(std::move(word));
    return words;
}

opencl_module compile_opencl(const opencl_source& what, const compile_options& how) {
    opencl_module made;
    checked_options options = check_options(what.options);
    if (!options.error.empty()) {
        made.status = build_status::invalid_options;
        made.log = options.error;
        return made;
    }
    const toolchain tools = find_toolchain(how);
    const work_folder folder(how.keep_temporaries);
    const std::string headers = folder.file("headers");
    fs::create_directories(headers);
    write_headers(what.headers, headers);
    // The name is that of the program, not of a file that will be gone.
    const std::string source = folder.file("source.cl");
    write_file(source, "#line 1 \"" + what.source.name + "\"\n" + what.source.text);
    std::vector<std::string> command = compiler_command(tools, how, source_language::opencl);
    const auto has = [&](const char* word) {
        return std::find(options.words.begin(), options.words.end(), word) != options.words.end();
    };
    // A program that makes errors of warnings knows nothing of those that Heddle asks for.
    if (has("-Werror")) command.insert(command.end(), {"-Wno-all", "-Wno-double-promotion"});
    command.insert(command.end(), options.words.begin(), options.words.end());
    // -O2 wins over the option. Functions that are not optimized here stay so.
    if (has("-cl-opt-disable")) command.emplace_back("-O0");
    command.insert(command.end(), {"-I" + headers, "-ffile-prefix-map=" + headers + "/=",
                                   "-fdebug-compilation-dir=.", "-MD", "-MF", folder.file("rule.d"),
                                   "-emit-llvm", "-S", "-", "-o", folder.file("source.ll")});
    try {
        made.log = run_tool(tools, command, "compiling " + what.source.name, source);
    } catch (const tool_failure& failure) {
        made.log = without(failure.said(), headers + "/");
        return made;
    }
    made.log = without(std::move(made.log), headers + "/");
    made.ir = read_file<std::string>(folder.file("source.ll"));
    made.dependencies =
        files_of_rule(read_file<std::string>(folder.file("rule.d")), folder.file(""));
    made.status = build_status::success;
    return made;
}

opencl_program link_opencl(const std::vector<std::string>& modules, const std::string& name,
                           const compile_options& how) {
    opencl_program made;
    const toolchain tools = find_toolchain(how);
    const work_folder folder(how.keep_temporaries);
    link_steps steps(how, tools, folder, made.log);
    try {
        for (std::size_t i = 0; i < modules.size(); ++i) {
            const std::string file = folder.file(std::to_string(i) + ".ll");
            write_file(file, modules[i]);
            steps.add_opencl(file, name);
        }
        made.image = steps.link(name);
    } catch (const configuration_error& failure) {
        made.log += without(failure.what(), folder.file(""));
        return made;
    }
    made.status = build_status::success;
    return made;
}

opencl_program build_opencl(const opencl_source& what, const compile_options& how) {
    opencl_module compiled = compile_opencl(what, how);
    if (compiled.status != build_status::success) return {compiled.status, compiled.log, {}};
    opencl_program linked = link_opencl({compiled.ir}, what.source.name, how);
    linked.log.insert(0, compiled.log);
    return linked;
}

}  // namespace heddle::program
