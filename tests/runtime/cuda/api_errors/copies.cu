// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Copies and fills of linear memory, rows, boxes and symbols, at once and in streams.
#include "tests/runtime/cuda/kit.h"

__constant__ int table[16];
__global__ void look_up(int* x) { *x = table[*x]; }

/// 64 bytes on the device and what the program has of them.
struct both_sides {
    unsigned char h[64], *d = nullptr;
    both_sides() {
        for (int i = 0; i < 64; ++i) h[i] = (unsigned char)i;
        GOOD(cudaMalloc(&d, sizeof h));
        GOOD(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    }
    ~both_sides() { GOOD(cudaFree(d)); }
    void look() {
        std::memset(h, 0xff, sizeof h);
        GOOD(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    }
};

CASE(lines) {
    both_sides x;
    unsigned char* const d = x.d;
    GOOD(cudaMemcpyAsync(d + 8, d, 8, cudaMemcpyDeviceToDevice, 0));
    GOOD(cudaMemcpyPeer(d + 16, 0, d + 1, 0, 3));
    GOOD(cudaMemcpyPeerAsync(d + 24, 0, d + 2, 0, 3, 0));
    x.look();
    THAT(x.h[8] == 0 && x.h[15] == 7 && x.h[18] == 3 && x.h[19] == 19 && x.h[26] == 4);
    FAILS(cudaErrorInvalidValue, cudaMemcpy(d, null<void>(), 4, cudaMemcpyHostToDevice));
    FAILS(cudaErrorInvalidValue, cudaMemcpy(null<void>(), x.h, 4, cudaMemcpyHostToDevice));
    FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpy(d, x.h, 4, (cudaMemcpyKind)-1));
    FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpyAsync(d, x.h, 4, (cudaMemcpyKind)5, 0));
    FAILS(cudaErrorInvalidValue, cudaMemcpyAsync(d + 61, x.h, 4, cudaMemcpyHostToDevice, 0));
    FAILS(cudaErrorInvalidValue, cudaMemcpyAsync(x.h, d + 61, 4, cudaMemcpyDeviceToHost, 0));
    FAILS(cudaErrorInvalidValue, cudaMemcpyAsync(d, x.h, 0xffffffffu, cudaMemcpyHostToDevice, 0));
    FAILS(cudaErrorInvalidValue, cudaMemcpyPeer(d + 61, 0, d, 0, 4));
    FAILS(cudaErrorInvalidDevice, cudaMemcpyPeer(d, 0, d, -1, 4));
    FAILS(cudaErrorInvalidDevice, cudaMemcpyPeerAsync(d, 1, d, 0, 4, 0));
    FAILS(cudaErrorInvalidDevice, cudaMemcpyPeerAsync(d, 0, d, 1, 4, 0));
    FAILS(cudaErrorInvalidValue, cudaMemcpyPeerAsync(d, 0, d + 61, 0, 4, 0));
    FAILS(cudaErrorInvalidResourceHandle, cudaMemcpyPeerAsync(d, 0, d + 4, 0, 4, no_stream));
    GOOD(cudaMemcpyAsync(d, x.h, 0, cudaMemcpyHostToDevice, 0));
    GOOD(cudaMemcpyPeer(d, 0, d + 4, 0, 0));
}

