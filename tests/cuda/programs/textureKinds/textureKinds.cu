// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Texture references of many element types at once, bound by each of the functions that there are.
#include <stdio.h>
#include <cuda_runtime.h>

static texture<unsigned char, 2, cudaReadModeNormalizedFloat> bytes;
texture<float2, 2, cudaReadModeElementType> pairs;
texture<uchar4, 2> colours;
texture<short4, 1, cudaReadModeElementType> shorts;
texture<signed char, 1> small;
texture<unsigned short, 1, cudaReadModeNormalizedFloat> fractions;
texture<uint4, 1> words;
texture<int2, 1> halves;

// A double, as its two words.
static __inline__ __device__ double fetch_double(texture<int2, 1> t, int i)
{
    int2 v = tex1Dfetch(t, i);
    return __hiloint2double(v.y, v.x);
}

// nvcc inlines what takes a texture.
template <int n>
__noinline__ __device__ float turns(texture<uint4, 1> t, int i)
{
    float sum = 0;
    for (int k = 0; k < n; k++) sum += tex1Dfetch(t, (i + k) % 64).y;
    return sum - tex1Dfetch(t, (i + 1) % 64).y - tex1Dfetch(t, (i + 2) % 64).y;
}

__global__ void add_all(float *out)
{
    int x = threadIdx.x, y = threadIdx.y, i = y * 8 + x;
    float2 between = tex2D(pairs, x + 1.0f, y + 0.5f);
    out[i] = tex2D(bytes, x, y) * 255 + between.x + between.y + tex2D(colours, x, y).z + tex1Dfetch(shorts, i).w +
             tex1Dfetch(small, i) + tex1Dfetch(fractions, i) * 65535 + turns<3>(words, i) + fetch_double(halves, i);
}

template <typename T>
T *on_device(const T *host, int n)
{
    T *device;
    cudaMalloc((void **)&device, n * sizeof(T));
    cudaMemcpy(device, host, n * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

int main()
{
    unsigned char b[64];
    float2 p[64];
    uchar4 c[64];
    short4 s[64];
    signed char m[64];
    unsigned short f[64];
    uint4 w[64];
    double d[64];
    for (int i = 0; i < 64; i++)
    {
        b[i] = 3 * i;
        p[i] = make_float2(2 * i, 4 * i);
        c[i] = make_uchar4(0, 0, i, 0);
        s[i] = make_short4(0, 1, 2, -5 * i);
        m[i] = -i;
        f[i] = 1000 * i;
        w[i] = make_uint4(0, 7 * i, 0, 0);
        d[i] = 0.5 * i;
    }
    cudaArray *byte_array, *pair_array, *colour_array;
    cudaChannelFormatDesc byte_channel = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
    cudaMallocArray(&byte_array, &byte_channel, 8, 8);
    cudaMemcpyToArray(byte_array, 0, 0, b, sizeof b, cudaMemcpyHostToDevice);
    bytes.addressMode[0] = cudaAddressModeClamp;
    bytes.addressMode[1] = cudaAddressModeClamp;
    bytes.filterMode = cudaFilterModePoint;
    bytes.normalized = false;
    cudaBindTextureToArray(bytes, byte_array, byte_channel);

    cudaChannelFormatDesc pair_channel = cudaCreateChannelDesc<float2>();
    cudaMallocArray(&pair_array, &pair_channel, 8, 8);
    cudaMemcpy2DToArray(pair_array, 0, 0, p, 8 * sizeof(float2), 8 * sizeof(float2), 8, cudaMemcpyHostToDevice);
    pairs.filterMode = cudaFilterModeLinear;
    pairs.addressMode[0] = cudaAddressModeClamp;
    cudaBindTextureToArray(pairs, pair_array);

    cudaMallocArray(&colour_array, &colours.channelDesc, 8, 8);
    cudaMemcpyToArray(colour_array, 0, 0, c, sizeof c, cudaMemcpyHostToDevice);
    cudaBindTextureToArray(&colours, colour_array, &colours.channelDesc);

    size_t offset = 1;
    short4 *ds = on_device(s, 64);
    signed char *dm = on_device(m, 64);
    unsigned short *df = on_device(f, 64);
    uint4 *dw = on_device(w, 64);
    double *dd = on_device(d, 64);
    cudaBindTexture(NULL, shorts, ds);
    cudaBindTexture(0, &small, dm, &small.channelDesc, sizeof m);
    cudaBindTexture(&offset, fractions, df, sizeof f);
    cudaBindTexture(0, words, dw, words.channelDesc, sizeof w);
    cudaBindTexture(0, halves, (int2 *)dd, sizeof d);

    float *out, result[64];
    cudaMalloc((void **)&out, sizeof result);
    add_all<<<1, dim3(8, 8)>>>(out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    int wrong = offset != 0;
    for (int i = 0; i < 64; i++)
    {
        // Between two columns, the last one with itself.
        float between = i % 8 == 7 ? 6 * i : 6 * i + 3;
        float expected = 3 * i + between + i - 5 * i - i + 1000 * i + 7 * i + 0.5f * i;
        float difference = result[i] - expected;
        if (!(difference < 0.02f && difference > -0.02f)) wrong++;
    }
    cudaUnbindTexture(&small);
    cudaUnbindTexture(bytes);
    cudaFreeArray(byte_array);
    cudaFreeArray(pair_array);
    cudaFreeArray(colour_array);
    printf("%d wrong, %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
    puts(wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
