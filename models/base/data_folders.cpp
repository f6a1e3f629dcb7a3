// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/data_folders.h"

#include <system_error>

namespace heddle {

namespace fs = std::filesystem;

data_folders data_folders::installed_in(const fs::path& share) {
    return {share / "configs", share / "program",
            share / "kernels", share.parent_path().parent_path() / "libexec" / "heddle",
            share / "scripts", share / "cuda"};
}

data_folders data_folders_of(const fs::path& program, const data_folders& linked) {
    const data_folders beside =
        data_folders::installed_in(program.parent_path().parent_path() / "share" / "heddle");
    std::error_code error;
    return fs::is_directory(beside.configurations, error) ? beside : linked;
}

const data_folders& data_folders_in_use() {
    static const data_folders found = [] {
        std::error_code error;  // without /proc the path is empty, and has nothing beside it
        return data_folders_of(fs::read_symlink("/proc/self/exe", error), linked_data_folders());
    }();
    return found;
}

}  // namespace heddle
