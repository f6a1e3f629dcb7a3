// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The driver API's arrays, and textures and surfaces over them. The argument names a file with
// driver_module.cu's.
#include <cuda.h>

#include "tests/runtime/cuda/kit.h"

static const char* file;
static const CUarray no_array = (CUarray)0x40;
static const CUtexref no_reference = (CUtexref)0x40;

struct context_for_case {
    CUcontext context = nullptr;
    context_for_case() {
        GOOD(cuInit(0));
        GOOD(cuCtxCreate(&context, 0, 0));
    }
    ~context_for_case() { GOOD(cuCtxDestroy(context)); }
};

CASE(arrays) {
    context_for_case x;
    CUarray rows = nullptr, deep = nullptr;
    CUdeviceptr d = 0;
    float h[64], got[64] = {};
    for (int i = 0; i < 64; ++i) h[i] = (float)i;
    CUDA_ARRAY_DESCRIPTOR flat = {8, 4, CU_AD_FORMAT_FLOAT, 1}, said = {};
    CUDA_ARRAY3D_DESCRIPTOR solid = {4, 4, 4, CU_AD_FORMAT_SIGNED_INT16, 2, CUDA_ARRAY3D_SURFACE_LDST};
    CUDA_ARRAY3D_DESCRIPTOR told = {};
    GOOD(cuArrayCreate(&rows, &flat));
    GOOD(cuArray3DCreate(&deep, &solid));
    GOOD(cuArrayGetDescriptor(&said, rows));
    THAT(said.Width == 8 && said.Height == 4 && said.Format == CU_AD_FORMAT_FLOAT &&
         said.NumChannels == 1);
    GOOD(cuArray3DGetDescriptor(&told, deep));
    THAT(told.Width == 4 && told.Height == 4 && told.Depth == 4 && told.NumChannels == 2 &&
         told.Format == CU_AD_FORMAT_SIGNED_INT16 && told.Flags == CUDA_ARRAY3D_SURFACE_LDST);
    GOOD(cuMemAlloc(&d, sizeof h));
    GOOD(cuMemcpyHtoD(d, h, sizeof h));

    // From the program, by way of the device, and back.
    GOOD(cuMemcpyHtoA(rows, 0, h + 32, 128));
    GOOD(cuMemcpyDtoA(rows, 8, d, 16));
    GOOD(cuMemcpyAtoA(rows, 16, rows, 8, 16));
    GOOD(cuMemcpyAtoH(got, rows, 0, 128));
    THAT(got[0] == 32 && got[2] == 0 && got[4] == 0 && got[7] == 3 && got[8] == 40 && got[31] == 63);
    GOOD(cuMemcpyAtoD(d, rows, 0, 32));
    GOOD(cuMemcpyDtoH(got + 32, d, 64));
    THAT(got[32] == 32 && got[34] == 0 && got[40] == 8);
    GOOD(cuMemcpyHtoAAsync(rows, 0, h, 128, nullptr));
    GOOD(cuMemcpyAtoHAsync(got, rows, 4, 124, nullptr));
    GOOD(cuCtxSynchronize());
    THAT(got[0] == 1 && got[30] == 31);

    CUDA_MEMCPY3D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = h;
    copy.srcPitch = 16;
    copy.srcHeight = 4;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = deep;
    copy.WidthInBytes = 16;
    copy.Height = copy.Depth = 4;
    GOOD(cuMemcpy3D(&copy));
    CUDA_MEMCPY3D back = {};
    back.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    back.srcArray = deep;
    back.srcXInBytes = 4;
    back.srcY = 1;
    back.srcZ = 2;
    back.dstMemoryType = CU_MEMORYTYPE_HOST;
    back.dstHost = got;
    back.WidthInBytes = 8;
    back.Height = back.Depth = 2;
    GOOD(cuMemcpy3DAsync(&back, nullptr));
    GOOD(cuCtxSynchronize());
    const int first = 2 * 16 + 4 + 1;
    THAT(got[0] == first && got[1] == first + 1 && got[2] == first + 4 && got[4] == first + 16);

    GIVES(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(nullptr, &flat));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&rows, nullptr));
    flat.NumChannels = 3;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&rows, &flat));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate(&deep, nullptr));
    solid.Format = (CUarray_format)7;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate(&deep, &solid));
    solid.Format = CU_AD_FORMAT_FLOAT;
    solid.Flags = CUDA_ARRAY3D_CUBEMAP;
    GIVES(CUDA_ERROR_NOT_SUPPORTED, cuArray3DCreate(&deep, &solid));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuArrayGetDescriptor(nullptr, rows));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuArrayGetDescriptor(&said, no_array));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuArray3DGetDescriptor(&told, no_array));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoA(rows, 0, h, 132));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoA(rows, 0, d, 132));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyAtoH(got, rows, 4, 128));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyAtoD(d, rows, 4, 128));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyAtoA(rows, 0, rows, 0, 64));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoAAsync(rows, 0, nullptr, 16, nullptr));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemcpyAtoHAsync(got, no_array, 0, 16, nullptr));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(nullptr));
    back.srcZ = 3;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&back));
    copy.srcHeight = 3;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy3DAsync(&copy, nullptr));
    GOOD(cuMemFree(d));
    GOOD(cuArrayDestroy(rows));
    GOOD(cuArrayDestroy(deep));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(rows));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(nullptr));
}