CASE(rows) {
    both_sides x;
    unsigned char* const d = x.d;
    // 3 of each 16 bytes, in 2 rows.
    GOOD(cudaMemcpy2DAsync(d + 4, 16, d, 16, 3, 2, cudaMemcpyDeviceToDevice, 0));
    x.look();
    THAT(x.h[4] == 0 && x.h[6] == 2 && x.h[7] == 7 && x.h[20] == 16 && x.h[22] == 18 && x.h[36] == 36);
    FAILS(cudaErrorInvalidPitchValue, cudaMemcpy2D(d, 0, x.h, 16, 16, 1, cudaMemcpyHostToDevice));
    for (const unsigned pitch : {15u, 0u}) {
        FAILS(cudaErrorInvalidPitchValue,
              cudaMemcpy2D(d, pitch, x.h, 16, 16, 2, cudaMemcpyHostToDevice));
        FAILS(cudaErrorInvalidPitchValue,
              cudaMemcpy2D(x.h, 16, d, pitch, 16, 2, cudaMemcpyDeviceToHost));
        FAILS(cudaErrorInvalidPitchValue,
              cudaMemcpy2DAsync(d, pitch, x.h, 16, 16, 2, cudaMemcpyHostToDevice, 0));
    }
    FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpy2D(d, 16, x.h, 16, 4, 2, (cudaMemcpyKind)9));
    FAILS(cudaErrorInvalidMemcpyDirection,
          cudaMemcpy2DAsync(d, 16, x.h, 16, 4, 2, (cudaMemcpyKind)9, 0));
    FAILS(cudaErrorInvalidValue,
          cudaMemcpy2D(d, 16, null<void>(), 16, 4, 2, cudaMemcpyHostToDevice));
    // The last row may be shorter than its pitch, but not longer than what is there.
    GOOD(cudaMemcpy2D(d + 12, 16, x.h, 16, 4, 4, cudaMemcpyHostToDevice));
    FAILS(cudaErrorInvalidValue, cudaMemcpy2D(d + 13, 16, x.h, 16, 4, 4, cudaMemcpyHostToDevice));
    FAILS(cudaErrorInvalidValue,
          cudaMemcpy2DAsync(d + 13, 16, x.h, 16, 4, 4, cudaMemcpyHostToDevice, 0));
    FAILS(cudaErrorInvalidResourceHandle,
          cudaMemcpy2DAsync(d, 16, x.h, 16, 4, 2, cudaMemcpyHostToDevice, no_stream));
    GOOD(cudaMemcpy2D(d, 16, x.h, 16, 0, 4, cudaMemcpyHostToDevice));
    GOOD(cudaMemcpy2D(d, 16, x.h, 16, 4, 0, cudaMemcpyHostToDevice));
}

/// A box of 2 × 2 × 2 bytes out of 4 × 4 × 4 on the program's side, to the device's first bytes.
static cudaMemcpy3DParms box_of(both_sides& x) {
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(x.h, 4, 4, 4);
    p.srcPos = make_cudaPos(1, 1, 1);
    p.dstPtr = make_cudaPitchedPtr(x.d, 2, 2, 2);
    p.extent = make_cudaExtent(2, 2, 2);
    p.kind = cudaMemcpyHostToDevice;
    return p;
}

CASE(boxes) {
    both_sides x;
    const cudaMemcpy3DParms good = box_of(x);
    GOOD(cudaMemcpy3D(&good));
    cudaMemcpy3DParms p = good;
    p.dstPtr.ptr = x.d + 8;
    GOOD(cudaMemcpy3DAsync(&p, 0));
    x.look();
    for (int i = 0; i < 8; i += 1) {
        const int from = 21 + (i & 1) + (i >> 1 & 1) * 4 + (i >> 2) * 16;
        THAT(x.h[i] == from && x.h[8 + i] == from);
    }
    THAT(x.h[16] == 16);
    FAILS(cudaErrorInvalidValue, cudaMemcpy3DAsync(null<cudaMemcpy3DParms>(), 0));
    FAILS(cudaErrorInvalidResourceHandle, cudaMemcpy3DAsync(&good, no_stream));
    p = good;
    p.kind = (cudaMemcpyKind)6;
    FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpy3D(&p));
    FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpy3DAsync(&p, 0));
    p = good;
    p.dstPtr.pitch = 1;
    FAILS(cudaErrorInvalidPitchValue, cudaMemcpy3D(&p));
    p = good;
    p.srcPos.x = 3;
    FAILS(cudaErrorInvalidPitchValue, cudaMemcpy3D(&p));
    p = good;
    p.dstPtr.ptr = x.d + 57;
    FAILS(cudaErrorInvalidValue, cudaMemcpy3D(&p));
    p.dstPtr.ptr = nullptr;
    FAILS(cudaErrorInvalidValue, cudaMemcpy3D(&p));
    p.dstArray = (cudaArray_t)0x40;
    FAILS(cudaErrorInvalidResourceHandle, cudaMemcpy3D(&p));
    p.dstPtr.ptr = x.d;  // both
    p.dstArray = (cudaArray_t)0x40;
    GIVES(true, cudaMemcpy3D(&p) != cudaSuccess);
    (void)cudaGetLastError();
    p = good;
    p.extent.depth = 0;
    GOOD(cudaMemcpy3D(&p));
}

