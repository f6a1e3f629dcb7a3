// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/fault_code.h"

#include <string>

namespace heddle::cuda {
namespace {

// The exit codes of a run (models/base/error.h, of which this library has nothing).
constexpr std::uint32_t kernel_fault = 3;
constexpr std::uint32_t no_progress = 4;

}  // namespace

cudaError_t fault_code(const runtime::connection_error& why) {
    const std::string text = why.what();
    const auto says = [&](const char* part) { return text.find(part) != std::string::npos; };
    if (why.code() == no_progress) return cudaErrorLaunchTimeout;
    if (why.code() != kernel_fault) return cudaErrorUnknown;
    if (says("ebreak") && says("__assert_fail")) return cudaErrorAssert;
    if (says("misaligned ")) return cudaErrorMisalignedAddress;
    if (says("illegal instruction")) return cudaErrorIllegalInstruction;
    if (says("jump to ") || says("past the end of the program")) return cudaErrorInvalidPc;
    if (says("illegal ")) return cudaErrorIllegalAddress;
    return cudaErrorLaunchFailure;
}

}  // namespace heddle::cuda
