// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <vector>

#include "device.h"

float half_of(int i) {
    std::vector<float> all(i + 1, i / 2.0f);
    return all.back();
}
