// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/tree_data_folders.h"

namespace heddle {

data_folders linked_data_folders() {
    return tree_data_folders();
}

}  // namespace heddle
