// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Arrays of three dimensions and of layers, textures over them, and surfaces.
#include "tests/runtime/cuda/kit.h"

static const cudaChannelFormatDesc real = cudaCreateChannelDesc<float>();
static const cudaChannelFormatDesc byte = cudaCreateChannelDesc<unsigned char>();

surface<void, 2> sheet;

__global__ void read_deep(cudaTextureObject_t t, float* out) {
    out[threadIdx.x] = tex3D<float>(t, threadIdx.x % 4 + 0.5f, threadIdx.x / 4 % 3 + 0.5f,
                                    threadIdx.x / 12 + 0.5f);
}
__global__ void read_layers(cudaTextureObject_t t, float* out) {
    out[threadIdx.x] =
        tex2DLayered<float>(t, threadIdx.x % 4 + 0.5f, threadIdx.x / 4 % 3 + 0.5f, threadIdx.x / 12);
}
__global__ void read_border(cudaTextureObject_t t, float* out) {
    out[0] = tex2D<float>(t, -1.5f, 0.5f);
    out[1] = tex2D<float>(t, 1.5f, 0.5f);
}
__global__ void double_in_place(cudaSurfaceObject_t s, int height) {
    for (int y = 0; y < height; ++y) {
        const float old = surf2Dread<float>(s, threadIdx.x * 4, y);
        surf2Dwrite(2 * old, s, threadIdx.x * 4, y);
    }
}
__global__ void write_sheet(int height) {
    for (int y = 0; y < height; ++y) surf2Dwrite((float)(y * 8 + threadIdx.x), sheet, threadIdx.x * 4, y);
}

static cudaArray_t filled(const cudaExtent& extent, unsigned flags, std::vector<float>& values) {
    cudaArray_t made = nullptr;
    GOOD(cudaMalloc3DArray(&made, &real, extent, flags));
    values.resize(extent.width * extent.height * extent.depth);
    for (size_t i = 0; i < values.size(); ++i) values[i] = (float)i;
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(values.data(), extent.width * 4, extent.width, extent.height);
    copy.dstArray = made;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    GOOD(cudaMemcpy3D(&copy));
    return made;
}

static cudaTextureObject_t texture_over(cudaArray_t array, const cudaTextureDesc& text) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureObject_t made = 0;
    GOOD(cudaCreateTextureObject(&made, &resource, &text, nullptr));
    return made;
}

CASE(textures_have_slices_and_layers) {
    float *d = nullptr, got[24];
    GOOD(cudaMalloc(&d, sizeof got));
    for (const unsigned flags : {0u, (unsigned)cudaArrayLayered}) {
        std::vector<float> values;
        const cudaArray_t array = filled(make_cudaExtent(4, 3, 2), flags, values);
        const cudaTextureObject_t t = texture_over(array, {});
        if (flags == 0) {
            read_deep<<<1, 24>>>(t, d);
        } else {
            read_layers<<<1, 24>>>(t, d);
        }
        GOOD(cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost));
        for (int i = 0; i < 24; ++i) THAT(got[i] == (float)i);
        GOOD(cudaDestroyTextureObject(t));
        GOOD(cudaFreeArray(array));
    }
    GOOD(cudaFree(d));
    cudaArray_t array = nullptr;
    FAILS(cudaErrorInvalidValue,
          cudaMalloc3DArray(&array, &real, make_cudaExtent(4, 4, 0), cudaArrayLayered));
    FAILS(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &real, make_cudaExtent(4, 4, 20000), 0));
    FAILS(cudaErrorInvalidValue, cudaMallocArray(&array, &real, 70000, 1));
    FAILS(cudaErrorNotSupported,
          cudaMalloc3DArray(&array, &real, make_cudaExtent(4, 4, 6), cudaArrayCubemap));
}

