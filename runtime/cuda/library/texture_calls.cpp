// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <climits>
#include <cstring>
#include <iterator>

#include "runtime/cuda/library/descriptors.h"

namespace {

using namespace heddle::cuda;

constexpr std::uint32_t alignment = 256;  ///< properties.cpp's textureAlignment

std::uint32_t bytes_of(const cudaChannelFormatDesc& format) {
    return static_cast<std::uint32_t>(format.x + format.y + format.z + format.w) / 8;
}

void over_linear(const device_objects& device, heddle_texture& made, const void* pointer,
                 std::uint64_t bytes) {
    const std::uint32_t texel = made.channels * made.bits / 8;
    made.address = address_of(pointer);
    require(made.address % texel == 0, cudaErrorInvalidValue);
    require(bytes / texel <= 1u << 27 && device.owns(made.address, bytes), cudaErrorInvalidValue);
    made.width = static_cast<unsigned>(bytes / texel);
}

void over_rows(const device_objects& device, heddle_texture& made, const void* pointer,
               std::uint64_t width, std::uint64_t height, std::uint64_t pitch) {
    const std::uint64_t row = width * made.channels * made.bits / 8;
    require(width >= 1 && height >= 1 && width <= 65536 && height <= 65536 && pitch >= row &&
                pitch % 32 == 0,
            cudaErrorInvalidValue);
    made.address = address_of(pointer);
    require(made.address % 32 == 0 && device.owns(made.address, pitch * (height - 1) + row),
            cudaErrorInvalidValue);
    made.width = static_cast<unsigned>(width);
    made.height = static_cast<unsigned>(height);
    made.pitch = static_cast<unsigned>(pitch);
}

/// What a reference says now, over memory of this format.
heddle_texture described(const textureReference& reference, const cudaChannelFormatDesc& format,
                         cudaTextureFilterMode filter) {
    const registered* const known = the_library().programs.find_texture(&reference);
    require(known != nullptr, cudaErrorInvalidTexture);
    return describe_texture(
        format, {{reference.addressMode[0], reference.addressMode[1], reference.addressMode[2]},
                 filter,
                 known->normalized ? cudaReadModeNormalizedFloat : cudaReadModeElementType,
                 reference.normalized != 0});
}

void bind(device_objects& device, const textureReference& reference, const heddle_texture& made,
          std::size_t offset) {
    put_descriptor(device, device.programs.texture(&reference).address, made);
    device.textures.bound[&reference] = offset;
}

/// Binding begins at an aligned address; the program adds the rest to its indices.
const void* aligned(const void* pointer, size_t* offset, std::uint32_t texel) {
    const std::uint32_t rest = address_of(pointer) % alignment;
    if (offset == nullptr) {
        // Linear memory may begin at any texel here; only CUDA's own offset needs a place.
        require(rest % texel == 0, cudaErrorInvalidValue);
        return pointer;
    }
    *offset = rest;
    return static_cast<const char*>(pointer) - rest;
}

texture_settings settings_of(const cudaTextureDesc& text) {
    require(text.sRGB == 0, cudaErrorNotSupported);
    texture_settings made{{text.addressMode[0], text.addressMode[1], text.addressMode[2]},
                          text.filterMode,
                          text.readMode,
                          text.normalizedCoords != 0};
    std::copy(std::begin(text.borderColor), std::end(text.borderColor), made.border);
    return made;
}

heddle_texture make_descriptor(const device_objects& device, const cudaResourceDesc& resource,
                               const cudaTextureDesc& text) {
    heddle_texture made{};
    switch (resource.resType) {
        case cudaResourceTypeLinear: {
            const auto& linear = resource.res.linear;
            texture_settings settings = settings_of(text);
            settings.filter = cudaFilterModePoint;
            made = describe_texture(linear.desc, settings);
            over_linear(device, made, linear.devPtr, linear.sizeInBytes);
            return made;
        }
        case cudaResourceTypePitch2D: {
            const auto& rows = resource.res.pitch2D;
            made = describe_texture(rows.desc, settings_of(text));
            over_rows(device, made, rows.devPtr, rows.width, rows.height, rows.pitchInBytes);
            return made;
        }
        case cudaResourceTypeArray: {
            const cudaArray& array = device.array(resource.res.array.array);
            made = describe_texture(array.format, settings_of(text));
            over_array(made, array);
            return made;
        }
        case cudaResourceTypeMipmappedArray:
            throw error(cudaErrorNotSupported);
    }
    throw error(cudaErrorInvalidValue);
}

}  // namespace

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
    return {x, y, z, w, f};
}

