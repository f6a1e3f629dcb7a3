// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Texture references and objects.
#include "tests/runtime/cuda/kit.h"

texture<float, 1, cudaReadModeElementType> line;
texture<float, 2, cudaReadModeElementType> rows;

__global__ void fetch(float* out) { out[0] = tex1Dfetch(line, 1) + tex2D(rows, 1.5f, 1.5f); }
__global__ void fetch_object(cudaTextureObject_t t, float* out) { out[0] = tex1Dfetch<float>(t, 2); }

static const cudaArray_t no_array = (cudaArray_t)0x40;
static const cudaChannelFormatDesc real = cudaCreateChannelDesc<float>();

struct memory_of_textures {
    float *d = nullptr, h[64];
    cudaArray_t array = nullptr;
    memory_of_textures() {
        for (int i = 0; i < 64; ++i) h[i] = (float)i;
        GOOD(cudaMalloc(&d, sizeof h));
        GOOD(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
        GOOD(cudaMallocArray(&array, &real, 8, 8));
        GOOD(cudaMemcpyToArray(array, 0, 0, h, sizeof h, cudaMemcpyHostToDevice));
    }
    ~memory_of_textures() {
        GOOD(cudaFreeArray(array));
        GOOD(cudaFree(d));
    }
};

CASE(references) {
    memory_of_textures x;
    const textureReference *of_line = nullptr, *of_rows = nullptr;
    size_t offset = 9;
    float got = 0;
    GOOD(cudaGetTextureReference(&of_line, &line));
    GOOD(cudaGetTextureReference(&of_rows, &rows));
    GOOD(cudaBindTexture(&offset, of_line, x.d, &real, sizeof x.h));
    GOOD(cudaBindTextureToArray(of_rows, x.array, &real));
    fetch<<<1, 1>>>(x.d);
    GOOD(cudaMemcpy(&got, x.d, 4, cudaMemcpyDeviceToHost));
    THAT(got == 1 + 9);
    GOOD(cudaBindTexture2D(&offset, of_rows, x.d, &real, 8, 4, 64));
    THAT(offset == 0);
    fetch<<<1, 1>>>(x.d);
    GOOD(cudaMemcpy(&got, x.d, 4, cudaMemcpyDeviceToHost));
    THAT(got == 1 + 17);
    textureReference stranger = {};
    const cudaChannelFormatDesc odd = cudaCreateChannelDesc(24, 0, 0, 0, cudaChannelFormatKindSigned);
    FAILS(cudaErrorInvalidTexture, cudaGetTextureReference(&of_line, &stranger));
    FAILS(cudaErrorInvalidValue, cudaGetTextureReference(null<const textureReference*>(), &line));
    FAILS(cudaErrorInvalidTexture,
          cudaBindTexture(&offset, null<textureReference>(), x.d, &real, 64));
    FAILS(cudaErrorInvalidValue, cudaBindTexture(&offset, of_line, null<void>(), &real, 64));
    FAILS(cudaErrorInvalidValue,
          cudaBindTexture(&offset, of_line, x.d, null<cudaChannelFormatDesc>(), 64));
    FAILS(cudaErrorInvalidChannelDescriptor, cudaBindTexture(&offset, of_line, x.d, &odd, 64));
    FAILS(cudaErrorInvalidValue, cudaBindTexture(&offset, of_line, x.d, &real, sizeof x.h + 4));
    FAILS(cudaErrorInvalidValue, cudaBindTexture(&offset, of_line, x.h, &real, 64));
    FAILS(cudaErrorInvalidTexture,
          cudaBindTexture2D(&offset, &stranger, x.d, &real, 8, 4, 64));
    FAILS(cudaErrorInvalidTexture,
          cudaBindTexture2D(&offset, null<textureReference>(), x.d, &real, 8, 4, 64));
    FAILS(cudaErrorInvalidValue, cudaBindTexture2D(&offset, of_rows, x.d, &real, 8, 9, 32));
    FAILS(cudaErrorInvalidValue, cudaBindTexture2D(&offset, of_rows, x.d, &real, 0, 4, 64));
    FAILS(cudaErrorInvalidValue, cudaBindTexture2D(&offset, of_rows, x.d, &real, 17, 2, 64));
    FAILS(cudaErrorInvalidValue, cudaBindTexture2D(&offset, of_rows, x.d, &real, 4, 2, 20));
    FAILS(cudaErrorInvalidTexture, cudaBindTextureToArray(&stranger, x.array, &real));
    FAILS(cudaErrorInvalidTexture, cudaBindTextureToArray(null<textureReference>(), x.array, &real));
    FAILS(cudaErrorInvalidResourceHandle, cudaBindTextureToArray(of_rows, no_array, &real));
    FAILS(cudaErrorInvalidChannelDescriptor, cudaBindTextureToArray(of_rows, x.array, &odd));
    // What fails leaves the binding.
    fetch<<<1, 1>>>(x.d);
    GOOD(cudaMemcpy(&got, x.d, 4, cudaMemcpyDeviceToHost));
    THAT(got == 1 + 17);
    FAILS(cudaErrorInvalidValue, cudaGetTextureAlignmentOffset(null<size_t>(), of_line));
    FAILS(cudaErrorInvalidTexture,
          cudaGetTextureAlignmentOffset(&offset, null<textureReference>()));
    FAILS(cudaErrorInvalidTexture, cudaUnbindTexture(&stranger));
    GOOD(cudaUnbindTexture(of_line));
    GOOD(cudaUnbindTexture(of_line));
    FAILS(cudaErrorInvalidTextureBinding, cudaGetTextureAlignmentOffset(&offset, of_line));
}

static cudaResourceDesc line_of(const memory_of_textures& x) {
    cudaResourceDesc made = {};
    made.resType = cudaResourceTypeLinear;
    made.res.linear.devPtr = x.d;
    made.res.linear.desc = real;
    made.res.linear.sizeInBytes = sizeof x.h;
    return made;
}

CASE(objects) {
    memory_of_textures x;
    cudaTextureObject_t t = 0;
    cudaTextureDesc text = {}, found_text = {};
    cudaResourceDesc resource = line_of(x), found = {};
    float got = 0;
    text.addressMode[0] = cudaAddressModeClamp;
    text.addressMode[1] = cudaAddressModeMirror;
    GOOD(cudaCreateTextureObject(&t, &resource, &text, nullptr));
    THAT(t != 0);
    fetch_object<<<1, 1>>>(t, x.d);
    GOOD(cudaMemcpy(&got, x.d, 4, cudaMemcpyDeviceToHost));
    THAT(got == 2);
    GOOD(cudaGetTextureObjectResourceDesc(&found, t));
    THAT(found.resType == cudaResourceTypeLinear && found.res.linear.devPtr == x.d);
    GOOD(cudaGetTextureObjectTextureDesc(&found_text, t));
    THAT(found_text.addressMode[0] == cudaAddressModeClamp);
    THAT(found_text.addressMode[1] == cudaAddressModeMirror);
    cudaTextureObject_t none = 0;
    FAILS(cudaErrorInvalidValue,
          cudaCreateTextureObject(null<cudaTextureObject_t>(), &resource, &text, nullptr));
    FAILS(cudaErrorInvalidValue,
          cudaCreateTextureObject(&none, null<cudaResourceDesc>(), &text, nullptr));
    FAILS(cudaErrorInvalidValue,
          cudaCreateTextureObject(&none, &resource, null<cudaTextureDesc>(), nullptr));
    resource.res.linear.sizeInBytes += 4;
    FAILS(cudaErrorInvalidValue, cudaCreateTextureObject(&none, &resource, &text, nullptr));
    resource = line_of(x);
    resource.res.linear.devPtr = x.h;
    FAILS(cudaErrorInvalidValue, cudaCreateTextureObject(&none, &resource, &text, nullptr));
    resource = line_of(x);
    resource.resType = (cudaResourceType)9;
    FAILS(cudaErrorInvalidValue, cudaCreateTextureObject(&none, &resource, &text, nullptr));
    resource.resType = cudaResourceTypeMipmappedArray;
    FAILS(cudaErrorNotSupported, cudaCreateTextureObject(&none, &resource, &text, nullptr));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = no_array;
    FAILS(cudaErrorInvalidResourceHandle, cudaCreateTextureObject(&none, &resource, &text, nullptr));
    resource.res.array.array = x.array;
    text.filterMode = (cudaTextureFilterMode)5;
    FAILS(cudaErrorInvalidValue, cudaCreateTextureObject(&none, &resource, &text, nullptr));
    text.filterMode = cudaFilterModePoint;
    text.addressMode[1] = (cudaTextureAddressMode)9;
    FAILS(cudaErrorInvalidValue, cudaCreateTextureObject(&none, &resource, &text, nullptr));
    THAT(none == 0);
    FAILS(cudaErrorInvalidValue, cudaGetTextureObjectResourceDesc(null<cudaResourceDesc>(), t));
    FAILS(cudaErrorInvalidValue, cudaGetTextureObjectTextureDesc(null<cudaTextureDesc>(), t));
    GOOD(cudaDestroyTextureObject(0));
    GOOD(cudaDestroyTextureObject(t));
    FAILS(cudaErrorInvalidValue, cudaDestroyTextureObject(t));
    FAILS(cudaErrorInvalidValue, cudaGetTextureObjectResourceDesc(&found, t));
    FAILS(cudaErrorInvalidValue, cudaGetTextureObjectTextureDesc(&found_text, t));
}

int main(int argc, char** argv) {
    return run_cases(argc > 1 ? argv[1] : "");
}