CASE(borders_have_a_color) {
    float *d = nullptr, got[2];
    GOOD(cudaMalloc(&d, sizeof got));
    std::vector<float> values;
    const cudaArray_t array = filled(make_cudaExtent(4, 3, 1), cudaArrayLayered, values);
    GOOD(cudaFreeArray(array));
    cudaArray_t flat = nullptr;
    GOOD(cudaMallocArray(&flat, &real, 4, 3));
    GOOD(cudaMemcpy2DToArray(flat, 0, 0, values.data(), 16, 16, 3, cudaMemcpyHostToDevice));
    cudaTextureDesc text = {};
    text.addressMode[0] = text.addressMode[1] = cudaAddressModeBorder;
    text.borderColor[0] = 7.5f;
    const cudaTextureObject_t t = texture_over(flat, text);
    read_border<<<1, 1>>>(t, d);
    GOOD(cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost));
    THAT(got[0] == 7.5f && got[1] == 1);
    GOOD(cudaDestroyTextureObject(t));
    GOOD(cudaFreeArray(flat));
    GOOD(cudaFree(d));
}

CASE(surfaces) {
    cudaArray_t array = nullptr, plain = nullptr;
    float values[8 * 5], got[8 * 5];
    for (int i = 0; i < 40; ++i) values[i] = (float)i;
    GOOD(cudaMallocArray(&array, &real, 8, 5, cudaArraySurfaceLoadStore));
    GOOD(cudaMallocArray(&plain, &real, 8, 5));
    GOOD(cudaMemcpy2DToArray(array, 0, 0, values, 32, 32, 5, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {}, found = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t s = 0, none = 0;
    GOOD(cudaCreateSurfaceObject(&s, &resource));
    double_in_place<<<1, 8>>>(s, 5);
    GOOD(cudaMemcpy2DFromArray(got, 32, array, 0, 0, 32, 5, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 40; ++i) THAT(got[i] == 2 * values[i]);
    GOOD(cudaGetSurfaceObjectResourceDesc(&found, s));
    THAT(found.res.array.array == array);
    FAILS(cudaErrorInvalidValue, cudaGetSurfaceObjectResourceDesc(null<cudaResourceDesc>(), s));
    FAILS(cudaErrorInvalidValue, cudaGetSurfaceObjectResourceDesc(&found, s + 8));
    GOOD(cudaDestroySurfaceObject(s));
    GOOD(cudaDestroySurfaceObject(0));
    FAILS(cudaErrorInvalidValue, cudaDestroySurfaceObject(s));
    FAILS(cudaErrorInvalidValue, cudaCreateSurfaceObject(null<cudaSurfaceObject_t>(), &resource));
    FAILS(cudaErrorInvalidValue, cudaCreateSurfaceObject(&none, null<cudaResourceDesc>()));
    resource.res.array.array = plain;
    FAILS(cudaErrorInvalidValue, cudaCreateSurfaceObject(&none, &resource));
    resource.res.array.array = (cudaArray_t)0x40;
    FAILS(cudaErrorInvalidResourceHandle, cudaCreateSurfaceObject(&none, &resource));
    resource.resType = cudaResourceTypeLinear;
    FAILS(cudaErrorInvalidChannelDescriptor, cudaCreateSurfaceObject(&none, &resource));

    GOOD(cudaBindSurfaceToArray(sheet, array));
    write_sheet<<<1, 8>>>(5);
    GOOD(cudaMemcpy2DFromArray(got, 32, array, 0, 0, 32, 5, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 40; ++i) THAT(got[i] == values[i]);
    const surfaceReference *reference = nullptr, stranger = {};
    GOOD(cudaGetSurfaceReference(&reference, &sheet));
    THAT(reference == &sheet);
    GOOD(cudaBindSurfaceToArray(reference, array, &real));
    FAILS(cudaErrorInvalidSurface, cudaGetSurfaceReference(&reference, &stranger));
    FAILS(cudaErrorInvalidValue, cudaGetSurfaceReference(null<const surfaceReference*>(), &sheet));
    FAILS(cudaErrorInvalidSurface, cudaBindSurfaceToArray(&stranger, array, &real));
    FAILS(cudaErrorInvalidSurface, cudaBindSurfaceToArray(null<surfaceReference>(), array, &real));
    FAILS(cudaErrorInvalidValue, cudaBindSurfaceToArray(sheet, plain));
    FAILS(cudaErrorInvalidChannelDescriptor, cudaBindSurfaceToArray(reference, array, &byte));
    GOOD(cudaFreeArray(array));
    GOOD(cudaFreeArray(plain));
}

int main(int argc, char** argv) {
    return run_cases(argc > 1 ? argv[1] : "");
}
