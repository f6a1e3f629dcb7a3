// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/copies.h"

namespace {

using namespace heddle::cuda;
using heddle::runtime::box_extent;

copy_end part_of(const heddle::runtime::variable_description& variable, size_t count,
                 size_t offset) {
    require(offset <= variable.bytes && count <= variable.bytes - offset, cudaErrorInvalidValue);
    return {true, variable.address + static_cast<std::uint32_t>(offset), nullptr, count, count};
}

cudaError_t to_symbol(const void* symbol, const void* src, size_t count, size_t offset,
                      cudaMemcpyKind kind, const copy_order& order) {
    return code_of([&] {
        device_objects& device = the_device();
        const copy_end to = part_of(device.programs.variable(symbol), count, offset);
        require_to_device(kind);
        const box_extent extent{count, 1, 1};
        copy_box(device, to, end_of(device, src, copy_side::source, kind, count, count, extent),
                 extent, order);
    });
}

cudaError_t from_symbol(void* dst, const void* symbol, size_t count, size_t offset,
                        cudaMemcpyKind kind, const copy_order& order) {
    return code_of([&] {
        device_objects& device = the_device();
        const copy_end from = part_of(device.programs.variable(symbol), count, offset);
        require_from_device(kind);
        const box_extent extent{count, 1, 1};
        copy_box(device, end_of(device, dst, copy_side::destination, kind, count, count, extent),
                 from, extent, order);
    });
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* src, size_t count, size_t offset,
                               cudaMemcpyKind kind) {
    return to_symbol(symbol, src, count, offset, kind, {});
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* src, size_t count,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
    return to_symbol(symbol, src, count, offset, kind, {stream, false});
}

cudaError_t cudaMemcpyFromSymbol(void* dst, const void* symbol, size_t count, size_t offset,
                                 cudaMemcpyKind kind) {
    return from_symbol(dst, symbol, count, offset, kind, {});
}

cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t count, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
    return from_symbol(dst, symbol, count, offset, kind, {stream, false});
}

cudaError_t cudaGetSymbolAddress(void** devPtr, const void* symbol) {
    return code_of([&] {
        require(devPtr != nullptr, cudaErrorInvalidValue);
        *devPtr = pointer_to(the_device().programs.variable(symbol).address);
    });
}

cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
    return code_of([&] {
        require(size != nullptr, cudaErrorInvalidValue);
        *size = the_device().programs.variable(symbol).bytes;
    });
}

}  // extern "C"