CASE(boxes_of_peers) {
    both_sides x;
    cudaMemcpy3DPeerParms p = {};
    p.srcPtr = make_cudaPitchedPtr(x.d, 4, 4, 4);
    p.dstPtr = make_cudaPitchedPtr(x.d + 32, 2, 2, 2);
    p.extent = make_cudaExtent(2, 2, 1);
    GOOD(cudaMemcpy3DPeer(&p));
    p.dstPtr.ptr = x.d + 40;
    GOOD(cudaMemcpy3DPeerAsync(&p, 0));
    x.look();
    for (const int at : {32, 40}) {
        THAT(x.h[at] == 0 && x.h[at + 1] == 1 && x.h[at + 2] == 4 && x.h[at + 3] == 5);
    }
    FAILS(cudaErrorInvalidValue, cudaMemcpy3DPeer(null<cudaMemcpy3DPeerParms>()));
    FAILS(cudaErrorInvalidValue, cudaMemcpy3DPeerAsync(null<cudaMemcpy3DPeerParms>(), 0));
    FAILS(cudaErrorInvalidResourceHandle, cudaMemcpy3DPeerAsync(&p, no_stream));
    p.dstPtr.ptr = x.d + 61;
    FAILS(cudaErrorInvalidValue, cudaMemcpy3DPeer(&p));
    FAILS(cudaErrorInvalidValue, cudaMemcpy3DPeerAsync(&p, 0));
    p.srcDevice = 1;
    FAILS(cudaErrorInvalidDevice, cudaMemcpy3DPeer(&p));
    p.srcDevice = 0;
    p.dstDevice = -1;
    FAILS(cudaErrorInvalidDevice, cudaMemcpy3DPeerAsync(&p, 0));
}

CASE(fills) {
    both_sides x;
    unsigned char* const d = x.d;
    GOOD(cudaMemset(d, 0x1ff, 1));  // a byte of it
    GOOD(cudaMemsetAsync(d + 1, 1, 1, 0));
    GOOD(cudaMemset2D(d + 8, 4, 2, 2, 2));
    GOOD(cudaMemset2DAsync(d + 16, 4, 3, 2, 2, 0));
    GOOD(cudaMemset3D(make_cudaPitchedPtr(d + 24, 2, 2, 2), 4, make_cudaExtent(1, 1, 2)));
    GOOD(cudaMemset3DAsync(make_cudaPitchedPtr(d + 32, 2, 2, 2), 5, make_cudaExtent(1, 2, 2), 0));
    x.look();
    THAT(x.h[0] == 0xff && x.h[1] == 1 && x.h[2] == 2 && x.h[63] == 63);
    THAT(x.h[9] == 2 && x.h[10] == 10 && x.h[13] == 2 && x.h[14] == 14 && x.h[16 + 5] == 3);
    THAT(x.h[24] == 4 && x.h[25] == 25 && x.h[26] == 26 && x.h[28] == 4 && x.h[30] == 30);
    THAT(x.h[32] == 5 && x.h[33] == 33 && x.h[34] == 5 && x.h[38] == 5 && x.h[39] == 39);
    GOOD(cudaMemset(d, 0, 0));
    GOOD(cudaMemset2D(d, 4, 0, 0, 9));
    // One row has no pitch.
    GOOD(cudaMemset2D(d, 0, 9, 64, 1));
    GOOD(cudaMemset3D(make_cudaPitchedPtr(d, 0, 0, 0), 8, make_cudaExtent(63, 1, 1)));
    x.look();
    THAT(x.h[0] == 8 && x.h[62] == 8 && x.h[63] == 9);
    FAILS(cudaErrorInvalidValue, cudaMemset(null<void>(), 0, 4));
    FAILS(cudaErrorInvalidValue, cudaMemsetAsync(d + 61, 0, 4, 0));
    FAILS(cudaErrorInvalidValue, cudaMemset2D(d, 8, 0, 9, 2));
    FAILS(cudaErrorInvalidValue, cudaMemset2D(d, 16, 0, 16, 5));
    FAILS(cudaErrorInvalidValue, cudaMemset2DAsync(d, 8, 0, 9, 2, 0));
    FAILS(cudaErrorInvalidValue, cudaMemset2DAsync(d + 49, 16, 0, 16, 1, 0));
    FAILS(cudaErrorInvalidResourceHandle, cudaMemset2DAsync(d, 8, 0, 8, 2, no_stream));
    const cudaPitchedPtr box = make_cudaPitchedPtr(d, 4, 4, 4);
    FAILS(cudaErrorInvalidValue, cudaMemset3D(box, 0, make_cudaExtent(5, 2, 1)));
    FAILS(cudaErrorInvalidValue, cudaMemset3D(box, 0, make_cudaExtent(4, 5, 2)));
    FAILS(cudaErrorInvalidValue, cudaMemset3D(box, 0, make_cudaExtent(4, 4, 5)));
    FAILS(cudaErrorInvalidValue, cudaMemset3DAsync(box, 0, make_cudaExtent(4, 4, 5), 0));
    FAILS(cudaErrorInvalidResourceHandle,
          cudaMemset3DAsync(box, 0, make_cudaExtent(4, 4, 4), no_stream));
}

