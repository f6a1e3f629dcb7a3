// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/kit/paths.h"

namespace heddle {

std::string source_path(const std::string& relative) {
    return HEDDLE_SOURCE_DIR "/" + relative;
}

std::string build_path(const std::string& relative) {
    return HEDDLE_BINARY_DIR "/" + relative;
}

}  // namespace heddle
