// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// That memory has what was copied to it: all kinds, directions and shapes.
#include "kit.h"

__constant__ int table[8];
__device__ int results[8];
__global__ void copy_table() { results[threadIdx.x] = table[threadIdx.x] * 2; }
__global__ void twice(int* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}

/// Different in each byte.
static std::vector<unsigned char> numbered(size_t n, int first = 1) {
    std::vector<unsigned char> v(n);
    for (size_t i = 0; i < n; ++i) v[i] = (unsigned char)(first + i * 7 + i / 251);
    return v;
}

CASE(bytes_at_odd_places) {
    const auto given = numbered(1000);
    unsigned char* d = nullptr;
    GOOD(cudaMalloc(&d, 1000));
    GOOD(cudaMemset(d, 0xee, 1000));
    GOOD(cudaMemcpy(d + 3, given.data() + 1, 701, cudaMemcpyHostToDevice));
    std::vector<unsigned char> back(1000);
    GOOD(cudaMemcpy(back.data(), d, 1000, cudaMemcpyDeviceToHost));
    bool same = true;
    for (int i = 0; i < 1000; ++i) {
        same = same && back[i] == (i >= 3 && i < 704 ? given[i - 2] : 0xee);
    }
    THAT(same);
    unsigned char* e = nullptr;
    GOOD(cudaMalloc(&e, 1000));
    GOOD(cudaMemcpy(e, d, 1000, cudaMemcpyDeviceToDevice));
    GOOD(cudaMemcpy(e + 10, d + 500, 33, cudaMemcpyDefault));
    std::vector<unsigned char> other(1000);
    GOOD(cudaMemcpy(other.data(), e, 1000, cudaMemcpyDefault));
    std::memcpy(back.data() + 10, back.data() + 500, 33);
    THAT(other == back);
    GOOD(cudaMemcpy(other.data(), given.data(), 1000, cudaMemcpyHostToHost));
    THAT(other == given);
    GOOD(cudaMemcpy(back.data(), given.data(), 1000, cudaMemcpyDefault));
    THAT(back == given);
    GOOD(cudaFree(d));
    GOOD(cudaFree(e));
}

CASE(larger_than_a_message) {
    const size_t n = (33u << 20) + 5;
    const auto given = numbered(n);
    unsigned char* d = nullptr;
    GOOD(cudaMalloc(&d, n));
    GOOD(cudaMemcpy(d, given.data(), n, cudaMemcpyHostToDevice));
    std::vector<unsigned char> back(n);
    GOOD(cudaMemcpy(back.data(), d, n, cudaMemcpyDeviceToHost));
    THAT(back == given);
    GOOD(cudaFree(d));
}

CASE(rows) {
    const auto given = numbered(13 * 9);
    unsigned char* d = nullptr;
    size_t pitch = 0;
    GOOD(cudaMallocPitch(&d, &pitch, 13, 9));
    GOOD(cudaMemset2D(d, pitch, 0x11, 13, 9));
    GOOD(cudaMemcpy2D(d + pitch + 2, pitch, given.data(), 13, 10, 7, cudaMemcpyHostToDevice));
    std::vector<unsigned char> back(20 * 9, 0x22);
    GOOD(cudaMemcpy2D(back.data(), 20, d, pitch, 13, 9, cudaMemcpyDeviceToHost));
    bool same = true;
    for (int y = 0; y < 9; ++y) {
        for (int x = 0; x < 20; ++x) {
            int wanted = x < 13 ? 0x11 : 0x22;
            if (y >= 1 && y < 8 && x >= 2 && x < 12) wanted = given[(y - 1) * 13 + x - 2];
            same = same && back[y * 20 + x] == wanted;
        }
    }
    THAT(same);
    GOOD(cudaFree(d));
}

