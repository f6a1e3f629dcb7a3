// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/descriptors.h"
#include "runtime/cuda/library/driver_format.h"

namespace {

using namespace heddle::cuda;

/// Runs `call(device, reference)`, and gives the device what the reference says then.
template <class Call>
CUresult with_reference(CUtexref reference, const Call& call) {
    return in_context([&] {
        return code_of([&] {
            device_objects& device = the_device();
            auto& all = device.textures.references;
            const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) {
                return each.second.get() == reference;
            });
            require(found != all.end(), cudaErrorInvalidResourceHandle);
            CUtexref_st next = *reference;
            call(device, next);
            if (next.place.address != 0) {
                texture_settings settings = next.settings;
                if (next.bytes != 0) settings.filter = cudaFilterModePoint;
                if (next.format.f == cudaChannelFormatKindFloat || next.format.x == 32) {
                    settings.read = cudaReadModeElementType;
                }
                heddle_texture made = describe_texture(next.format, settings);
                const std::uint32_t texel = made.channels * made.bits / 8;
                made.address = next.place.address;
                made.width =
                    next.bytes != 0 ? static_cast<unsigned>(next.bytes / texel) : next.place.width;
                made.height = next.place.height;
                made.depth = next.place.depth;
                made.pitch = next.place.pitch;
                made.slice = next.place.slice;
                put_descriptor(device, next.variable, made);
            }
            *reference = next;
        });
    });
}

cudaTextureDesc runtime_form(const CUDA_TEXTURE_DESC& text, const cudaChannelFormatDesc& format) {
    require((text.flags & ~unsigned{CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES}) == 0,
            (text.flags & CU_TRSF_SRGB) != 0 ? cudaErrorNotSupported : cudaErrorInvalidValue);
    cudaTextureDesc made{};
    for (int i = 0; i < 3; ++i) {
        made.addressMode[i] = static_cast<cudaTextureAddressMode>(text.addressMode[i]);
    }
    for (int i = 0; i < 4; ++i) made.borderColor[i] = text.borderColor[i];
    made.filterMode = static_cast<cudaTextureFilterMode>(text.filterMode);
    const bool as_it_is = format.f == cudaChannelFormatKindFloat || format.x == 32 ||
                          (text.flags & CU_TRSF_READ_AS_INTEGER) != 0;
    made.readMode = as_it_is ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
    made.normalizedCoords = (text.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0 ? 1 : 0;
    return made;
}

cudaResourceDesc runtime_form(const CUDA_RESOURCE_DESC& resource) {
    require(resource.flags == 0, cudaErrorInvalidValue);
    cudaResourceDesc made{};
    made.resType = static_cast<cudaResourceType>(resource.resType);
    switch (resource.resType) {
        case CU_RESOURCE_TYPE_ARRAY:
            made.res.array.array = resource.res.array.hArray;
            break;
        case CU_RESOURCE_TYPE_LINEAR:
            made.res.linear.devPtr = pointer_of(resource.res.linear.devPtr);
            made.res.linear.desc =
                format_of(resource.res.linear.format, resource.res.linear.numChannels);
            made.res.linear.sizeInBytes = resource.res.linear.sizeInBytes;
            break;
        case CU_RESOURCE_TYPE_PITCH2D:
            made.res.pitch2D.devPtr = pointer_of(resource.res.pitch2D.devPtr);
            made.res.pitch2D.desc =
                format_of(resource.res.pitch2D.format, resource.res.pitch2D.numChannels);
            made.res.pitch2D.width = resource.res.pitch2D.width;
            made.res.pitch2D.height = resource.res.pitch2D.height;
            made.res.pitch2D.pitchInBytes = resource.res.pitch2D.pitchInBytes;
            break;
        case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
            break;
    }
    return made;
}

cudaChannelFormatDesc format_of_resource(const cudaResourceDesc& resource) {
    switch (resource.resType) {
        case cudaResourceTypeArray:
            return the_device().array(resource.res.array.array).format;
        case cudaResourceTypeLinear:
            return resource.res.linear.desc;
        case cudaResourceTypePitch2D:
            return resource.res.pitch2D.desc;
        default:
            throw error(resource.resType == cudaResourceTypeMipmappedArray ? cudaErrorNotSupported
                                                                           : cudaErrorInvalidValue);
    }
}

}  // namespace

