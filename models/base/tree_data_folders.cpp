// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/tree_data_folders.h"

namespace heddle {

data_folders tree_data_folders() {
    return {HEDDLE_SOURCE_DIR "/configs", HEDDLE_SOURCE_DIR "/models/program",
            HEDDLE_BINARY_DIR "/kernels", HEDDLE_BINARY_DIR "/compiler",
            HEDDLE_SOURCE_DIR "/scripts", HEDDLE_SOURCE_DIR "/runtime/cuda"};
}

}  // namespace heddle
