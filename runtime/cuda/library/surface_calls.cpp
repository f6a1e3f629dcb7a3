// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cstring>

#include "runtime/cuda/library/descriptors.h"

namespace {

using namespace heddle::cuda;

/// Only arrays that were made for it can be written.
heddle_texture describe(const cudaArray& array) {
    require((array.flags & cudaArraySurfaceLoadStore) != 0, cudaErrorInvalidValue);
    heddle_texture made = describe_texture(
        array.format, {{cudaAddressModeClamp, cudaAddressModeClamp, cudaAddressModeClamp},
                       cudaFilterModePoint,
                       cudaReadModeElementType,
                       false});
    over_array(made, array);
    return made;
}

}  // namespace

extern "C" {

cudaError_t cudaBindSurfaceToArray(const surfaceReference* surfref, cudaArray_const_t array,
                                   const cudaChannelFormatDesc* desc) {
    return code_of([&] {
        device_objects& device = the_device();
        require(surfref != nullptr, cudaErrorInvalidSurface);
        const cudaArray& found = device.array(array);
        require(desc == nullptr || std::memcmp(desc, &found.format, sizeof found.format) == 0,
                cudaErrorInvalidChannelDescriptor);
        const heddle_texture made = describe(found);
        put_descriptor(device, device.programs.surface(surfref).address, made);
    });
}

cudaError_t cudaGetSurfaceReference(const surfaceReference** surfref, const void* symbol) {
    return code_of([&] {
        require(the_library().programs.find_surface(symbol) != nullptr, cudaErrorInvalidSurface);
        put(surfref, static_cast<const surfaceReference*>(symbol));
    });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* pSurfObject,
                                    const cudaResourceDesc* pResDesc) {
    return code_of([&] {
        device_objects& device = the_device();
        require(pSurfObject != nullptr && pResDesc != nullptr, cudaErrorInvalidValue);
        require(pResDesc->resType == cudaResourceTypeArray, cudaErrorInvalidChannelDescriptor);
        const heddle_texture made = describe(device.array(pResDesc->res.array.array));
        *pSurfObject = make_object(device, made);
        device.textures.surfaces[*pSurfObject] = *pResDesc;
    });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject) {
    return code_of([&] {
        if (surfObject == 0) return;
        device_objects& device = the_begun_device(cudaErrorInvalidValue);
        require(device.textures.surfaces.erase(surfObject) != 0, cudaErrorInvalidValue);
        device.memory.release(static_cast<std::uint32_t>(surfObject), memory_kind::array);
    });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* pResDesc,
                                             cudaSurfaceObject_t surfObject) {
    return code_of([&] {
        const auto& surfaces = the_device().textures.surfaces;
        const auto found = surfaces.find(surfObject);
        require(found != surfaces.end(), cudaErrorInvalidValue);
        put(pResDesc, found->second);
    });
}

}  // extern "C"
