// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Pitched rows through a 2-D texture reference against the same values through an array, both shifted and wrapped. */
#include <stdio.h>
#include <helper_functions.h>
#include <helper_cuda.h>

#define TILE_DIM 16

texture<float, 2, cudaReadModeElementType> texRefPL;
texture<float, 2, cudaReadModeElementType> texRefArray;

__global__ void shiftPitchLinear(float *odata, int pitch, int width, int height, int shiftX, int shiftY)
{
    int xid = blockIdx.x * blockDim.x + threadIdx.x, yid = blockIdx.y * blockDim.y + threadIdx.y;
    if (xid < width && yid < height) odata[yid * pitch + xid] = tex2D(texRefPL, (xid + shiftX) / (float)width, (yid + shiftY) / (float)height);
}

__global__ void shiftArray(float *odata, int pitch, int width, int height, int shiftX, int shiftY)
{
    int xid = blockIdx.x * blockDim.x + threadIdx.x, yid = blockIdx.y * blockDim.y + threadIdx.y;
    if (xid < width && yid < height) odata[yid * pitch + xid] = tex2D(texRefArray, (xid + shiftX) / (float)width, (yid + shiftY) / (float)height);
}

int main(int argc, char **argv)
{
    // Powers of two: the quotients are exact.
    const int nx = 64, ny = 16, x_shift = 5, y_shift = 7;
    int wrong = 0;
    findCudaDevice(argc, (const char **)argv);
    float *h_idata = (float *)malloc(sizeof(float) * nx * ny), *h_odata = (float *)malloc(sizeof(float) * nx * ny);
    for (int i = 0; i < nx * ny; ++i) h_idata[i] = (float)i;
    float *d_idataPL, *d_odata;
    cudaArray *d_idataArray;
    size_t d_pitchBytes;
    checkCudaErrors(cudaMallocPitch((void **)&d_idataPL, &d_pitchBytes, nx * sizeof(float), ny));
    checkCudaErrors(cudaMallocPitch((void **)&d_odata, &d_pitchBytes, nx * sizeof(float), ny));
    cudaChannelFormatDesc channelDesc = cudaCreateChannelDesc<float>();
    checkCudaErrors(cudaMallocArray(&d_idataArray, &channelDesc, nx, ny));
    size_t h_pitchBytes = nx * sizeof(float);
    checkCudaErrors(cudaMemcpy2D(d_idataPL, d_pitchBytes, h_idata, h_pitchBytes, nx * sizeof(float), ny, cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemcpyToArray(d_idataArray, 0, 0, h_idata, nx * ny * sizeof(float), cudaMemcpyHostToDevice));

    texRefPL.normalized = texRefArray.normalized = 1;
    texRefPL.filterMode = texRefArray.filterMode = cudaFilterModePoint;
    for (int k = 0; k < 2; k++) texRefPL.addressMode[k] = texRefArray.addressMode[k] = cudaAddressModeWrap;
    size_t offset = 1;
    checkCudaErrors(cudaBindTexture2D(&offset, &texRefPL, d_idataPL, &channelDesc, nx, ny, d_pitchBytes));
    wrong += offset != 0;
    checkCudaErrors(cudaBindTextureToArray(texRefArray, d_idataArray, channelDesc));
    dim3 dimGrid(nx / TILE_DIM, ny / TILE_DIM), dimBlock(TILE_DIM, TILE_DIM);
    for (int which = 0; which < 2; which++)
    {
        checkCudaErrors(cudaMemset2D(d_odata, d_pitchBytes, 0, nx * sizeof(float), ny));
        if (which == 0)
            shiftPitchLinear<<<dimGrid, dimBlock>>>(d_odata, (int)(d_pitchBytes / sizeof(float)), nx, ny, x_shift, y_shift);
        else
            shiftArray<<<dimGrid, dimBlock>>>(d_odata, (int)(d_pitchBytes / sizeof(float)), nx, ny, x_shift, y_shift);
        getLastCudaError("a shift failed");
        checkCudaErrors(cudaMemcpy2D(h_odata, h_pitchBytes, d_odata, d_pitchBytes, nx * sizeof(float), ny, cudaMemcpyDeviceToHost));
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i) wrong += h_odata[j * nx + i] != h_idata[(j + y_shift) % ny * nx + (i + x_shift) % nx];
        printf("%s: %d wrong so far\n", which ? "array" : "pitch linear", wrong);
    }
    checkCudaErrors(cudaUnbindTexture(texRefPL));
    checkCudaErrors(cudaUnbindTexture(texRefArray));
    checkCudaErrors(cudaFree(d_idataPL)); checkCudaErrors(cudaFree(d_odata));
    checkCudaErrors(cudaFreeArray(d_idataArray));
    free(h_idata); free(h_odata);
    printf("%s\n", wrong ? "FAILED" : "PASSED");
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
