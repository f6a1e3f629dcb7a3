// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/cuda/library/device_session.h"
#include "runtime/cuda/library/registry.h"

/// A kernel on the device: what cudaFunction_t and CUfunction point to.
struct CUfunc_st {
    std::uint32_t program = 0, number = 0;
    heddle::runtime::kernel_description text;
    std::int64_t most_dynamic_bytes = 0;  ///< cudaFuncAttributeMaxDynamicSharedMemorySize
    int carveout = -1;
};

/// A program on the device: what CUmodule points to.
struct CUmod_st {
    std::uint32_t number = 0;
    std::unordered_map<std::string, std::unique_ptr<CUfunc_st>> functions;
    std::unordered_map<std::string, heddle::runtime::variable_description> variables;
    std::uint32_t managed = 0;  ///< address of its managed variables; 0: it has none
};

namespace heddle::cuda {

/// The programs of one device: those that the executable registered, loaded when something of them
/// is used first, and those that it loads itself.
class device_programs {
public:
    device_programs(device_session& session, const registry& all) : session_(session), all_(all) {}
    device_programs(const device_programs&) = delete;
    device_programs& operator=(const device_programs&) = delete;

    /// Throws error(cudaErrorInvalidDeviceFunction).
    CUfunc_st& function(const void* stub);
    /// Throws error(cudaErrorInvalidSymbol).
    const runtime::variable_description& variable(const void* host);
    /// The device's part of a texture reference. Throws error(cudaErrorInvalidTexture).
    const runtime::variable_description& texture(const void* host);
    /// The same of a surface reference. Throws error(cudaErrorInvalidSurface).
    const runtime::variable_description& surface(const void* host);
    /// Loads the programs that have managed variables; those are the host's, too, then.
    void begin_managed();
    /// The device is gone: they are the host's alone.
    void forget_managed();
    /// The variable that has all of these bytes; null: there is none.
    [[nodiscard]] const runtime::variable_description* variable_at(std::uint32_t address,
                                                                   std::uint64_t bytes) const;

    /// Throws error(cudaErrorInvalidKernelImage), the reason goes to standard error.
    CUmod_st& load(const std::vector<std::byte>& executable);
    /// Throws error(cudaErrorInvalidResourceHandle).
    void unload(CUmod_st* gone);
    [[nodiscard]] bool has(const CUmod_st* module) const;
    [[nodiscard]] bool has(const CUfunc_st* function) const;

private:
    CUmod_st& program_of(binary_id binary);
    void unload_removed();
    void share_managed(binary_id binary, CUmod_st& program);
    const runtime::variable_description& variable(const registered* found, cudaError_t otherwise);

    device_session& session_;
    const registry& all_;
    std::map<binary_id, CUmod_st*> loaded_;
    std::vector<std::unique_ptr<CUmod_st>> modules_;
};

}  // namespace heddle::cuda
