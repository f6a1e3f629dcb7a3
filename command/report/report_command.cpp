// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/report/report_command.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "command/script.h"
#include "models/base/error.h"
#include "models/base/output_file.h"
#include "models/program/process.h"

namespace heddle::command {
namespace {

namespace fs = std::filesystem;

/// Runs the script to its end.
void call(const std::vector<std::string>& words) {
    std::vector<std::string> all = script_words("report");
    all.insert(all.end(), words.begin(), words.end());
    program::process_result result = program::run_process(all);
    if (result.status == 0) return;
    std::string& text = result.output;
    while (!text.empty() && text.back() == '\n') text.pop_back();
    constexpr std::string_view prefix = "heddle: ";
    if (text.rfind(prefix, 0) == 0) text.erase(0, prefix.size());
    throw configuration_error(text.empty() ? fmt::format("report: exit code {}", result.status)
                                           : text);
}

fs::path new_folder() {
    std::string name = (fs::temp_directory_path() / "heddle_report_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        throw configuration_error(
            fmt::format("report: cannot write '{}': {}", name, std::strerror(errno)));
    }
    return name;
}

}  // namespace

void report(const std::vector<std::string>& words) {
    become_script("report", words);
}

run_page::run_page(std::string file) : file_(std::move(file)) {
    const output_file writable(file_);
    call({"--check"});
    folder_ = new_folder();
}

run_page::~run_page() {
    std::error_code error;
    fs::remove_all(folder_, error);
}

void run_page::add_to(record_options& records) const {
    if (records.series_file.empty()) records.series_file = folder_ / "series.csv";
    if (records.launches_file.empty()) records.launches_file = folder_ / "launches.csv";
    if (records.lines_file.empty()) records.lines_file = folder_ / "lines.json";
}

void run_page::write(const record_options& records, const std::vector<std::string>& typed) const {
    std::vector<std::string> words{statistics_file(), "-o", file_};
    // A pipe of the user's can't be read again.
    const auto add = [&](const char* option, const std::string& file) {
        if (fs::is_regular_file(file)) words.insert(words.end(), {option, file});
    };
    add("--series", records.series_file);
    add("--launches", records.launches_file);
    add("--lines", records.lines_file);
    words.emplace_back("--typed");
    words.insert(words.end(), typed.begin(), typed.end());
    call(words);
}

}  // namespace heddle::command