CASE(references) {
    context_for_case x;
    CUmodule module = nullptr;
    CUfunction fetch = nullptr;
    CUtexref t = nullptr, none = nullptr;
    CUdeviceptr d = 0, out = 0;
    CUarray array = nullptr;
    float h[32], got = 0;
    for (int i = 0; i < 32; ++i) h[i] = (float)i;
    const CUDA_ARRAY_DESCRIPTOR flat = {8, 4, CU_AD_FORMAT_FLOAT, 1};
    GOOD(cuModuleLoad(&module, file));
    GOOD(cuModuleGetFunction(&fetch, module, "fetch"));
    GOOD(cuModuleGetTexRef(&t, module, "rows"));
    GOOD(cuMemAlloc(&d, sizeof h));
    GOOD(cuMemAlloc(&out, 4));
    GOOD(cuMemcpyHtoD(d, h, sizeof h));
    GOOD(cuArrayCreate(&array, &flat));
    GOOD(cuMemcpyHtoA(array, 0, h, sizeof h));
    const auto fetched = [&](float column, float row) {
        void* arguments[] = {&out, &column, &row};
        GOOD(cuLaunchKernel(fetch, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
        GOOD(cuMemcpyDtoH(&got, out, 4));
        return got;
    };
    GOOD(cuTexRefSetArray(t, array, CU_TRSA_OVERRIDE_FORMAT));
    THAT(fetched(2.5f, 1.5f) == 10);
    GOOD(cuTexRefSetFilterMode(t, CU_TR_FILTER_MODE_LINEAR));
    THAT(fetched(3, 1.5f) == 10.5f);
    GOOD(cuTexRefSetFlags(t, CU_TRSF_NORMALIZED_COORDINATES));
    GOOD(cuTexRefSetAddressMode(t, 0, CU_TR_ADDRESS_MODE_WRAP));
    GOOD(cuTexRefSetFilterMode(t, CU_TR_FILTER_MODE_POINT));
    THAT(fetched(1.3125f, 0.375f) == 10);
    GOOD(cuTexRefSetFlags(t, CU_TRSF_READ_AS_INTEGER));
    GOOD(cuTexRefSetAddress2D(t, &flat, d, 32));
    THAT(fetched(7.5f, 3.5f) == 31);
    size_t offset = 9;
    GOOD(cuTexRefSetFormat(t, CU_AD_FORMAT_FLOAT, 1));
    GOOD(cuTexRefSetAddress(&offset, t, d, sizeof h));
    THAT(offset == 0);
    GOOD(cuParamSetTexRef(fetch, CU_PARAM_TR_DEFAULT, t));

    GIVES(CUDA_ERROR_INVALID_VALUE, cuModuleGetTexRef(nullptr, module, "rows"));
    GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetTexRef(&none, module, "columns"));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuModuleGetTexRef(&none, (CUmodule)0x40, "rows"));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuTexRefSetArray(t, no_array, CU_TRSA_OVERRIDE_FORMAT));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuTexRefSetArray(t, array, 0));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuTexRefSetAddress(&offset, no_reference, d, 4));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddress(&offset, t, d, sizeof h + 4096));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddress2D(t, nullptr, d, 32));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddress2D(t, &flat, d, 20));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuTexRefSetFormat(t, CU_AD_FORMAT_FLOAT, 3));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddressMode(t, 3, CU_TR_ADDRESS_MODE_CLAMP));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuTexRefSetFilterMode(t, (CUfilter_mode)2));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuTexRefSetFlags(t, 0x100));
    GIVES(CUDA_ERROR_NOT_SUPPORTED, cuTexRefSetFlags(t, CU_TRSF_SRGB));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuParamSetTexRef(fetch, 0, t));
    GOOD(cuArrayDestroy(array));
    GOOD(cuMemFree(d));
    GOOD(cuMemFree(out));
    GOOD(cuModuleUnload(module));
}

