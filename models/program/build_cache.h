// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "models/program/opencl_build.h"

namespace heddle::program {

/// Built OpenCL programs in a folder that processes share. An entry is found by all that decides
/// about it: the source, headers, options, place, the tools and what Heddle links in. It names the
/// other files that were included, and does not count any more when one of them has changed. A
/// damaged entry is as good as none. Entries appear whole, by a rename.
class build_cache {
public:
    /// The folder is made when it is first needed; a folder that can't be written to is a cache
    /// that keeps nothing. When the entries have more than `most_bytes`, those go first that were
    /// not used for the longest time.
    explicit build_cache(std::filesystem::path folder, std::uint64_t most_bytes = 256U << 20)
        : folder_(std::move(folder)), most_bytes_(most_bytes) {}

    /// build_opencl(), or the entry of an earlier one. Only successful builds are kept.
    opencl_program build(const opencl_source& what, const compile_options& how);

    /// How often build() has found an entry, and has not.
    [[nodiscard]] std::uint64_t hits() const noexcept { return hits_; }
    [[nodiscard]] std::uint64_t misses() const noexcept { return misses_; }

private:
    [[nodiscard]] bool read(const std::filesystem::path& file, const std::string& key,
                            opencl_program& into) const;
    void write(const std::filesystem::path& file, const std::string& key,
               const opencl_program& built, const std::vector<std::string>& dependencies) const;
    void trim() const;

    std::filesystem::path folder_;
    std::uint64_t most_bytes_;
    std::uint64_t hits_ = 0;
    std::uint64_t misses_ = 0;
};

/// $XDG_CACHE_HOME/heddle/programs, or ~/.cache/heddle/programs. Empty if neither is known.
[[nodiscard]] std::filesystem::path default_cache_folder();

}  // namespace heddle::program