CASE(boxes) {
    const int w = 10, h = 4, depth = 3;
    cudaPitchedPtr d;
    GOOD(cudaMalloc3D(&d, make_cudaExtent(w, h, depth)));
    THAT(d.xsize == w && d.ysize == h && d.pitch >= w);
    GOOD(cudaMemset3D(d, 0x33, make_cudaExtent(w, h, depth)));
    auto given = numbered(w * h * depth);
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(given.data(), w, w, h);
    p.dstPtr = d;
    p.srcPos = make_cudaPos(1, 1, 1);
    p.dstPos = make_cudaPos(2, 0, 1);
    p.extent = make_cudaExtent(8, 3, 2);
    p.kind = cudaMemcpyHostToDevice;
    GOOD(cudaMemcpy3D(&p));
    std::vector<unsigned char> back(w * h * depth);
    cudaMemcpy3DParms q = {};
    q.srcPtr = d;
    q.dstPtr = make_cudaPitchedPtr(back.data(), w, w, h);
    q.extent = make_cudaExtent(w, h, depth);
    q.kind = cudaMemcpyDeviceToHost;
    GOOD(cudaMemcpy3D(&q));
    bool same = true;
    for (int z = 0; z < depth; ++z) {
        for (int y = 0; y < h; ++y) {
            for (int x = 0; x < w; ++x) {
                int wanted = 0x33;
                if (z >= 1 && y < 3 && x >= 2) {
                    wanted = given[(z * h + y + 1) * w + x - 1];
                }
                same = same && back[(z * h + y) * w + x] == wanted;
            }
        }
    }
    THAT(same);
    GOOD(cudaFree(d.ptr));
}

CASE(arrays) {
    cudaArray_t one, two;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<short>();
    GOOD(cudaMallocArray(&one, &format, 7, 5));
    GOOD(cudaMallocArray(&two, &format, 7, 5));
    const auto given = numbered(70);
    std::vector<unsigned char> back(70);
    // Row after row, from the middle of a row on.
    GOOD(cudaMemcpyToArray(one, 0, 0, given.data(), 70, cudaMemcpyHostToDevice));
    GOOD(cudaMemcpyFromArray(back.data(), one, 0, 0, 70, cudaMemcpyDeviceToHost));
    THAT(back == given);
    GOOD(cudaMemcpyFromArray(back.data(), one, 4, 1, 40, cudaMemcpyDeviceToHost));
    THAT(std::memcmp(back.data(), given.data() + 18, 40) == 0);
    GOOD(cudaMemcpy2DToArray(two, 2, 1, given.data(), 14, 12, 4, cudaMemcpyHostToDevice));
    GOOD(cudaMemcpy2DFromArray(back.data(), 12, two, 2, 2, 12, 2, cudaMemcpyDeviceToHost));
    THAT(std::memcmp(back.data(), given.data() + 14, 12) == 0);
    THAT(std::memcmp(back.data() + 12, given.data() + 28, 12) == 0);
    GOOD(cudaMemcpy2DArrayToArray(one, 0, 0, two, 2, 1, 6, 2));
    GOOD(cudaMemcpyFromArray(back.data(), one, 0, 1, 14, cudaMemcpyDeviceToHost));
    THAT(std::memcmp(back.data(), given.data() + 14, 6) == 0);
    THAT(std::memcmp(back.data() + 6, given.data() + 20, 8) == 0);
    // 3-D, extents in elements.
    cudaArray_t cube;
    GOOD(cudaMalloc3DArray(&cube, &format, make_cudaExtent(3, 2, 4)));
    auto box = numbered(48, 5);
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(box.data(), 6, 6, 2);
    p.dstArray = cube;
    p.extent = make_cudaExtent(3, 2, 4);
    p.kind = cudaMemcpyHostToDevice;
    GOOD(cudaMemcpy3D(&p));
    std::vector<unsigned char> part(8);
    cudaMemcpy3DParms q = {};
    q.srcArray = cube;
    q.srcPos = make_cudaPos(1, 1, 2);
    q.dstPtr = make_cudaPitchedPtr(part.data(), 4, 4, 1);
    q.extent = make_cudaExtent(2, 1, 2);
    q.kind = cudaMemcpyDeviceToHost;
    GOOD(cudaMemcpy3D(&q));
    THAT(std::memcmp(part.data(), box.data() + 2 * 12 + 6 + 2, 4) == 0);
    THAT(std::memcmp(part.data() + 4, box.data() + 3 * 12 + 6 + 2, 4) == 0);
    q.srcPos = make_cudaPos(2, 1, 2);
    FAILS(cudaErrorInvalidValue, cudaMemcpy3D(&q));
    GOOD(cudaFreeArray(one));
    GOOD(cudaFreeArray(two));
    GOOD(cudaFreeArray(cube));
}