CASE(objects) {
    context_for_case x;
    CUarray array = nullptr;
    const CUDA_ARRAY3D_DESCRIPTOR wanted = {8, 4, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1,
                                            CUDA_ARRAY3D_SURFACE_LDST};
    GOOD(cuArray3DCreate(&array, &wanted));
    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    CUDA_TEXTURE_DESC text = {};
    CUtexObject t = 0;
    CUsurfObject s = 0;
    GOOD(cuTexObjectCreate(&t, &resource, &text, nullptr));
    GOOD(cuSurfObjectCreate(&s, &resource));
    // A byte is read as a float, unless it says otherwise.
    cudaTextureDesc said = {};
    GOOD(cudaGetTextureObjectTextureDesc(&said, t));
    THAT(said.readMode == cudaReadModeNormalizedFloat);
    GOOD(cuTexObjectDestroy(t));
    GOOD(cuSurfObjectDestroy(s));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuTexObjectDestroy(t));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuSurfObjectDestroy(s));
    const CUDA_RESOURCE_VIEW_DESC view = {};
    GIVES(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(nullptr, &resource, &text, nullptr));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&t, nullptr, &text, nullptr));
    GIVES(CUDA_ERROR_NOT_SUPPORTED, cuTexObjectCreate(&t, &resource, &text, &view));
    text.flags = CU_TRSF_SRGB;
    GIVES(CUDA_ERROR_NOT_SUPPORTED, cuTexObjectCreate(&t, &resource, &text, nullptr));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuSurfObjectCreate(nullptr, &resource));
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.format = CU_AD_FORMAT_FLOAT;
    resource.res.linear.numChannels = 1;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuSurfObjectCreate(&s, &resource));
    GOOD(cuArrayDestroy(array));
}

CASE(objects_of_rows) {
    context_for_case x;
    CUdeviceptr rows = 0;
    size_t pitch = 0;
    GOOD(cuMemAllocPitch(&rows, &pitch, 5 * sizeof(short2), 3, 4));
    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_PITCH2D;
    resource.res.pitch2D.devPtr = rows;
    resource.res.pitch2D.format = CU_AD_FORMAT_SIGNED_INT16;
    resource.res.pitch2D.numChannels = 2;
    resource.res.pitch2D.width = 5;
    resource.res.pitch2D.height = 3;
    resource.res.pitch2D.pitchInBytes = pitch;
    CUDA_TEXTURE_DESC text = {};
    text.flags = CU_TRSF_READ_AS_INTEGER;
    CUtexObject t = 0;
    GOOD(cuTexObjectCreate(&t, &resource, &text, nullptr));
    cudaResourceDesc said = {};
    GOOD(cudaGetTextureObjectResourceDesc(&said, t));
    THAT(said.resType == cudaResourceTypePitch2D);
    THAT((CUdeviceptr)(size_t)said.res.pitch2D.devPtr == rows);
    THAT(said.res.pitch2D.width == 5 && said.res.pitch2D.height == 3);
    THAT(said.res.pitch2D.pitchInBytes == pitch);
    const cudaChannelFormatDesc& format = said.res.pitch2D.desc;
    THAT(format.x == 16 && format.y == 16 && format.z == 0 && format.w == 0);
    THAT(format.f == cudaChannelFormatKindSigned);
    GOOD(cuTexObjectDestroy(t));
    GOOD(cuMemFree(rows));
}

int main(int, char** argv) {
    file = argv[1];
    return run_cases("");
}
