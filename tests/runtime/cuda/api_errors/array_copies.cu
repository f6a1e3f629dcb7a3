// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Copies to and from arrays.
#include "tests/runtime/cuda/kit.h"

static const cudaArray_t no_array = (cudaArray_t)0x40;

/// An array of 4 × 3 elements of two bytes: 8 bytes a row.
struct small_array {
    cudaArray_t a = nullptr;
    unsigned char h[24];
    small_array() {
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned short>();
        GOOD(cudaMallocArray(&a, &format, 4, 3));
        for (int i = 0; i < 24; ++i) h[i] = (unsigned char)i;
        GOOD(cudaMemcpy2DToArray(a, 0, 0, h, 8, 8, 3, cudaMemcpyHostToDevice));
    }
    ~small_array() { GOOD(cudaFreeArray(a)); }
    void look() {
        std::memset(h, 0xff, sizeof h);
        GOOD(cudaMemcpy2DFromArray(h, 8, a, 0, 0, 8, 3, cudaMemcpyDeviceToHost));
    }
};

CASE(rows_to_arrays) {
    small_array x;
    const unsigned char own[] = {100, 101, 102, 103};
    GOOD(cudaMemcpy2DToArrayAsync(x.a, 2, 1, own, 2, 2, 2, cudaMemcpyHostToDevice, 0));
    x.look();
    THAT(x.h[9] == 9 && x.h[10] == 100 && x.h[11] == 101 && x.h[12] == 12 && x.h[18] == 102);
    const auto to_device = cudaMemcpyHostToDevice;
    FAILS(cudaErrorInvalidResourceHandle, cudaMemcpy2DToArray(no_array, 0, 0, own, 2, 2, 2, to_device));
    FAILS(cudaErrorInvalidValue, cudaMemcpy2DToArray(x.a, 0, 0, null<void>(), 2, 2, 2, to_device));
    FAILS(cudaErrorInvalidResourceHandle,
          cudaMemcpy2DToArrayAsync(no_array, 0, 0, own, 2, 2, 2, to_device, 0));
    FAILS(cudaErrorInvalidResourceHandle,
          cudaMemcpy2DToArrayAsync(x.a, 0, 0, own, 2, 2, 2, to_device, no_stream));
    FAILS(cudaErrorInvalidValue, cudaMemcpy2DToArrayAsync(x.a, 7, 0, own, 2, 2, 2, to_device, 0));
    FAILS(cudaErrorInvalidValue, cudaMemcpy2DToArrayAsync(x.a, 0, 2, own, 2, 2, 2, to_device, 0));
    FAILS(cudaErrorInvalidPitchValue,
          cudaMemcpy2DToArrayAsync(x.a, 0, 0, own, 1, 2, 2, to_device, 0));
    FAILS(cudaErrorInvalidMemcpyDirection,
          cudaMemcpy2DToArrayAsync(x.a, 0, 0, own, 2, 2, 2, cudaMemcpyDeviceToHost, 0));
    GOOD(cudaMemcpy2DToArray(x.a, 0, 0, own, 2, 0, 2, to_device));
}