CASE(symbols) {
    const int given[] = {1, 2, 3, 4, 5, 6, 7, 8};
    GOOD(cudaMemcpyToSymbol(table, given, sizeof given));
    GOOD(cudaMemcpyToSymbol(table, given + 6, 8, 4));
    copy_table<<<1, 8>>>();
    int got[8] = {};
    GOOD(cudaMemcpyFromSymbol(got, results, sizeof got));
    const int wanted[] = {2, 14, 16, 8, 10, 12, 14, 16};
    THAT(std::memcmp(got, wanted, sizeof got) == 0);
    GOOD(cudaMemcpyFromSymbol(got, results, 8, 4));
    THAT(got[0] == 14 && got[1] == 16);
    int* address = nullptr;
    GOOD(cudaGetSymbolAddress((void**)&address, results));
    GOOD(cudaMemset(address + 2, 0, 4));
    GOOD(cudaMemcpyFromSymbol(got, results, 8, 4));
    THAT(got[0] == 14 && got[1] == 0);
}

CASE(asynchronous_copies) {
    cudaStream_t stream;
    GOOD(cudaStreamCreate(&stream));
    int* pinned = nullptr;
    int *d = nullptr, pageable[64];
    GOOD(cudaMallocHost(&pinned, sizeof pageable));
    GOOD(cudaMalloc(&d, sizeof pageable));
    for (int i = 0; i < 64; ++i) pageable[i] = i + 1;
    // Pageable memory has been read when the call returns.
    GOOD(cudaMemcpyAsync(d, pageable, sizeof pageable, cudaMemcpyHostToDevice, stream));
    for (int& each : pageable) each = -1;
    twice<<<1, 64, 0, stream>>>(d, 64);
    GOOD(cudaMemcpyAsync(pinned, d, sizeof pageable, cudaMemcpyDeviceToHost, stream));
    GOOD(cudaStreamSynchronize(stream));
    THAT(pinned[0] == 2 && pinned[63] == 128);
    // So has pageable memory been written.
    GOOD(cudaMemcpyAsync(pageable, d, sizeof pageable, cudaMemcpyDeviceToHost, stream));
    THAT(pageable[0] == 2 && pageable[63] == 128);
    GOOD(cudaMemsetAsync(d, 0xff, 8, stream));
    GOOD(cudaMemcpyAsync(pinned, d, 12, cudaMemcpyDeviceToHost, stream));
    GOOD(cudaDeviceSynchronize());
    THAT(pinned[0] == -1 && pinned[1] == -1 && pinned[2] == 6);
    GOOD(cudaFreeHost(pinned));
    GOOD(cudaFree(d));
    GOOD(cudaStreamDestroy(stream));
}

