// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// One step of training a layer; C, C++ and CUDA files in one program.
#include <stdlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <cuda.h>
#include "backprop.h"
#include "backprop_cuda_kernel.cu"

extern "C" void bpnn_train_cuda(BPNN *net, float *hidden)
{
    int in = net->input_n, hid = net->hidden_n, num_blocks = in / 16;
    dim3 grid(1, num_blocks), threads(16, 16);
    float *flat = (float *)malloc((in + 1) * (hid + 1) * sizeof(float)), *partial = (float *)malloc(num_blocks * WIDTH * sizeof(float));
    for (int k = 0; k <= in; k++) memcpy(flat + k * (hid + 1), net->input_weights[k], (hid + 1) * sizeof(float));
    float *input_cuda, *weights_cuda, *output_cuda, *sums_cuda, *delta_cuda, *prev_cuda;
    cudaMalloc((void **)&input_cuda, (in + 1) * sizeof(float));
    cudaMalloc((void **)&output_cuda, (hid + 1) * sizeof(float));
    cudaMalloc((void **)&weights_cuda, (in + 1) * (hid + 1) * sizeof(float));
    cudaMalloc((void **)&prev_cuda, (in + 1) * (hid + 1) * sizeof(float));
    cudaMalloc((void **)&sums_cuda, num_blocks * WIDTH * sizeof(float));
    cudaMalloc((void **)&delta_cuda, (hid + 1) * sizeof(float));
    cudaMemcpy(input_cuda, net->input_units, (in + 1) * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(weights_cuda, flat, (in + 1) * (hid + 1) * sizeof(float), cudaMemcpyHostToDevice);
    bpnn_layerforward_CUDA<<<grid, threads>>>(input_cuda, output_cuda, weights_cuda, sums_cuda, in, hid);
    cudaThreadSynchronize();
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) { printf("bpnn kernel error: %s\n", cudaGetErrorString(error)); exit(EXIT_FAILURE); }
    cudaMemcpy(partial, sums_cuda, num_blocks * WIDTH * sizeof(float), cudaMemcpyDeviceToHost);
    for (int j = 1; j <= hid; j++)
    {
        float sum = net->input_weights[0][j];
        for (int k = 0; k < num_blocks; k++) sum += partial[k * hid + j - 1];
        hidden[j] = float(1.0 / (1.0 + exp(-sum)));
    }
    cudaMemcpy(delta_cuda, net->hidden_delta, (hid + 1) * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(prev_cuda, 0, (in + 1) * (hid + 1) * sizeof(float));
    bpnn_adjust_weights_cuda<<<grid, threads>>>(delta_cuda, hid, input_cuda, in, weights_cuda, prev_cuda);
    cudaMemcpy(flat, weights_cuda, (in + 1) * (hid + 1) * sizeof(float), cudaMemcpyDeviceToHost);
    for (int k = 0; k <= in; k++) memcpy(net->input_weights[k], flat + k * (hid + 1), (hid + 1) * sizeof(float));
    cudaFree(input_cuda); cudaFree(output_cuda); cudaFree(weights_cuda); cudaFree(prev_cuda); cudaFree(sums_cuda); cudaFree(delta_cuda);
    free(flat); free(partial);
}

int main(int argc, char **argv)
{
    int layer_size = argc > 1 ? atoi(argv[1]) : 128, hid = 16, wrong = 0;
    if (layer_size % 16 != 0)
    {
        fprintf(stderr, "The number of input points must be divided by 16\n");
        exit(0);
    }
    BPNN *net = bpnn_create(layer_size, hid);
    double before[17] = {0}, (*weights)[17] = new double[layer_size + 1][17];
    for (int j = 1; j <= hid; j++)
    {
        double sum = 0;
        for (int k = 0; k <= layer_size; k++)
        {
            sum += net->input_weights[k][j] * net->input_units[k];
            weights[k][j] = net->input_weights[k][j] + ETA * net->hidden_delta[j] * net->input_units[k];
        }
        before[j] = 1 / (1 + exp(-sum));
    }
    float hidden[17];
    bpnn_train_cuda(net, hidden);
    for (int j = 1; j <= hid; j++)
    {
        wrong += !(fabs(hidden[j] - before[j]) < 1e-5);
        for (int k = 0; k <= layer_size; k++) wrong += !(fabs(net->input_weights[k][j] - weights[k][j]) < 1e-6);
    }
    bpnn_free(net);
    delete[] weights;
    printf("%d values wrong\n%s\n", wrong, wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