cudaError_t cudaBindTexture(size_t* offset, const textureReference* texref, const void* devPtr,
                            const cudaChannelFormatDesc* desc, size_t size) {
    return code_of([&] {
        device_objects& device = the_device();
        require(texref != nullptr, cudaErrorInvalidTexture);
        require(desc != nullptr && devPtr != nullptr, cudaErrorInvalidValue);
        // Linear memory has no filter.
        heddle_texture made = described(*texref, *desc, cudaFilterModePoint);
        size_t rest = 0;
        const void* const begin =
            aligned(devPtr, offset == nullptr ? nullptr : &rest, bytes_of(*desc));
        std::uint64_t bytes = std::uint64_t{size} + rest;
        if (size == UINT_MAX) {
            const device_block* const block = device.memory.find(address_of(devPtr), 1);
            require(block != nullptr, cudaErrorInvalidValue);
            bytes = block->address + block->bytes - address_of(begin);
        }
        over_linear(device, made, begin, bytes);
        bind(device, *texref, made, rest);
        if (offset != nullptr) *offset = rest;
    });
}

cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* texref, const void* devPtr,
                              const cudaChannelFormatDesc* desc, size_t width, size_t height,
                              size_t pitch) {
    return code_of([&] {
        device_objects& device = the_device();
        require(texref != nullptr, cudaErrorInvalidTexture);
        require(desc != nullptr && devPtr != nullptr, cudaErrorInvalidValue);
        heddle_texture made = described(*texref, *desc, texref->filterMode);
        over_rows(device, made, devPtr, width, height, pitch);
        bind(device, *texref, made, 0);
        if (offset != nullptr) *offset = 0;
    });
}

cudaError_t cudaBindTextureToArray(const textureReference* texref, cudaArray_const_t array,
                                   const cudaChannelFormatDesc* desc) {
    return code_of([&] {
        device_objects& device = the_device();
        require(texref != nullptr, cudaErrorInvalidTexture);
        const cudaArray& found = device.array(array);
        require(desc == nullptr || std::memcmp(desc, &found.format, sizeof found.format) == 0,
                cudaErrorInvalidChannelDescriptor);
        heddle_texture made = described(*texref, found.format, texref->filterMode);
        over_array(made, found);
        bind(device, *texref, made, 0);
    });
}

cudaError_t cudaUnbindTexture(const textureReference* texref) {
    return code_of([&] {
        device_objects& device = the_device();
        require(texref != nullptr, cudaErrorInvalidTexture);
        const std::uint32_t address = device.programs.texture(texref).address;
        if (device.textures.bound.erase(texref) != 0) put_descriptor(device, address, {});
    });
}

cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* texref) {
    return code_of([&] {
        device_objects& device = the_device();
        require(texref != nullptr, cudaErrorInvalidTexture);
        const auto found = device.textures.bound.find(texref);
        require(found != device.textures.bound.end(), cudaErrorInvalidTextureBinding);
        put(offset, found->second);
    });
}

cudaError_t cudaGetTextureReference(const textureReference** texref, const void* symbol) {
    return code_of([&] {
        const registered* const found = the_library().programs.find_texture(symbol);
        require(found != nullptr, cudaErrorInvalidTexture);
        put(texref, static_cast<const textureReference*>(found->host));
    });
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* pTexObject,
                                    const cudaResourceDesc* pResDesc,
                                    const cudaTextureDesc* pTexDesc,
                                    const cudaResourceViewDesc* pResViewDesc) {
    return code_of([&] {
        device_objects& device = the_device();
        require(pTexObject != nullptr && pResDesc != nullptr && pTexDesc != nullptr,
                cudaErrorInvalidValue);
        require(pResViewDesc == nullptr, cudaErrorNotSupported);
        const heddle_texture made = make_descriptor(device, *pResDesc, *pTexDesc);
        *pTexObject = make_object(device, made);
        device.textures.objects[*pTexObject] = {*pResDesc, *pTexDesc};
    });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject) {
    return code_of([&] {
        if (texObject == 0) return;
        device_objects& device = the_begun_device(cudaErrorInvalidValue);
        require(device.textures.objects.erase(texObject) != 0, cudaErrorInvalidValue);
        device.memory.release(static_cast<std::uint32_t>(texObject), memory_kind::array);
    });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* pResDesc,
                                             cudaTextureObject_t texObject) {
    return code_of([&] {
        const auto& objects = the_device().textures.objects;
        const auto found = objects.find(texObject);
        require(found != objects.end(), cudaErrorInvalidValue);
        put(pResDesc, found->second.resource);
    });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* pTexDesc,
                                            cudaTextureObject_t texObject) {
    return code_of([&] {
        const auto& objects = the_device().textures.objects;
        const auto found = objects.find(texObject);
        require(found != objects.end(), cudaErrorInvalidValue);
        put(pTexDesc, found->second.settings);
    });
}

}  // extern "C"