CASE(managed_memory) {
    int *a = nullptr, *b = nullptr;
    GOOD(cudaMallocManaged(&a, 3000 * sizeof(int)));
    GOOD(cudaMallocManaged(&b, 16));
    for (int i = 0; i < 3000; ++i) a[i] = i;
    for (int i = 0; i < 4; ++i) b[i] = 100 + i;
    twice<<<12, 256>>>(a, 3000);
    GOOD(cudaDeviceSynchronize());
    bool same = true;
    for (int i = 0; i < 3000; ++i) same = same && a[i] == 2 * i;
    THAT(same);
    a[2999] = 5;  // the program's own changes go back
    twice<<<12, 256>>>(a, 3000);
    twice<<<1, 4>>>(b, 4);
    GOOD(cudaStreamSynchronize(0));
    THAT(a[2999] == 10 && a[2998] == 4 * 2998 && b[3] == 206);
    int c[4] = {7, 8, 9, 10};
    GOOD(cudaMemcpy(b, c, 16, cudaMemcpyHostToDevice));
    THAT(b[0] == 7 && b[3] == 10);
    GOOD(cudaMemcpy(a, b, 16, cudaMemcpyDeviceToDevice));
    THAT(a[0] == 7 && a[3] == 10 && a[4] == 16);
    b[1] = 77;
    GOOD(cudaMemcpy(c, b, 16, cudaMemcpyDefault));
    THAT(c[1] == 77);
    GOOD(cudaMemset(b, 0, 8));
    THAT(b[0] == 0 && b[1] == 0 && b[2] == 9);
    cudaPointerAttributes text;
    GOOD(cudaPointerGetAttributes(&text, b));
    THAT(text.type == cudaMemoryTypeManaged && text.devicePointer == b && text.hostPointer == b);
    GOOD(cudaFree(a));
    GOOD(cudaFree(b));
}

static void use_managed(void* data) {
    int* const m = static_cast<int*>(data);
    m[101] = m[0] + m[99];
}

CASE(managed_memory_of_functions) {
    int* m = nullptr;
    GOOD(cudaMallocManaged(&m, 4096));
    for (int i = 0; i < 100; ++i) m[i] = i;
    m[101] = 0;
    twice<<<1, 100>>>(m, 100);
    GOOD(cudaLaunchHostFunc(0, use_managed, m));
    twice<<<1, 102>>>(m, 102);
    GOOD(cudaDeviceSynchronize());
    THAT(m[99] == 4 * 99 && m[101] == 2 * 2 * 99);
    // What both have changed in one page is there, on both sides.
    twice<<<1, 100>>>(m, 100);
    while (cudaStreamQuery(0) == cudaErrorNotReady) {
    }
    (void)cudaGetLastError();
    twice<<<1, 100>>>(m, 100);
    (void)cudaStreamQuery(cudaStreamLegacy);
    m[200] = 5;
    twice<<<1, 201>>>(m, 201);
    GOOD(cudaDeviceSynchronize());
    THAT(m[99] == 32 * 99 && m[200] == 10);
    GOOD(cudaFree(m));
    // What has no room on one side leaves nothing behind.
    for (int i = 0; i < 3; ++i) {
        FAILS(cudaErrorMemoryAllocation, cudaMallocManaged(&m, 0x7ffff000u));
        GOOD(cudaMallocManaged(&m, 16 << 20));
        GOOD(cudaFree(m));
    }
}

// What the program and the device write beside each other stays, whatever pages they share.
CASE(page_locked_memory_is_the_devices) {
    int* h = nullptr;
    GOOD(cudaMallocHost(&h, 3000 * sizeof(int)));
    for (int i = 0; i < 3000; ++i) h[i] = i;
    for (int round = 0; round < 3; ++round) {
        twice<<<1, 64>>>(h + 1000, 64);
        GOOD(cudaDeviceSynchronize());
        THAT(h[999] == 999 + round && h[1000] == 1000 << (round + 1) && h[1064] == 1064 + round);
        ++h[999];
        ++h[1064];
        h[2999] = round;
    }
    GOOD(cudaMemset(h + 64, 0, 64 * sizeof(int)));
    THAT(h[63] == 63 && h[64] == 0 && h[127] == 0 && h[128] == 128);
    int* d = nullptr;
    GOOD(cudaMalloc(&d, 256));
    h[0] = 17;
    GOOD(cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice));
    GOOD(cudaMemcpyAsync(h + 200, d, 256, cudaMemcpyDefault));
    GOOD(cudaDeviceSynchronize());
    THAT(h[200] == 17 && h[263] == 63 && h[264] == 264);
    GOOD(cudaFreeHost(h));
    // The next one begins with zeros.
    GOOD(cudaMallocHost(&h, 64));
    THAT(h[0] == 0 && h[15] == 0);
    GOOD(cudaFreeHost(h));
    GOOD(cudaFree(d));
}

