// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the host says of textures, as kernels see it.
#include "kit.h"

texture<float, 1, cudaReadModeElementType> line;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> picture;

__global__ void fetch_line(float* out, int offset) { out[threadIdx.x] = tex1Dfetch(line, threadIdx.x + offset); }
__global__ void fetch_picture(float* out, float dx) { out[threadIdx.x] = tex2D(picture, threadIdx.x + dx, 1.5f); }
__global__ void fetch_object(cudaTextureObject_t t, float* out) {
    out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}

CASE(linear_references) {
    float h[128], *d = nullptr, *out = nullptr, got[32];
    for (int i = 0; i < 128; ++i) h[i] = (float)i;
    GOOD(cudaMalloc(&d, sizeof h));
    GOOD(cudaMalloc(&out, sizeof got));
    GOOD(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    size_t offset = 9;
    GOOD(cudaBindTexture(&offset, line, d, sizeof h));
    THAT(offset == 0);
    fetch_line<<<1, 32>>>(out, 5);
    GOOD(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    THAT(got[0] == 5 && got[31] == 36);
    // Not aligned: the program adds the offset itself.
    GOOD(cudaBindTexture(&offset, line, d + 3, 64));
    THAT(offset == 12);
    size_t again = 0;
    GOOD(cudaGetTextureAlignmentOffset(&again, line));
    THAT(again == 12);
    fetch_line<<<1, 16>>>(out, (int)offset / 4);
    GOOD(cudaMemcpy(got, out, 64, cudaMemcpyDeviceToHost));
    THAT(got[0] == 3 && got[15] == 18);
    // A binding is for launches that come later.
    fetch_line<<<1, 16>>>(out, 0);
    GOOD(cudaBindTexture(null<size_t>(), line, out, 64));
    GOOD(cudaMemcpy(got, out, 64, cudaMemcpyDeviceToHost));
    THAT(got[0] == 0 && got[15] == 15);
    GOOD(cudaUnbindTexture(line));
    FAILS(cudaErrorInvalidTextureBinding, cudaGetTextureAlignmentOffset(&again, line));
    FAILS(cudaErrorInvalidValue, cudaBindTexture(&offset, line, d, sizeof h + 4));
    FAILS(cudaErrorInvalidValue, cudaBindTexture(&offset, line, h, 4));
    textureReference stranger = {};
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    FAILS(cudaErrorInvalidTexture, cudaBindTexture(&offset, &stranger, d, &format, 4));
    FAILS(cudaErrorInvalidTexture, cudaUnbindTexture(null<textureReference>()));
    const textureReference* found = nullptr;
    GOOD(cudaGetTextureReference(&found, &line));
    THAT(found == &line);
    GOOD(cudaFree(d));
    GOOD(cudaFree(out));
}

CASE(rows_and_arrays) {
    unsigned char h[3 * 8];
    for (int i = 0; i < 24; ++i) h[i] = (unsigned char)(i * 10);
    float *out = nullptr, got[10];
    GOOD(cudaMalloc(&out, sizeof got));
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    GOOD(cudaMallocArray(&array, &format, 8, 3));
    GOOD(cudaMemcpy2DToArray(array, 0, 0, h, 8, 8, 3, cudaMemcpyHostToDevice));
    picture.filterMode = cudaFilterModeLinear;
    picture.addressMode[0] = cudaAddressModeBorder;
    GOOD(cudaBindTextureToArray(picture, array));
    fetch_picture<<<1, 10>>>(out, 0.f);
    GOOD(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    // Row 1 between the texels, with nothing outside.
    THAT(std::fabs(got[0] - 40 / 255.f) < 1e-3f && std::fabs(got[1] - 85 / 255.f) < 1e-3f);
    THAT(std::fabs(got[8] - 75 / 255.f) < 1e-3f && got[9] == 0);
    picture.addressMode[0] = cudaAddressModeClamp;
    unsigned char* rows = nullptr;
    size_t pitch = 0;
    GOOD(cudaMallocPitch(&rows, &pitch, 8, 3));
    GOOD(cudaMemcpy2D(rows, pitch, h, 8, 8, 3, cudaMemcpyHostToDevice));
    picture.filterMode = cudaFilterModePoint;
    GOOD(cudaBindTexture2D(null<size_t>(), picture, rows, 8, 3, pitch));
    fetch_picture<<<1, 10>>>(out, 0.5f);
    GOOD(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    THAT(got[0] == 80 / 255.f && got[9] == 150 / 255.f);
    FAILS(cudaErrorInvalidValue, cudaBindTexture2D(null<size_t>(), picture, rows, 8, 4, pitch));
    FAILS(cudaErrorInvalidValue, cudaBindTexture2D(null<size_t>(), picture, rows, 8, 3, 6));
    const cudaChannelFormatDesc other = cudaCreateChannelDesc<float>();
    FAILS(cudaErrorInvalidChannelDescriptor, cudaBindTextureToArray(picture, array, other));
    GOOD(cudaUnbindTexture(picture));
    GOOD(cudaFree(rows));
    GOOD(cudaFree(out));
    GOOD(cudaFreeArray(array));
}

CASE(objects) {
    float h[4 * 6], *out = nullptr, got[6], *rows = nullptr;
    for (int i = 0; i < 24; ++i) h[i] = (float)i;
    size_t pitch = 0;
    GOOD(cudaMallocPitch(&rows, &pitch, 24, 4));
    GOOD(cudaMemcpy2D(rows, pitch, h, 24, 24, 4, cudaMemcpyHostToDevice));
    GOOD(cudaMalloc(&out, sizeof got));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = rows;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = 6;
    resource.res.pitch2D.height = 4;
    resource.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc text = {};
    text.addressMode[0] = text.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t object = 0;
    GOOD(cudaCreateTextureObject(&object, &resource, &text, nullptr));
    fetch_object<<<1, 6>>>(object, out);
    GOOD(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    THAT(got[0] == 0 && got[5] == 5);
    cudaResourceDesc found;
    cudaTextureDesc settings;
    GOOD(cudaGetTextureObjectResourceDesc(&found, object));
    THAT(found.resType == cudaResourceTypePitch2D && found.res.pitch2D.width == 6);
    GOOD(cudaGetTextureObjectTextureDesc(&settings, object));
    THAT(settings.addressMode[0] == cudaAddressModeClamp);
    GOOD(cudaDestroyTextureObject(object));
    FAILS(cudaErrorInvalidValue, cudaDestroyTextureObject(object));
    FAILS(cudaErrorInvalidValue, cudaGetTextureObjectResourceDesc(&found, object));
    resource.res.pitch2D.desc = cudaCreateChannelDesc<int>();
    text.filterMode = cudaFilterModeLinear;
    FAILS(cudaErrorInvalidFilterSetting, cudaCreateTextureObject(&object, &resource, &text, nullptr));
    text.filterMode = cudaFilterModePoint;
    text.readMode = cudaReadModeNormalizedFloat;
    FAILS(cudaErrorInvalidNormSetting, cudaCreateTextureObject(&object, &resource, &text, nullptr));
    resource.resType = cudaResourceTypeMipmappedArray;
    FAILS(cudaErrorNotSupported, cudaCreateTextureObject(&object, &resource, &text, nullptr));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = rows;
    resource.res.linear.desc = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
    resource.res.linear.sizeInBytes = 96;
    text.readMode = cudaReadModeElementType;
    FAILS(cudaErrorInvalidChannelDescriptor,
          cudaCreateTextureObject(&object, &resource, &text, nullptr));
    FAILS(cudaErrorInvalidValue, cudaCreateTextureObject(&object, null<cudaResourceDesc>(), &text, nullptr));
    GOOD(cudaFree(rows));
    GOOD(cudaFree(out));
}

int main(int argc, char** argv) {
    return run_cases(argc > 1 ? argv[1] : "");
}
