// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/nvcc/folder_cache.h"

#include <algorithm>
#include <exception>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <utility>

#include "models/base/output_file.h"

namespace heddle::command {
namespace {

namespace fs = std::filesystem;

std::string state_of(const fs::path& file) {
    std::error_code error;
    const fs::file_time_type time = fs::last_write_time(file, error);
    const std::string when = error ? "none" : std::to_string(time.time_since_epoch().count());
    return "# " + file.string() + " " + when + "\n";
}

std::vector<fs::path> folders_in(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> found;
    for (const fs::directory_entry& each : fs::directory_iterator(folder, error)) {
        found.push_back(each.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

folder_cache::folder_cache(fs::path folder, std::string compiler) {
    if (folder.empty()) return;
    file_ = std::move(folder) / "nvcc_folders";
    state_ = state_of(compiler);
    for (const fs::path& machine : folders_in("/usr/lib/gcc")) {
        for (const fs::path& version : folders_in(machine)) state_ += state_of(version);
    }
}

std::string folder_cache::text_of(const std::vector<std::string>& words) const {
    std::string text = state_;
    std::error_code error;
    for (const std::string& word : words) {
        // Options are no files, and stay so.
        text += (fs::exists(word, error) ? "+" : "-") + word + "\n";
    }
    return text;
}

std::vector<std::string> folder_cache::find() const {
    std::ifstream in(file_);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    std::vector<std::string> words;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && line.front() != '#') words.push_back(line.substr(1));
    }
    if (text != text_of(words)) words.clear();
    return words;
}

void folder_cache::keep(const std::vector<std::string>& words) const {
    if (file_.empty()) return;
    try {
        fs::create_directories(file_.parent_path());
        write_file(file_, text_of(words));
    } catch (const std::exception&) {
        // The next call asks again.
    }
}

}  // namespace heddle::command