__global__ void note_then_work(int* m, int* x, int turns) {
    m[0] = 5;
    for (int i = 0; i < turns; ++i) x[0] += m[2];
}

// The program may write page-locked memory while a kernel is at work beside it.
CASE(page_locked_memory_is_written_by_both) {
    int *h = nullptr, *d = nullptr;
    cudaStream_t s = nullptr;
    GOOD(cudaMallocHost(&h, 64));
    GOOD(cudaMalloc(&d, 64));
    GOOD(cudaStreamCreate(&s));
    h[0] = 1;
    h[2] = 3;
    note_then_work<<<1, 1, 0, s>>>(h, d, 2000);
    (void)cudaStreamQuery(s);  // it goes on for a while
    h[1] = 7;
    twice<<<1, 1, 0, s>>>(h + 1, 1);
    GOOD(cudaStreamSynchronize(s));
    THAT(h[0] == 5 && h[1] == 14 && h[2] == 3);
    GOOD(cudaStreamDestroy(s));
    GOOD(cudaFree(d));
    GOOD(cudaFreeHost(h));
}

CASE(mapped_memory) {
    int *h = nullptr, *d = nullptr;
    GOOD(cudaHostAlloc(&h, 64 * sizeof(int), cudaHostAllocMapped));
    GOOD(cudaHostGetDevicePointer(&d, h, 0));
    for (int i = 0; i < 64; ++i) h[i] = i;
    twice<<<1, 64>>>(d, 64);
    GOOD(cudaDeviceSynchronize());
    THAT(h[63] == 126);
    unsigned flags = 0;
    GOOD(cudaHostGetFlags(&flags, h));
    THAT(flags == cudaHostAllocMapped);
    FAILS(cudaErrorInvalidValue, cudaFree(h));
    GOOD(cudaFreeHost(h));
}

CASE(pointers) {
    void *d = nullptr, *h = nullptr;
    int local = 0;
    GOOD(cudaMalloc(&d, 100));
    GOOD(cudaMallocHost(&h, 100));
    cudaPointerAttributes text;
    GOOD(cudaPointerGetAttributes(&text, (char*)d + 99));
    THAT(text.type == cudaMemoryTypeDevice && text.device == 0 && text.hostPointer == nullptr);
    GOOD(cudaPointerGetAttributes(&text, (char*)h + 99));
    THAT(text.type == cudaMemoryTypeHost && text.hostPointer == (char*)h + 99);
    GOOD(cudaPointerGetAttributes(&text, &local));
    THAT(text.type == cudaMemoryTypeUnregistered);
    GOOD(cudaFree(d));
    GOOD(cudaFreeHost(h));
}

CASE(much_memory) {
    // A device may be used up and given back.
    std::vector<void*> all;
    void* p = nullptr;
    while (cudaMalloc(&p, 256u << 20) == cudaSuccess) all.push_back(p);
    GIVES(cudaErrorMemoryAllocation, cudaGetLastError());
    THAT(all.size() >= 3 && all.size() <= 8);
    for (void* each : all) GOOD(cudaFree(each));
    GOOD(cudaMalloc(&p, 256u << 20));
    GOOD(cudaFree(p));
}

int main(int argc, char** argv) {
    return run_cases(argc > 1 ? argv[1] : "");
}