extern "C" {

CUresult cuModuleGetTexRef(CUtexref* pTexRef, CUmodule hmod, const char* name) {
    return in_context([&] {
        return code_of([&] {
            device_objects& device = the_device();
            require(pTexRef != nullptr && name != nullptr, cudaErrorInvalidValue);
            require(device.programs.has(hmod), cudaErrorInvalidResourceHandle);
            const auto found = hmod->variables.find(name);
            require(found != hmod->variables.end(), cudaErrorSymbolNotFound);
            auto& reference = device.textures.references[found->second.address];
            if (reference == nullptr) reference = std::make_unique<CUtexref_st>();
            reference->variable = found->second.address;
            *pTexRef = reference.get();
        });
    });
}

CUresult cuTexRefSetArray(CUtexref hTexRef, CUarray hArray, unsigned int Flags) {
    return with_reference(hTexRef, [&](device_objects& device, CUtexref_st& reference) {
        require(Flags == CU_TRSA_OVERRIDE_FORMAT, cudaErrorInvalidValue);
        const cudaArray& array = device.array(hArray);
        reference.format = array.format;
        reference.bytes = 0;
        reference.place = {};
        over_array(reference.place, array);
    });
}

CUresult cuTexRefSetAddress(size_t* ByteOffset, CUtexref hTexRef, CUdeviceptr dptr, size_t bytes) {
    return with_reference(hTexRef, [&](device_objects& device, CUtexref_st& reference) {
        require(bytes != 0 && device.owns(dptr, bytes), cudaErrorInvalidValue);
        reference.place = {};
        reference.place.address = dptr;
        reference.bytes = bytes;
        // Linear memory may begin at any texel.
        if (ByteOffset != nullptr) *ByteOffset = 0;
    });
}

CUresult cuTexRefSetAddress2D(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR* desc, CUdeviceptr dptr,
                              size_t Pitch) {
    return with_reference(hTexRef, [&](device_objects& device, CUtexref_st& reference) {
        require(desc != nullptr && desc->Width != 0 && desc->Height != 0, cudaErrorInvalidValue);
        reference.format = format_of(desc->Format, desc->NumChannels);
        const std::uint64_t texel =
            static_cast<unsigned>(reference.format.x) / 8 * desc->NumChannels;
        const std::uint64_t row = desc->Width * texel;
        require(Pitch % 32 == 0 && row <= Pitch && dptr % 32 == 0 &&
                    device.owns(dptr, std::uint64_t{Pitch} * (desc->Height - 1) + row),
                cudaErrorInvalidValue);
        reference.bytes = 0;
        reference.place = {};
        reference.place.address = dptr;
        reference.place.width = static_cast<unsigned>(desc->Width);
        reference.place.height = static_cast<unsigned>(desc->Height);
        reference.place.pitch = static_cast<unsigned>(Pitch);
    });
}

CUresult cuTexRefSetFormat(CUtexref hTexRef, CUarray_format fmt, int NumPackedComponents) {
    return with_reference(hTexRef, [&](device_objects&, CUtexref_st& reference) {
        reference.format = format_of(fmt, static_cast<unsigned>(NumPackedComponents));
    });
}

CUresult cuTexRefSetAddressMode(CUtexref hTexRef, int dim, CUaddress_mode am) {
    return with_reference(hTexRef, [&](device_objects&, CUtexref_st& reference) {
        require(
            dim >= 0 && dim < 3 && am >= CU_TR_ADDRESS_MODE_WRAP && am <= CU_TR_ADDRESS_MODE_BORDER,
            cudaErrorInvalidValue);
        reference.settings.address[dim] = static_cast<cudaTextureAddressMode>(am);
    });
}

CUresult cuTexRefSetFilterMode(CUtexref hTexRef, CUfilter_mode fm) {
    return with_reference(hTexRef, [&](device_objects&, CUtexref_st& reference) {
        require(fm == CU_TR_FILTER_MODE_POINT || fm == CU_TR_FILTER_MODE_LINEAR,
                cudaErrorInvalidValue);
        reference.settings.filter = static_cast<cudaTextureFilterMode>(fm);
    });
}

CUresult cuTexRefSetFlags(CUtexref hTexRef, unsigned int Flags) {
    return with_reference(hTexRef, [&](device_objects&, CUtexref_st& reference) {
        require((Flags & CU_TRSF_SRGB) == 0, cudaErrorNotSupported);
        require((Flags & ~unsigned{CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES}) == 0,
                cudaErrorInvalidValue);
        reference.settings.normalized = (Flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
        reference.settings.read = (Flags & CU_TRSF_READ_AS_INTEGER) != 0
                                      ? cudaReadModeElementType
                                      : cudaReadModeNormalizedFloat;
    });
}

CUresult cuParamSetTexRef(CUfunction hfunc, int texunit, CUtexref hTexRef) {
    return with_reference(hTexRef, [&](device_objects& device, CUtexref_st&) {
        require(device.programs.has(hfunc), cudaErrorInvalidResourceHandle);
        require(texunit == CU_PARAM_TR_DEFAULT, cudaErrorInvalidValue);
    });
}

CUresult cuTexObjectCreate(CUtexObject* pTexObject, const CUDA_RESOURCE_DESC* pResDesc,
                           const CUDA_TEXTURE_DESC* pTexDesc,
                           const CUDA_RESOURCE_VIEW_DESC* pResViewDesc) {
    return in_context([&] {
        cudaResourceDesc resource{};
        cudaTextureDesc text{};
        const cudaError_t code = code_of([&] {
            require(pTexObject != nullptr && pResDesc != nullptr && pTexDesc != nullptr,
                    cudaErrorInvalidValue);
            require(pResViewDesc == nullptr, cudaErrorNotSupported);
            resource = runtime_form(*pResDesc);
            text = runtime_form(*pTexDesc, format_of_resource(resource));
        });
        if (code != cudaSuccess) return code;
        return cudaCreateTextureObject(pTexObject, &resource, &text, nullptr);
    });
}

CUresult cuTexObjectDestroy(CUtexObject texObject) {
    return in_context([&] { return cudaDestroyTextureObject(texObject); });
}

CUresult cuSurfObjectCreate(CUsurfObject* pSurfObject, const CUDA_RESOURCE_DESC* pResDesc) {
    return in_context([&] {
        cudaResourceDesc resource{};
        const cudaError_t code = code_of([&] {
            require(pSurfObject != nullptr && pResDesc != nullptr, cudaErrorInvalidValue);
            resource = runtime_form(*pResDesc);
            require(resource.resType == cudaResourceTypeArray, cudaErrorInvalidValue);
        });
        return code == cudaSuccess ? cudaCreateSurfaceObject(pSurfObject, &resource) : code;
    });
}

CUresult cuSurfObjectDestroy(CUsurfObject surfObject) {
    return in_context([&] { return cudaDestroySurfaceObject(surfObject); });
}

}  // extern "C"
