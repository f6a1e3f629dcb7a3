// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heddle::command {

/// Folders of system headers that a compiler has named, each behind its option, kept between calls
/// in a file of the user's cache: asking takes 26 ms, a tenth of what small files take. They are
/// not known any more when the compiler, a version of gcc beside it or one of the folders has come,
/// gone or changed.
class folder_cache {
public:
    /// `folder` is made when it is first needed. Empty: nothing is kept.
    folder_cache(std::filesystem::path folder, std::string compiler);

    /// Empty: not known.
    [[nodiscard]] std::vector<std::string> find() const;
    /// Without effect where the folder cannot be written to.
    void keep(const std::vector<std::string>& words) const;

private:
    [[nodiscard]] std::string text_of(const std::vector<std::string>& words) const;

    std::filesystem::path file_;  ///< empty: none
    std::string state_;           ///< of the compilers: a line each
};

}  // namespace heddle::command