CASE(rows_from_arrays) {
    small_array x;
    unsigned char own[4] = {};
    GOOD(cudaMemcpy2DFromArray(own, 2, x.a, 6, 1, 2, 2, cudaMemcpyDeviceToHost));
    THAT(own[0] == 14 && own[1] == 15 && own[2] == 22 && own[3] == 23);
    GOOD(cudaMemcpy2DFromArrayAsync(own, 2, x.a, 0, 0, 2, 2, cudaMemcpyDeviceToHost, 0));
    GOOD(cudaDeviceSynchronize());
    THAT(own[0] == 0 && own[2] == 8);
    const auto to_host = cudaMemcpyDeviceToHost;
    FAILS(cudaErrorInvalidResourceHandle, cudaMemcpy2DFromArray(own, 2, no_array, 0, 0, 2, 2, to_host));
    FAILS(cudaErrorInvalidValue, cudaMemcpy2DFromArray(null<void>(), 2, x.a, 0, 0, 2, 2, to_host));
    FAILS(cudaErrorInvalidValue, cudaMemcpy2DFromArray(own, 2, x.a, 7, 0, 2, 2, to_host));
    FAILS(cudaErrorInvalidPitchValue, cudaMemcpy2DFromArray(own, 1, x.a, 0, 0, 2, 2, to_host));
    FAILS(cudaErrorInvalidMemcpyDirection,
          cudaMemcpy2DFromArray(own, 2, x.a, 0, 0, 2, 2, cudaMemcpyHostToDevice));
    FAILS(cudaErrorInvalidResourceHandle,
          cudaMemcpy2DFromArrayAsync(own, 2, no_array, 0, 0, 2, 2, to_host, 0));
    FAILS(cudaErrorInvalidResourceHandle,
          cudaMemcpy2DFromArrayAsync(own, 2, x.a, 0, 0, 2, 2, to_host, no_stream));
    FAILS(cudaErrorInvalidValue, cudaMemcpy2DFromArrayAsync(own, 2, x.a, 0, 2, 2, 2, to_host, 0));
    FAILS(cudaErrorInvalidPitchValue,
          cudaMemcpy2DFromArrayAsync(own, 1, x.a, 0, 0, 2, 2, to_host, 0));
}

CASE(bytes_of_arrays) {
    small_array x;
    unsigned char own[12];
    for (int i = 0; i < 12; ++i) own[i] = (unsigned char)(50 + i);
    // From the end of a row over a whole one into the next.
    GOOD(cudaMemcpyToArray(x.a, 6, 0, own, 12, cudaMemcpyHostToDevice));
    x.look();
    THAT(x.h[5] == 5 && x.h[6] == 50 && x.h[8] == 52 && x.h[17] == 61 && x.h[18] == 18);
    GOOD(cudaMemcpyToArrayAsync(x.a, 0, 2, own, 2, cudaMemcpyHostToDevice, 0));
    GOOD(cudaMemcpyFromArrayAsync(own, x.a, 4, 1, 6, cudaMemcpyDeviceToHost, 0));
    GOOD(cudaDeviceSynchronize());
    THAT(own[0] == 56 && own[3] == 59 && own[4] == 50 && own[5] == 51);
    const auto to_device = cudaMemcpyHostToDevice, to_host = cudaMemcpyDeviceToHost;
    FAILS(cudaErrorInvalidResourceHandle, cudaMemcpyToArray(no_array, 0, 0, own, 4, to_device));
    FAILS(cudaErrorInvalidValue, cudaMemcpyToArray(x.a, 6, 2, own, 4, to_device));
    FAILS(cudaErrorInvalidValue, cudaMemcpyToArray(x.a, 0, 3, own, 4, to_device));
    FAILS(cudaErrorInvalidValue, cudaMemcpyToArray(x.a, 0, 0, null<void>(), 4, to_device));
    FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpyToArray(x.a, 0, 0, own, 4, to_host));
    FAILS(cudaErrorInvalidResourceHandle,
          cudaMemcpyToArrayAsync(x.a, 0, 0, own, 4, to_device, no_stream));
    FAILS(cudaErrorInvalidValue, cudaMemcpyToArrayAsync(x.a, 8, 0, own, 4, to_device, 0));
    FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpyToArrayAsync(x.a, 0, 0, own, 4, to_host, 0));
    FAILS(cudaErrorInvalidResourceHandle, cudaMemcpyFromArray(own, no_array, 0, 0, 4, to_host));
    FAILS(cudaErrorInvalidValue, cudaMemcpyFromArray(own, x.a, 6, 2, 4, to_host));
    FAILS(cudaErrorInvalidValue, cudaMemcpyFromArray(null<void>(), x.a, 0, 0, 4, to_host));
    FAILS(cudaErrorInvalidResourceHandle,
          cudaMemcpyFromArrayAsync(own, x.a, 0, 0, 4, to_host, no_stream));
    FAILS(cudaErrorInvalidValue, cudaMemcpyFromArrayAsync(own, x.a, 0, 3, 4, to_host, 0));
    FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpyFromArrayAsync(own, x.a, 0, 0, 4, to_device, 0));
    // What fails has copied nothing.
    x.look();
    THAT(x.h[6] == 50 && x.h[22] == 22);
}

