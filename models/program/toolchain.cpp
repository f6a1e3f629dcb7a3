// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/toolchain.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <optional>

#include "models/base/data_folders.h"
#include "models/base/error.h"
#include "models/program/process.h"

namespace heddle::program {

namespace {

const std::string install_hint = "kernels need clang " + std::to_string(clang_version) +
                                 " and lld " + std::to_string(clang_version) +
                                 " or newer: apt-get install clang-19 lld-19";

/// Where distributions have several releases, the folder tells which: /usr/lib/llvm-19/bin.
unsigned version_of_folder(const std::string& program) {
    std::error_code error;
    const auto file = std::filesystem::canonical(program, error);
    const std::string folder = file.parent_path().parent_path().filename().string();
    if (error || folder.rfind("llvm-", 0) != 0) return 0;
    return major_version(folder.substr(5) + ".");
}

unsigned version_of(const std::string& program) {
    // Starting both programs to ask takes longer than linking a small one.
    if (const unsigned version = version_of_folder(program)) return version;
    const auto result = run_process({program, "--version"});
    return result.status == 0 ? major_version(result.output) : 0;
}

/// First candidate whose version is one of [clang_version, newest]; complains about the best of the
/// others.
std::string find_tool(const std::string& what, const std::string& chosen,
                      const std::vector<std::string>& names, unsigned newest) {
    const std::vector<std::string> candidates =
        chosen.empty() ? names : std::vector<std::string>{chosen};
    std::string unfit, looked_for;
    for (const auto& name : candidates) {
        looked_for += (looked_for.empty() ? "" : ", ") + name;
        const std::string path = find_program(name);
        if (path.empty()) continue;
        const unsigned version = version_of(path);
        if (version >= clang_version && version <= newest) return path;
        if (unfit.empty()) {
            unfit = path + (version == 0 ? " (does not tell its version)"
                                         : " (version " + std::to_string(version) + ")");
        }
    }
    if (!unfit.empty()) {
        throw configuration_error(unfit + " can't be used as " + what + "; " + install_hint);
    }
    throw configuration_error("no " + what + " found (looked for " + looked_for + "); " +
                              install_hint);
}

/// What the compiler says that the machine has. Double precision is software.
std::string opencl_extensions(const compile_options& options) {
    return std::string("-cl-ext=-all,+cl_khr_byte_addressable_store") +
           ",+cl_khr_global_int32_base_atomics,+cl_khr_global_int32_extended_atomics"
           ",+cl_khr_local_int32_base_atomics,+cl_khr_local_int32_extended_atomics" +
           (options.double_precision ? ",+cl_khr_fp64" : "");
}

/// gcc's rv32im/ilp32 library. Its multilib lookup would fall back to rv64, hence the folder.
std::string find_libgcc() {
    namespace fs = std::filesystem;
    std::vector<std::string> found;
    std::error_code error;
    for (const char* root :
         {"/usr/lib/gcc/riscv64-unknown-elf", "/usr/lib/gcc/riscv32-unknown-elf"}) {
        for (const auto& entry : fs::directory_iterator(root, error)) {
            const auto library = entry.path() / "rv32im" / "ilp32" / "libgcc.a";
            if (fs::exists(library, error)) found.push_back(library.string());
        }
    }
    return found.empty() ? "" : *std::max_element(found.begin(), found.end());
}

std::string find_device_directory(const std::string& chosen) {
    const std::string directory = chosen.empty() ? data_folders_in_use().device.string() : chosen;
    std::error_code error;
    if (!std::filesystem::exists(directory + "/include/heddle.h", error) ||
        !std::filesystem::exists(directory + "/device/heddle.ld", error)) {
        throw configuration_error(directory +
                                  ": not the device directory: include/heddle.h and "
                                  "device/heddle.ld are not both there");
    }
    return directory;
}

/// A file that is built and installed with Heddle, by `target`.
std::string find_part(const char* file, const char* what, const char* target) {
    const std::string path = (data_folders_in_use().compiler / file).string();
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
        throw configuration_error(path + ": " + what + " not there; build " + target +
                                  ", or install Heddle anew");
    }
    return path;
}

bool ends_in_one_of(const std::string& file, std::initializer_list<const char*> extensions) {
    const std::string extension = std::filesystem::path(file).extension().string();
    return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

std::optional<source_language> find_language(const std::string& file) {
    if (ends_in_one_of(file, {".cpp", ".cc", ".cxx", ".cu"})) return source_language::cpp;
    if (ends_in_one_of(file, {".cl"})) return source_language::opencl;
    if (ends_in_one_of(file, {".c"})) return source_language::c;
    if (ends_in_one_of(file, {".S", ".s"})) return source_language::assembly;
    return std::nullopt;
}

}  // namespace

unsigned major_version(const std::string& version_text) {
    // "Debian clang version 19.1.7", "Debian LLD 19.1.7": the first number with a dot behind it.
    for (std::size_t i = 0; i < version_text.size(); ++i) {
        if (std::isdigit(static_cast<unsigned char>(version_text[i])) == 0) continue;
        std::size_t end = i;
        unsigned value = 0;
        while (end < version_text.size() &&
               std::isdigit(static_cast<unsigned char>(version_text[end])) != 0 && end - i < 6) {
            value = value * 10 + static_cast<unsigned>(version_text[end++] - '0');
        }
        if (end < version_text.size() && version_text[end] == '.') return value;
        i = end;
    }
    return 0;
}

toolchain find_toolchain(const compile_options& options) {
    toolchain tools;
    tools.device = find_device_directory(options.device_directory);
    tools.pass = find_part("heddle_pass.so", "the compiler's plug-in is", "heddle_pass");
    tools.opencl_builtins =
        find_part("opencl_builtins.bc", "OpenCL's built-ins are", "heddle_opencl_builtins");
    tools.cuda_builtins =
        find_part("cuda_builtins.bc", "CUDA's device functions are", "heddle_cuda_builtins");
    tools.soft_math = find_part("soft_math.o", "the functions in software are", "heddle_soft");
    tools.print = find_part("print.o", "printf() of kernels is", "heddle_soft");
    tools.compiler = find_tool("compiler", options.compiler, {"clang-19", "clang"}, clang_version);
    tools.linker =
        find_tool("linker", options.linker, {"ld.lld-19", "ld.lld-20", "ld.lld-21", "ld.lld"},
                  std::numeric_limits<unsigned>::max());
    tools.libgcc = find_libgcc();
    return tools;
}

source_language language_of(const std::string& source) {
    if (const auto language = find_language(source)) return *language;
    throw configuration_error(source +
                              ": unknown kind of source; device programs are .cpp .cc .cxx .cu "
                              "(C++), .cl (OpenCL C), .c (C), .S .s (assembly)");
}

bool is_source_or_header(const std::string& file) {
    return find_language(file).has_value() ||
           ends_in_one_of(file, {".h", ".hh", ".hpp", ".hxx", ".cuh", ".inc"});
}

std::vector<std::string> compiler_command(const toolchain& tools, const compile_options& options,
                                          source_language language) {
    std::vector<std::string> command{
        tools.compiler, "--target=riscv32-unknown-elf", "-march=rv32ima_zicsr_zfinx_zicond",
        "-mabi=ilp32", "-mno-relax", "-O" + std::to_string(std::min(options.optimization, 3u)),
        // A struct that the source only points to is described, too.
        "-g", "-fstandalone-debug", "-ffreestanding", "-fno-math-errno",
        // Calls may contain barriers: without this the optimizer copies them into divergent arms.
        "-fconvergent-functions",
        // A loop that waits for another thread may be endless to the compiler, which must not
        // remove it.
        "-fno-finite-loops",
        // Every jump stays visible to the control flow graph.
        "-fno-jump-tables", "-ffunction-sections", "-fdata-sections", "-fstack-size-section",
        options.contract_floating_point ? "-ffp-contract=on" : "-ffp-contract=off",
        "-fno-color-diagnostics"};
    const auto add = [&](std::initializer_list<const char*> more) {
        command.insert(command.end(), more.begin(), more.end());
    };
    switch (language) {
        case source_language::cpp:
            add({"-x", "c++", "-std=c++20", "-fno-exceptions", "-fno-rtti",
                 "-fno-threadsafe-statics", "-fdeclspec", "-Wall"});
            break;
        case source_language::c:
            add({"-x", "c", "-std=c11", "-Wall"});
            break;
        case source_language::opencl:
            // The names of the built-ins contain the address spaces of their pointers.
            add({"-x", "cl", "-cl-std=CL1.2", "-cl-kernel-arg-info", "-Wall", "-Xclang",
                 "-ffake-address-space-map", "-Xclang", "-faddress-space-map-mangling=yes",
                 // A function that is inline without static is one of the program, as elsewhere.
                 "-fgnu89-inline",
                 // `x * 0.5` with a float x is two conversions and a call.
                 "-Wdouble-promotion",
                 "-D__kernel=__kernel __attribute__((section(\".text.kernel\")))",
                 "-Dkernel=__kernel",
                 // The device's version and its images, of which clang knows nothing.
                 "-D__OPENCL_VERSION__=120", "-D__IMAGE_SUPPORT__=1", "-Xclang"});
            command.push_back(opencl_extensions(options));
            add({"-Xclang", "-mlink-builtin-bitcode", "-Xclang"});
            command.push_back(tools.opencl_builtins);
            break;
        case source_language::assembly:
            add({"-x", "assembler-with-cpp"});
            break;
        case source_language::llvm_ir:
            add({"-x", "ir", "-Wno-unused-command-line-argument"});
            break;
    }
    if (language != source_language::assembly) {
        // Branches that decide on a barrier stay where they are (pass/hold_conditions.cpp).
        command.push_back("-fpass-plugin=" + tools.pass);
    }
    command.push_back("-I" + tools.device + "/include");
    for (const auto& directory : options.include_directories) command.push_back("-I" + directory);
    for (const auto& definition : options.definitions) command.push_back("-D" + definition);
    return command;
}

}  // namespace heddle::program
