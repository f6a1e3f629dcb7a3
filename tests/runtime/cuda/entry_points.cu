// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A function that the tables list is there; those that are not supported say so, and nothing else.
#include <cuda.h>

#include "kit.h"

extern "C" {
#define HEDDLE_CUDA_SECTION(title)
#define HEDDLE_CUDA_ENTRY(name, note) extern const char name##_place __asm__(#name);
#include "runtime/cuda/library/driver_entry_points.def"
#include "runtime/cuda/library/entry_points.def"
}

static const char* const functions[] = {
#undef HEDDLE_CUDA_ENTRY
#define HEDDLE_CUDA_ENTRY(name, note) &name##_place,
#include "runtime/cuda/library/driver_entry_points.def"
#include "runtime/cuda/library/entry_points.def"
#undef HEDDLE_CUDA_ENTRY
};

CASE(all_are_there) {
    int count = 0;
    for (const char* each : functions) {
        THAT(each != nullptr);
        ++count;
    }
    THAT(count >= 258);
}

CASE(others_are_not_supported) {
    int count = 0;
#define HEDDLE_CUDA_NOT_SUPPORTED(name)      \
    FAILS(cudaErrorNotSupported, name(0, 0)); \
    ++count;
#include <heddle_cuda/not_supported.def>
#undef HEDDLE_CUDA_NOT_SUPPORTED
#define HEDDLE_CUDA_NOT_SUPPORTED(name)           \
    GIVES(CUDA_ERROR_NOT_SUPPORTED, name(0, 0)); \
    GOOD(cudaGetLastError());                    \
    ++count;
#include <heddle_cuda/driver_not_supported.def>
#undef HEDDLE_CUDA_NOT_SUPPORTED
    THAT(count > 200);
}

int main(int argc, char** argv) {
    return run_cases(argc > 1 ? argv[1] : "");
}
