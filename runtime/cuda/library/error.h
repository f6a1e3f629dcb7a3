// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <exception>

#include "runtime/cuda/include/cuda_runtime_api.h"

namespace heddle::cuda {

/// What a call returns instead of cudaSuccess.
class error : public std::exception {
public:
    explicit error(cudaError_t code) noexcept : code_(code) {}
    [[nodiscard]] cudaError_t code() const noexcept { return code_; }

private:
    cudaError_t code_;
};

inline void require(bool holds, cudaError_t otherwise) {
    if (!holds) throw error(otherwise);
}

}  // namespace heddle::cuda
