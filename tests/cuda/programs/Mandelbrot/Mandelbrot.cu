// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* The Mandelbrot set as an image file, in float and in double, rows taken from a common counter. */
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(x) { cudaError_t err = (x); if (err != cudaSuccess) { fprintf(stderr, "%s at %s:%d\n", cudaGetErrorString(err), __FILE__, __LINE__); exit(1); } }

__device__ unsigned int nextRow = 0;

template <class T> __host__ __device__ inline int CalcMandelbrot(const T xPos, const T yPos, const int crunch)
{
    T x = 0, y = 0, xx = 0, yy = 0;
    int i = crunch;
    while (--i && (xx + yy < T(4)))
    {
        y = x * y * T(2) + yPos;
        x = xx - yy + xPos;
        yy = y * y;
        xx = x * x;
    }
    return i;
}

template <class T> __global__ void Mandelbrot(uchar4 *dst, const int imageW, const int imageH, const int crunch, const T xOff, const T yOff, const T scale)
{
    __shared__ unsigned int row;
    while (true)
    {
        if (threadIdx.x == 0) row = atomicAdd(&nextRow, 1);
        __syncthreads();
        unsigned int y = row;
        __syncthreads();
        if (y >= imageH) break;
        for (int x = threadIdx.x; x < imageW; x += blockDim.x)
        {
            int m = CalcMandelbrot<T>(xOff + x * scale, yOff + y * scale, crunch);
            uchar4 color = make_uchar4(m * 3, m * 5, m * 7, m > 0 ? 255 : 0);
            dst[imageW * y + x] = color;
        }
    }
}

template <class T> int picture(const char *name, int w, int h, int crunch, T xOff, T yOff, T scale)
{
    uchar4 *d_dst;
    CHECK(cudaMalloc(&d_dst, w * h * sizeof(uchar4)));
    unsigned int zero = 0, rows;
    CHECK(cudaMemcpyToSymbol(nextRow, &zero, sizeof zero));
    Mandelbrot<T><<<4, 64>>>(d_dst, w, h, crunch, xOff, yOff, scale);
    CHECK(cudaGetLastError());
    std::vector<uchar4> pixels(w * h);
    CHECK(cudaMemcpy(pixels.data(), d_dst, w * h * sizeof(uchar4), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyFromSymbol(&rows, nextRow, sizeof rows));
    CHECK(cudaFree(d_dst));
    FILE *file = fopen(name, "wb");
    if (!file) { perror(name); return 1 << 30; }
    fprintf(file, "P6\n%d %d\n255\n", w, h);
    for (uchar4 p : pixels) { fputc(p.x, file); fputc(p.y, file); fputc(p.z, file); }
    fclose(file);
    int wrong = 0, inside = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
        {
            int m = CalcMandelbrot<T>(xOff + x * scale, yOff + y * scale, crunch);
            uchar4 p = pixels[w * y + x];
            inside += m == 0;
            wrong += p.x != (unsigned char)(m * 3) || p.y != (unsigned char)(m * 5) || p.z != (unsigned char)(m * 7) || p.w != (m > 0 ? 255 : 0);
        }
    printf("%s: %d of %d pixels inside, %d wrong\n", name, inside, w * h, wrong);
    // The CPU may contract other products, which moves points on the edge.
    return wrong * 50 > w * h || rows != h + 4;
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : ".";
    char name[1000];
    snprintf(name, sizeof name, "%s/set.ppm", folder);
    int failed = picture<float>(name, 96, 40, 48, -2.0f, -1.0f, 0.03f);
    failed += picture<double>(name, 40, 12, 24, -0.8, 0.05, 0.01);
    remove(name);
    printf("%s\n", failed ? "FAILED" : "PASSED");
    return failed;
}
