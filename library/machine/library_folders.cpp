// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// In libheddle.so, in the place of the function that programs link.
#include <dlfcn.h>

#include <system_error>

#include "models/base/data_folders.h"
#include "models/base/tree_data_folders.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

const char here = 0;  // an address within the library

fs::path own_file() {
    Dl_info found{};
    if (dladdr(&here, &found) == 0 || found.dli_fname == nullptr) return {};
    std::error_code error;
    fs::path file = fs::canonical(found.dli_fname, error);
    return error ? fs::path() : file;
}

}  // namespace

/// Those of the installed Heddle that the library lies in: PREFIX/lib, or PREFIX/lib/NAME as in
/// Debian. Else those of the tree.
data_folders linked_data_folders() {
    const fs::path file = own_file();
    return data_folders_of(file, data_folders_of(file.parent_path(), tree_data_folders()));
}

}  // namespace heddle
