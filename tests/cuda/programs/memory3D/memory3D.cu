// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Volumes: cudaMalloc3D, cudaMemcpy3D of wholes and parts, cudaMemset3D, slices reached by the pitched pointer.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CK(c) do { cudaError_t r = (c); if (r != cudaSuccess) { fprintf(stderr, "line %d: %s %s\n", __LINE__, cudaGetErrorName(r), cudaGetErrorString(r)); exit(1); } } while (0)

__global__ void scale(cudaPitchedPtr volume, cudaExtent extent, float by)
{
    int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    char *slice = (char *)volume.ptr + z * volume.pitch * extent.height;
    float *row = (float *)(slice + y * volume.pitch);
    for (; x < extent.width / sizeof(float); x += blockDim.x) row[x] *= by;
}

int main()
{
    const int w = 19, h = 6, d = 5;
    static float in[d][h][w], out[d][h][w], box[2][3][4];
    int wrong = 0;
    for (int i = 0; i < d * h * w; i++) (&in[0][0][0])[i] = i;
    cudaExtent extent = make_cudaExtent(w * sizeof(float), h, d);
    cudaPitchedPtr volume;
    CK(cudaMalloc3D(&volume, extent));
    wrong += volume.pitch < extent.width || volume.xsize != extent.width || volume.ysize != extent.height;

    cudaMemcpy3DParms p = {0};
    p.srcPtr = make_cudaPitchedPtr(in, w * sizeof(float), w, h);
    p.dstPtr = volume;
    p.extent = extent;
    p.kind = cudaMemcpyHostToDevice;
    CK(cudaMemcpy3D(&p));
    scale<<<dim3(h, d), 16>>>(volume, extent, 2);
    CK(cudaGetLastError());
    cudaMemcpy3DParms back = {0};
    back.srcPtr = volume;
    back.dstPtr = make_cudaPitchedPtr(out, w * sizeof(float), w, h);
    back.extent = extent;
    back.kind = cudaMemcpyDeviceToHost;
    CK(cudaMemcpy3DAsync(&back, 0));
    CK(cudaStreamSynchronize(0));
    for (int z = 0; z < d; z++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) wrong += out[z][y][x] != 2 * in[z][y][x];
    printf("whole volume: %d wrong\n", wrong);

    // A box of 4 x 3 x 2 from (7, 2, 3).
    memset(&p, 0, sizeof p);
    p.srcPtr = volume;
    p.srcPos = make_cudaPos(7 * sizeof(float), 2, 3);
    p.dstPtr = make_cudaPitchedPtr(box, 4 * sizeof(float), 4, 3);
    p.extent = make_cudaExtent(4 * sizeof(float), 3, 2);
    p.kind = cudaMemcpyDeviceToHost;
    CK(cudaMemcpy3D(&p));
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 4; x++) wrong += box[z][y][x] != 2 * in[z + 3][y + 2][x + 7];
    printf("a box: %d wrong\n", wrong);

    CK(cudaMemset3D(volume, 0xff, make_cudaExtent(8, 2, 4)));
    CK(cudaMemcpy3D(&back));
    for (int z = 0; z < d; z++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
            {
                unsigned bits;
                memcpy(&bits, &out[z][y][x], 4);
                bool set = x < 2 && y < 2 && z < 4;
                wrong += set ? bits != 0xffffffffu : out[z][y][x] != 2 * in[z][y][x];
            }
    CK(cudaFree(volume.ptr));
    printf("%d wrong\n%s\n", wrong, wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
