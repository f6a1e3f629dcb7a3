// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/device_server/numbered_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "models/base/error.h"

namespace heddle::command {
namespace {

namespace fs = std::filesystem;

fs::path claim_file(const std::string& folder, unsigned number) {
    return fs::path(folder) / ("server." + std::to_string(number));
}

}  // namespace

std::string numbered_file(const std::string& file, unsigned number) {
    if (file.empty() || number <= 1) return file;
    const fs::path path(file);
    const std::string name = path.filename().string();
    // Both endings of "wave.vcd.gz" stay together.
    const std::size_t dot = name.find('.', 1);
    const std::string infix = "." + std::to_string(number);
    const std::string numbered =
        dot == std::string::npos ? name + infix : name.substr(0, dot) + infix + name.substr(dot);
    return (path.parent_path() / numbered).string();
}

void number_files(run_request& request, unsigned number) {
    trace_options& traces = request.timed.traces;
    follow_options& follow = request.timed.follow;
    record_options& records = request.timed.records;
    for (std::string* const file :
         {&request.statistics_file, &request.report_file, &traces.waveform_file,
          &traces.timeline_file, &traces.slot_file, &traces.rtl_file, &traces.link_file,
          &follow.retire_file, &follow.thread_progress_file, &records.series_file,
          &records.blocks_file, &records.launches_file, &records.lines_file}) {
        *file = numbered_file(*file, number);
    }
}

unsigned claim_number(const std::string& folder) {
    for (unsigned number = 1;; ++number) {
        const fs::path name = claim_file(folder, number);
        const int file = ::open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
        if (file >= 0) {
            ::flock(file, LOCK_EX);  // until the end of the process
            return number;
        }
        if (errno == EEXIST) continue;
        throw configuration_error("--claims: cannot make '" + name.string() +
                                  "': " + std::strerror(errno));
    }
}

void wait_for_claims(const std::string& folder) {
    for (unsigned number = 1;; ++number) {
        const int file = ::open(claim_file(folder, number).c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0) return;
        while (::flock(file, LOCK_EX) != 0 && errno == EINTR) {
        }
        ::close(file);
    }
}

}  // namespace heddle::command
