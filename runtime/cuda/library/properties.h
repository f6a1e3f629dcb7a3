// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "runtime/cuda/include/cuda_runtime_api.h"
#include "runtime/protocol/commands.h"

namespace heddle::cuda {

/// The machine as CUDA describes it. Everything else of the program's questions comes from here.
[[nodiscard]] cudaDeviceProp properties_of(const runtime::device_description& machine);

/// Throws error(cudaErrorInvalidValue) for an attribute that CUDA 12 has not.
[[nodiscard]] int attribute_of(const cudaDeviceProp& properties, cudaDeviceAttr which);

/// Of the only device.
inline constexpr const char* pci_bus_id = "0000:01:00.0";
inline constexpr int greatest_priority = -5;
inline constexpr int cuda_version = CUDART_VERSION;

}  // namespace heddle::cuda
