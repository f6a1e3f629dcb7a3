// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Bilinear resize by texture objects: normalized coordinates, linear filter, four address modes.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CUDA_CHECK(status)                                                                              \
    if ((status) != cudaSuccess) {                                                                      \
        fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(cudaGetLastError()));             \
        exit(EXIT_FAILURE);                                                                             \
    }

__global__ void resize(float *out, int w, int h, cudaTextureObject_t source, float dx, float dy)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[y * w + x] = tex2D<float>(source, (x + 0.5f) / w + dx, (y + 0.5f) / h + dy);
}

__global__ void byPoints(short2 *out, int w, int h, cudaTextureObject_t source)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[y * w + x] = tex2D<short2>(source, x + 0.5f, y + 0.5f);
}

static float at(const std::vector<float> &in, int w, int h, int x, int y, cudaTextureAddressMode mode)
{
    int e[2] = {x, y}, n[2] = {w, h};
    for (int k = 0; k < 2; k++)
    {
        if (mode == cudaAddressModeClamp) e[k] = e[k] < 0 ? 0 : e[k] >= n[k] ? n[k] - 1 : e[k];
        if (mode == cudaAddressModeWrap) e[k] = (e[k] % n[k] + n[k]) % n[k];
        if (mode == cudaAddressModeMirror)
        {
            int m = (e[k] % (2 * n[k]) + 2 * n[k]) % (2 * n[k]);
            e[k] = m < n[k] ? m : 2 * n[k] - 1 - m;
        }
        if (mode == cudaAddressModeBorder && (e[k] < 0 || e[k] >= n[k])) return 0;
    }
    return in[e[1] * w + e[0]];
}

int main(int argc, char **argv)
{
    const int w = 19, h = 11, W = argc > 1 ? atoi(argv[1]) : 44, H = 26;
    std::vector<float> in(w * h), out(W * H);
    for (int i = 0; i < w * h; i++) in[i] = (i * 613 % 97) / 97.0f;
    cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaArray_t array;
    CUDA_CHECK(cudaMallocArray(&array, &format, w, h));
    CUDA_CHECK(cudaMemcpy2DToArray(array, 0, 0, in.data(), w * 4, w * 4, h, cudaMemcpyHostToDevice));
    float *d_out;
    CUDA_CHECK(cudaMalloc(&d_out, W * H * sizeof(float)));

    struct cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    int wrong = 0;
    for (auto mode : {cudaAddressModeClamp, cudaAddressModeWrap, cudaAddressModeMirror, cudaAddressModeBorder})
    {
        struct cudaTextureDesc description;
        memset(&description, 0, sizeof description);
        description.addressMode[0] = description.addressMode[1] = mode;
        description.filterMode = cudaFilterModeLinear;
        description.readMode = cudaReadModeElementType;
        description.normalizedCoords = 1;
        cudaTextureObject_t texture = 0;
        CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &description, NULL));
        float dx = 0.3f, dy = -0.45f;
        resize<<<dim3((W + 15) / 16, (H + 7) / 8), dim3(16, 8)>>>(d_out, W, H, texture, dx, dy);
        CUDA_CHECK(cudaMemcpy(out.data(), d_out, W * H * sizeof(float), cudaMemcpyDeviceToHost));
        int before = wrong;
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
            {
                double u = ((x + 0.5) / W + dx) * w - 0.5, v = ((y + 0.5) / H + dy) * h - 0.5;
                int i = (int)floor(u), j = (int)floor(v);
                double a = u - i, b = v - j;
                double expected = (1 - a) * (1 - b) * at(in, w, h, i, j, mode) + a * (1 - b) * at(in, w, h, i + 1, j, mode) +
                                  (1 - a) * b * at(in, w, h, i, j + 1, mode) + a * b * at(in, w, h, i + 1, j + 1, mode);
                // Weights have eight bits of fraction on real devices.
                if (!(fabs(out[y * W + x] - expected) < 1.0 / 128)) wrong++;
            }
        printf("address mode %d: %d wrong\n", (int)mode, wrong - before);
        CUDA_CHECK(cudaDestroyTextureObject(texture));
    }
    CUDA_CHECK(cudaFreeArray(array));

    // Pitched memory of two-channel shorts, by element type and points.
    std::vector<short2> pairs(w * h), got(w * h);
    for (int i = 0; i < w * h; i++) pairs[i] = make_short2(i - 100, 7 * i);
    short2 *d_pairs;
    size_t pitch;
    CUDA_CHECK(cudaMallocPitch((void **)&d_pairs, &pitch, w * sizeof(short2), h));
    CUDA_CHECK(cudaMemcpy2D(d_pairs, pitch, pairs.data(), w * sizeof(short2), w * sizeof(short2), h, cudaMemcpyHostToDevice));
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = d_pairs;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<short2>();
    resource.res.pitch2D.width = w;
    resource.res.pitch2D.height = h;
    resource.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc points = {};
    cudaTextureObject_t texture;
    CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &points, NULL));
    byPoints<<<dim3(2, 2), dim3(16, 8)>>>((short2 *)d_out, w, h, texture);
    CUDA_CHECK(cudaMemcpy(got.data(), d_out, w * h * sizeof(short2), cudaMemcpyDeviceToHost));
    for (int i = 0; i < w * h; i++) wrong += got[i].x != pairs[i].x || got[i].y != pairs[i].y;
    printf("%d wrong in all\n%s\n", wrong, wrong ? "FAILED" : "PASSED");
    CUDA_CHECK(cudaDestroyTextureObject(texture));
    CUDA_CHECK(cudaFree(d_pairs));
    CUDA_CHECK(cudaFree(d_out));
    return wrong != 0;
}
