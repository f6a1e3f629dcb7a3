// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Host of the separable filter: plain C++ that never sees a kernel.
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>

#include <cmath>
#include <vector>

#include "convolutionSeparable_common.h"

int main(int argc, char** argv) {
    const int w = argc > 1 ? 16 * atoi(argv[1]) : 80, h = 36;
    std::vector<float> kernel(KERNEL_LENGTH), in(w * h), rows(w * h), expected(w * h), got(w * h);
    for (float& f : kernel) f = (float)(rand() % 16);
    for (float& f : in) f = (float)(rand() % 16);
    float *d_Input, *d_Output, *d_Buffer;
    size_t bytes = w * h * sizeof(float);
    checkCudaErrors(cudaMalloc((void**)&d_Input, bytes));
    checkCudaErrors(cudaMalloc((void**)&d_Output, bytes));
    checkCudaErrors(cudaMalloc((void**)&d_Buffer, bytes));
    setConvolutionKernel(kernel.data());
    checkCudaErrors(cudaMemcpy(d_Input, in.data(), bytes, cudaMemcpyHostToDevice));
    convolutionRowsGPU(d_Buffer, d_Input, w, h);
    convolutionColumnsGPU(d_Output, d_Buffer, w, h);
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaMemcpy(got.data(), d_Output, bytes, cudaMemcpyDeviceToHost));

    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; k++)
                if (x + k >= 0 && x + k < w)
                    rows[y * w + x] += in[y * w + x + k] * kernel[KERNEL_RADIUS - k];
    double delta = 0, sum = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; k++)
                if (y + k >= 0 && y + k < h)
                    expected[y * w + x] += rows[(y + k) * w + x] * kernel[KERNEL_RADIUS - k];
            delta += pow(expected[y * w + x] - got[y * w + x], 2);
            sum += pow(expected[y * w + x], 2);
        }
    double L2norm = sqrt(delta / sum);
    printf("Relative L2 norm: %E\n", L2norm);
    checkCudaErrors(cudaFree(d_Buffer));
    checkCudaErrors(cudaFree(d_Output));
    checkCudaErrors(cudaFree(d_Input));
    printf("%s\n", L2norm < 1e-6 ? "PASSED" : "FAILED");
    return L2norm < 1e-6 ? EXIT_SUCCESS : EXIT_FAILURE;
}