CASE(arrays_to_arrays) {
    small_array x, y;
    GOOD(cudaMemcpyArrayToArray(x.a, 2, 2, y.a, 0, 1, 4));
    GOOD(cudaMemcpy2DArrayToArray(x.a, 0, 0, y.a, 6, 1, 2, 2));
    x.look();
    THAT(x.h[18] == 8 && x.h[21] == 11 && x.h[22] == 22);
    THAT(x.h[0] == 14 && x.h[1] == 15 && x.h[2] == 2 && x.h[8] == 22 && x.h[9] == 23);
    FAILS(cudaErrorInvalidResourceHandle, cudaMemcpyArrayToArray(no_array, 0, 0, y.a, 0, 0, 4));
    FAILS(cudaErrorInvalidResourceHandle, cudaMemcpyArrayToArray(x.a, 0, 0, no_array, 0, 0, 4));
    FAILS(cudaErrorInvalidValue, cudaMemcpyArrayToArray(x.a, 6, 2, y.a, 0, 0, 4));
    FAILS(cudaErrorInvalidValue, cudaMemcpyArrayToArray(x.a, 0, 0, y.a, 6, 2, 4));
    FAILS(cudaErrorInvalidMemcpyDirection,
          cudaMemcpyArrayToArray(x.a, 0, 0, y.a, 0, 0, 4, cudaMemcpyHostToDevice));
    FAILS(cudaErrorInvalidResourceHandle,
          cudaMemcpy2DArrayToArray(no_array, 0, 0, y.a, 0, 0, 2, 2));
    FAILS(cudaErrorInvalidResourceHandle, cudaMemcpy2DArrayToArray(x.a, 0, 0, nullptr, 0, 0, 2, 2));
    FAILS(cudaErrorInvalidValue, cudaMemcpy2DArrayToArray(x.a, 7, 0, y.a, 0, 0, 2, 2));
    FAILS(cudaErrorInvalidValue, cudaMemcpy2DArrayToArray(x.a, 0, 0, y.a, 0, 2, 2, 2));
    FAILS(cudaErrorInvalidMemcpyDirection,
          cudaMemcpy2DArrayToArray(x.a, 0, 0, y.a, 0, 0, 2, 2, cudaMemcpyDeviceToHost));
}

CASE(boxes_of_arrays) {
    small_array x;
    unsigned short own[4] = {500, 501, 502, 503};
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(own, 4, 2, 2);
    p.dstArray = x.a;
    p.dstPos = make_cudaPos(2, 1, 0);  // in elements
    p.extent = make_cudaExtent(2, 2, 1);
    p.kind = cudaMemcpyHostToDevice;
    GOOD(cudaMemcpy3D(&p));
    x.look();
    unsigned short got[12];
    std::memcpy(got, x.h, sizeof got);
    THAT(got[6] == 500 && got[7] == 501 && got[10] == 502 && got[11] == 503 && x.h[8] == 8);
    p.dstPos.x = 3;
    FAILS(cudaErrorInvalidValue, cudaMemcpy3D(&p));
    p.dstPos = make_cudaPos(2, 2, 0);
    FAILS(cudaErrorInvalidValue, cudaMemcpy3D(&p));
    p.dstPos = make_cudaPos(2, 1, 1);
    FAILS(cudaErrorInvalidValue, cudaMemcpy3DAsync(&p, 0));
    p.dstPos.z = 0;
    p.dstPtr = p.srcPtr;  // an array and a pointer
    FAILS(cudaErrorInvalidValue, cudaMemcpy3D(&p));
}

int main(int argc, char** argv) {
    return run_cases(argc > 1 ? argv[1] : "");
}
