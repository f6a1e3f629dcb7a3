// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/nvcc/host_compiler.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <system_error>

#include "command/nvcc/folder_cache.h"
#include "models/base/data_folders.h"
#include "models/base/error.h"
#include "models/program/build_cache.h"
#include "models/program/opencl_build.h"
#include "models/program/process.h"

namespace heddle::command {
namespace {

namespace fs = std::filesystem;

/// SSE: floats of the host are rounded as on the device, not to the 80 bits of the x87.
/// Doubles and long longs are aligned as on the device.
constexpr const char* host_machine[] = {"-m32", "-march=x86-64", "-malign-double"};

/// What the vendor's compiler takes, in old programs, and clang does not.
constexpr const char* lenient_options[] = {
    "-Wno-reserved-user-defined-literal", "-Wno-c++11-narrowing", "-Wno-register",
    "-Wno-unknown-cuda-version", "-Wno-unused-command-line-argument"};

/// The runtime library of CUDA programs. They find it again by this name.
std::string find_cuda_library() {
    const fs::path file = data_folders_in_use().compiler / "libheddle_cuda.so";
    std::error_code error;
    if (fs::exists(file, error)) return file.string();
    throw configuration_error(file.string() +
                              ": the runtime library of CUDA programs is not there; build "
                              "heddle_cuda, or install Heddle anew");
}

}  // namespace

bool host_compiler::is_cuda(const std::string& source) const {
    return request_.all_cuda || fs::path(source).extension() == ".cu";
}

/// clang's own OpenMP has no 32 bits. gcc's has, for calls: `#pragma omp` has no effect with it.
std::vector<std::string> host_compiler::host_words() const {
    std::vector<std::string> words = request_.host;
    std::replace(words.begin(), words.end(), std::string("-fopenmp"),
                 std::string("-fopenmp=libgomp"));
    return words;
}

std::vector<std::string> host_compiler::openmp_folder() const {
    return {"-idirafter", (data_folders_in_use().cuda / "include/openmp").string()};
}

std::vector<std::string> host_compiler::both_halves() const {
    const std::string headers = (data_folders_in_use().cuda / "include").string();
    std::vector<std::string> words = request_.preprocessor;
    words.insert(words.end(),
                 {"-isystem", headers, "-isystem", tools_.device + "/include", "-D__NVCC__",
                  "-D__CUDACC__", "-D__CUDACC_VER_MAJOR__=12", "-D__CUDACC_VER_MINOR__=5",
                  "-D__CUDACC_VER_BUILD__=40", "-D__HEDDLE__"});
    if (request_.fast_math) words.emplace_back("-D__USE_FAST_MATH__");
    if (request_.relocatable) words.emplace_back("-D__CUDACC_RDC__");
    if (request_.device_debug) words.emplace_back("-D__CUDACC_DEBUG__");
    words.insert(words.end(), std::begin(lenient_options), std::end(lenient_options));
    const std::vector<std::string> openmp = openmp_folder();
    words.insert(words.end(), openmp.begin(), openmp.end());
    words.insert(words.end(), {request_.standard, "-include", "cuda_runtime.h"});
    return words;
}

std::vector<std::string> host_compiler::compile(const std::string& source,
                                                const std::string& device) const {
    std::vector<std::string> words{tools_.compiler};
    const auto add = [&](const std::vector<std::string>& more) {
        words.insert(words.end(), more.begin(), more.end());
    };
    words.insert(words.end(), std::begin(host_machine), std::end(host_machine));
    if (is_cuda(source)) {
        add({"-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-fdeclspec",
             // __managed__ variables (models/program/pass/managed_variables.h).
             "-fpass-plugin=" + tools_.pass});
        add(both_halves());
        if (request_.relocatable) add({"-fgpu-rdc"});
        if (!device.empty()) {
            add({"-Xclang", "-fcuda-include-gpubinary", "-Xclang", device});
        }
    } else {
        const bool is_c = fs::path(source).extension() == ".c";
        const std::string headers = (data_folders_in_use().cuda / "include").string();
        add({"-x", is_c ? "c" : "c++"});
        if (!is_c) add({request_.standard, "-include", "heddle_cuda/host_library.h"});
        add(request_.preprocessor);
        add({"-isystem", headers, "-D__HEDDLE__"});
        add(openmp_folder());
        words.insert(words.end(), std::begin(lenient_options), std::end(lenient_options));
    }
    if (request_.shared) add({"-fPIC"});
    add(host_words());
    return words;
}

std::vector<std::string> host_compiler::link(const std::vector<std::string>& given,
                                             const std::string& output) const {
    std::vector<std::string> words{tools_.compiler, "--driver-mode=g++"};
    words.insert(words.end(), std::begin(host_machine), std::end(host_machine));
    // The addresses of the device are others than those of a program at its usual place.
    words.emplace_back(request_.shared ? "-shared" : "-no-pie");
    const std::vector<std::string> own = host_words();
    words.insert(words.end(), own.begin(), own.end());
    words.insert(words.end(), given.begin(), given.end());
    words.insert(words.end(), {find_cuda_library(), "-lpthread", "-ldl", "-lrt", "-o", output,
                               "-Wno-unused-command-line-argument"});
    return words;
}

std::string host_compiler::announcement() {
    const data_folders& folders = data_folders_in_use();
    std::error_code error;
    fs::path top = folders.cuda;
    // In a build tree the folder of CUDA is beside the parts of the compiler.
    if (!fs::exists(top / "bin/nvcc", error)) top = folders.compiler.parent_path() / "cuda";
    const std::string libraries = "\"-L" + folders.compiler.string() + "\"";
    // CMake takes the folder of libdevice for the place of the device's library.
    return "#$ TOP=" + top.string() + "\n#$ PATH=" + (top / "bin").string() +
           "\n#$ NVVMIR_LIBRARY_DIR=" + (top / "nvvm/libdevice").string() +
           "\n#$ DEVICE=-arch compute_61\n#$ INCLUDES=\"-I" + (folders.cuda / "include").string() +
           "\"\n#$ LIBRARIES= " + libraries + "\n\n#$ " + (top / "bin/nvcc").string() +
           " -o \"a.out\" " + libraries + "\n";
}

/// clang says which folders it would read.
std::vector<std::string> host_compiler::system_folders() const {
    const folder_cache cache(program::default_cache_folder().parent_path(), tools_.compiler);
    if (std::vector<std::string> known = cache.find(); !known.empty()) return known;
    const auto said = program::run_process(
        {tools_.compiler, "-m32", "--driver-mode=g++", "-###", "-E", "-x", "c++", "/dev/null"});
    std::vector<std::string> folders;
    const std::size_t begin = said.output.rfind("\n \"");
    if (said.status == 0 && begin != std::string::npos) {
        const auto words = program::option_words(said.output.substr(begin));
        for (std::size_t i = 0; words && i + 1 < words->size(); ++i) {
            const std::string& word = (*words)[i];
            if (word == "-resource-dir") {
                // Its folder comes before those of C++, whose headers it includes.
                folders.insert(folders.begin(),
                               {"-internal-isystem", (*words)[i + 1] + "/include/cuda_wrappers"});
                folders.insert(folders.begin(), {word, (*words)[i + 1]});
            }
            if (word.rfind("-internal-", 0) == 0) {
                folders.insert(folders.end(), {word, (*words)[i + 1]});
            }
        }
    }
    if (folders.size() < 6) {
        throw configuration_error("nvcc: " + tools_.compiler +
                                  " does not say where its headers are:\n" + said.output);
    }
    cache.keep(folders);
    return folders;
}

}  // namespace heddle::command
