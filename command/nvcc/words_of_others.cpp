// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/nvcc/words_of_others.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "models/base/data_folders.h"

namespace heddle::command {
namespace {

namespace fs = std::filesystem;

bool is_other_toolkit(const std::string& folder) {
    std::error_code error;
    const fs::path at(folder);
    return fs::exists(at / "cuda_runtime.h", error) &&
           fs::exists(at / "cuda_runtime_api.h", error) &&
           !fs::equivalent(at, data_folders_in_use().cuda / "include", error);
}

}  // namespace

bool leave_out_host_word(nvcc_request& request, const std::string& word) {
    const auto begins = [&](const char* text) { return word.rfind(text, 0) == 0; };
    if (word != "-m64" && !begins("-mcmodel=") && word != "-fno-gnu-unique" && !begins("-std=c9") &&
        !begins("-std=gnu9") && !begins("-std=c1")) {
        return false;
    }
    request.warnings.push_back("nvcc: " + word + " is left out: the host half is C++ of 32 bits, " +
                               "which clang compiles");
    return true;
}

void leave_out_other_toolkits(nvcc_request& request) {
    std::vector<std::string> kept;
    std::vector<std::string>& words = request.preprocessor;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool apart = words[i] == "-isystem" && i + 1 < words.size();
        const bool joined = words[i].rfind("-I", 0) == 0;
        const std::string folder = apart ? words[i + 1] : joined ? words[i].substr(2) : "";
        if (!folder.empty() && is_other_toolkit(folder)) {
            request.warnings.push_back("nvcc: " + folder +
                                       " is left out: it has the headers of another toolkit");
            if (apart) ++i;
            continue;
        }
        kept.push_back(words[i]);
        if (apart) kept.push_back(words[++i]);
    }
    words = std::move(kept);
}

}  // namespace heddle::command