CASE(symbols) {
    int h[16] = {1, 2, 3, 4}, host_only = 0;
    void* d = nullptr;
    GOOD(cudaMemcpyToSymbolAsync(table, h, 8, 56, cudaMemcpyHostToDevice, 0));
    GOOD(cudaMemcpyFromSymbolAsync(h + 8, table, 12, 52, cudaMemcpyDeviceToHost, 0));
    GOOD(cudaDeviceSynchronize());
    THAT(h[8] == 0 && h[9] == 1 && h[10] == 2 && h[11] == 0);
    FAILS(cudaErrorInvalidSymbol,
          cudaMemcpyToSymbolAsync(host_only, h, 4, 0, cudaMemcpyHostToDevice, 0));
    FAILS(cudaErrorInvalidSymbol,
          cudaMemcpyFromSymbolAsync(h, host_only, 4, 0, cudaMemcpyDeviceToHost, 0));
    FAILS(cudaErrorInvalidSymbol, cudaMemcpyFromSymbol(h, host_only, 4));
    FAILS(cudaErrorInvalidValue,
          cudaMemcpyToSymbolAsync(table, h, 8, 60, cudaMemcpyHostToDevice, 0));
    FAILS(cudaErrorInvalidValue,
          cudaMemcpyFromSymbolAsync(h, table, 8, 60, cudaMemcpyDeviceToHost, 0));
    FAILS(cudaErrorInvalidValue, cudaMemcpyFromSymbol(h, table, 4, 0xfffffffcu));
    FAILS(cudaErrorInvalidValue, cudaMemcpyToSymbol(table, null<int>(), 4));
    FAILS(cudaErrorInvalidValue, cudaMemcpyFromSymbol(null<int>(), table, 4));
    FAILS(cudaErrorInvalidMemcpyDirection,
          cudaMemcpyToSymbolAsync(table, h, 4, 0, cudaMemcpyDeviceToHost, 0));
    FAILS(cudaErrorInvalidMemcpyDirection,
          cudaMemcpyFromSymbolAsync(h, table, 4, 0, cudaMemcpyHostToDevice, 0));
    FAILS(cudaErrorInvalidResourceHandle,
          cudaMemcpyToSymbolAsync(table, h, 4, 0, cudaMemcpyHostToDevice, no_stream));
    FAILS(cudaErrorInvalidResourceHandle,
          cudaMemcpyFromSymbolAsync(h, table, 4, 0, cudaMemcpyDeviceToHost, no_stream));
    FAILS(cudaErrorInvalidValue, cudaGetSymbolSize(null<size_t>(), table));
    FAILS(cudaErrorInvalidValue, cudaGetSymbolAddress(null<void*>(), table));
    GOOD(cudaGetSymbolAddress(&d, table));
    FAILS(cudaErrorInvalidValue, cudaFree(d));  // the program's, for good
    GOOD(cudaMemcpyToSymbol(table, h, 0, 64));
}

int main(int argc, char** argv) {
    return run_cases(argc > 1 ? argv[1] : "");
}
