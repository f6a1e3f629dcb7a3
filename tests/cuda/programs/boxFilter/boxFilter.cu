// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Box filter over a texture reference that is bound to an array; a second pass over a normalized uchar4 one. */
#include <helper_cuda.h>
#include <helper_functions.h>

typedef unsigned int uint;
typedef unsigned char uchar;

texture<float, 2> tex;
texture<uchar4, 2, cudaReadModeNormalizedFloat> rgbaTex;

__global__ void d_boxfilter_x(float *od, int w, int h, int r)
{
    float scale = 1.0f / (float)((r << 1) + 1);
    uint y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= h) return;
    float t = 0.0f;
    for (int x = -r; x <= r; x++) t += tex2D(tex, x, y);
    od[y * w] = t * scale;
    for (int x = 1; x < w; x++)
    {
        t += tex2D(tex, x + r, y);
        t -= tex2D(tex, x - r - 1, y);
        od[y * w + x] = t * scale;
    }
}

__device__ uint rgbaFloatToInt(float4 rgba)
{
    rgba.x = __saturatef(rgba.x);
    rgba.y = __saturatef(rgba.y);
    rgba.z = __saturatef(rgba.z);
    rgba.w = __saturatef(rgba.w);
    return (uint(rgba.w * 255.0f + 0.5f) << 24) | (uint(rgba.z * 255.0f + 0.5f) << 16) | (uint(rgba.y * 255.0f + 0.5f) << 8) | uint(rgba.x * 255.0f + 0.5f);
}

__global__ void d_boxfilter_rgba(uint *od, int w, int h, int r)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float4 t = make_float4(0, 0, 0, 0);
    for (int dx = -r; dx <= r; dx++)
    {
        float4 p = tex2D(rgbaTex, x + dx, y);
        t.x += p.x; t.y += p.y; t.z += p.z; t.w += p.w;
    }
    float scale = 1.0f / (2 * r + 1);
    t.x *= scale; t.y *= scale; t.z *= scale; t.w *= scale;
    od[y * w + x] = rgbaFloatToInt(t);
}

static int bounded(int x, int n) { return x < 0 ? 0 : x >= n ? n - 1 : x; }

int main(int argc, char **argv)
{
    int width = 40, height = 24, r = 3;
    if (checkCmdLineFlag(argc, (const char **)argv, "radius")) r = getCmdLineArgumentInt(argc, (const char **)argv, "radius");
    int n = width * height, wrong = 0;
    float *h_img = new float[n], *h_out = new float[n], *d_out;
    for (int i = 0; i < n; i++) h_img[i] = (i * 7919 % 1000) * 0.001f;

    cudaArray *d_array;
    cudaChannelFormatDesc channelDesc = cudaCreateChannelDesc<float>();
    checkCudaErrors(cudaMallocArray(&d_array, &channelDesc, width, height));
    checkCudaErrors(cudaMemcpyToArray(d_array, 0, 0, h_img, n * sizeof(float), cudaMemcpyHostToDevice));
    tex.addressMode[0] = tex.addressMode[1] = cudaAddressModeClamp;
    checkCudaErrors(cudaBindTextureToArray(tex, d_array));
    checkCudaErrors(cudaMalloc((void **)&d_out, n * sizeof(float)));
    d_boxfilter_x<<<(height + 31) / 32, 32>>>(d_out, width, height, r);
    getLastCudaError("d_boxfilter_x failed");
    checkCudaErrors(cudaMemcpy(h_out, d_out, n * sizeof(float), cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
        {
            double sum = 0;
            for (int dx = -r; dx <= r; dx++) sum += h_img[y * width + bounded(x + dx, width)];
            wrong += !(fabs(sum / (2 * r + 1) - h_out[y * width + x]) < 1e-5);
        }
    printf("float: %d wrong\n", wrong);
    checkCudaErrors(cudaUnbindTexture(tex));
    checkCudaErrors(cudaFreeArray(d_array));

    uchar4 *h_rgba = new uchar4[n];
    uint *h_packed = new uint[n];
    for (int i = 0; i < n; i++) h_rgba[i] = make_uchar4(i, i * 3, i * 5, 255 - i % 7);
    channelDesc = cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
    checkCudaErrors(cudaMallocArray(&d_array, &channelDesc, width, height));
    checkCudaErrors(cudaMemcpy2DToArray(d_array, 0, 0, h_rgba, width * 4, width * 4, height, cudaMemcpyHostToDevice));
    checkCudaErrors(cudaBindTextureToArray(rgbaTex, d_array, channelDesc));
    d_boxfilter_rgba<<<dim3(3, 3), dim3(16, 8)>>>((uint *)d_out, width, height, r);
    getLastCudaError("d_boxfilter_rgba failed");
    checkCudaErrors(cudaMemcpy(h_packed, d_out, n * sizeof(uint), cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int c = 0; c < 4; c++)
            {
                double sum = 0;
                for (int dx = -r; dx <= r; dx++) sum += (&h_rgba[y * width + bounded(x + dx, width)].x)[c];
                int got = (h_packed[y * width + x] >> (8 * c)) & 255;
                wrong += fabs(sum / (2 * r + 1) - got) > 0.51;
            }
    printf("rgba: %d wrong in all\n", wrong);
    checkCudaErrors(cudaUnbindTexture(rgbaTex));
    checkCudaErrors(cudaFreeArray(d_array));
    checkCudaErrors(cudaFree(d_out));
    delete[] h_img; delete[] h_out; delete[] h_rgba; delete[] h_packed;
    puts(wrong ? "FAILED" : "PASSED");
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
