// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "shared.cuh"

int second(const float *samples, float *out)
{
    const float weights[4] = {100, 200, 300, 400};
    return run(weights, samples, out);
}
