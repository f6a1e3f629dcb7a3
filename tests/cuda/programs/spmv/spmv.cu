// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Sparse matrix by vector over linear textures, float and double (as int2), in the manner of SHOC.
#include <cuda.h>
#include <cuda_runtime.h>
#include <cassert>
#include <cmath>
#include <iostream>
#include <stdlib.h>
using namespace std;

#define CUDA_SAFE_CALL( call) do {                                         \
    cudaError err = call;                                                  \
    if( cudaSuccess != err) {                                              \
        cerr << __FILE__ << ":" << __LINE__ << ": " << cudaGetErrorString(err) << endl; \
        exit(EXIT_FAILURE);                                                \
    } } while (0)

texture<float, 1> vecTex;
texture<int2, 1> vecTexD;

static const int BLOCK_SIZE = 64;
static const int WARP_SIZE = 32;

// A fetch for each precision.
struct texReaderSP
{
    __device__ __forceinline__ float operator()(const int idx) const { return tex1Dfetch(vecTex, idx); }
};
struct texReaderDP
{
    __device__ __forceinline__ double operator()(const int idx) const
    {
        int2 v = tex1Dfetch(vecTexD, idx);
#if (__CUDA_ARCH__ < 130)
        return __longlong_as_double(((long long)v.y << 32) | (unsigned int)v.x);
#else
        return __hiloint2double(v.y, v.x);
#endif
    }
};

template <typename fpType, typename texReader>
__global__ void spmv_csr_scalar_kernel(const fpType *__restrict__ val, const int *__restrict__ cols, const int *__restrict__ rowDelimiters,
                                       const int dim, fpType *__restrict__ out)
{
    int myRow = blockIdx.x * blockDim.x + threadIdx.x;
    texReader vecTexReader;
    if (myRow < dim)
    {
        fpType t = 0.0f;
        int start = rowDelimiters[myRow], end = rowDelimiters[myRow + 1];
        for (int j = start; j < end; j++) t += val[j] * vecTexReader(cols[j]);
        out[myRow] = t;
    }
}

template <typename fpType, typename texReader>
__global__ void spmv_csr_vector_kernel(const fpType *__restrict__ val, const int *__restrict__ cols, const int *__restrict__ rowDelimiters,
                                       const int dim, fpType *__restrict__ out)
{
    int t = threadIdx.x, id = t & (WARP_SIZE - 1), warpsPerBlock = blockDim.x / WARP_SIZE;
    int myRow = (blockIdx.x * warpsPerBlock) + (t / WARP_SIZE);
    texReader vecTexReader;
    __shared__ volatile fpType partialSums[BLOCK_SIZE];
    if (myRow < dim)
    {
        fpType mySum = 0;
        for (int j = rowDelimiters[myRow] + id; j < rowDelimiters[myRow + 1]; j += WARP_SIZE) mySum += val[j] * vecTexReader(cols[j]);
        partialSums[t] = mySum;
        // Steps of one warp: no barrier, as before Volta.
        if (id < 16) partialSums[t] += partialSums[t + 16];
        if (id < 8) partialSums[t] += partialSums[t + 8];
        if (id < 4) partialSums[t] += partialSums[t + 4];
        if (id < 2) partialSums[t] += partialSums[t + 2];
        if (id < 1) partialSums[t] += partialSums[t + 1];
        if (id == 0) out[myRow] = partialSums[t];
    }
}

template <typename T> void bindVector(T *d, size_t bytes);
template <> void bindVector<float>(float *d, size_t bytes)
{
    cudaChannelFormatDesc channelDesc = cudaCreateChannelDesc<float>();
    CUDA_SAFE_CALL(cudaBindTexture(0, vecTex, d, channelDesc, bytes));
}
template <> void bindVector<double>(double *d, size_t bytes)
{
    cudaChannelFormatDesc channelDesc = cudaCreateChannelDesc<int2>();
    CUDA_SAFE_CALL(cudaBindTexture(0, vecTexD, d, channelDesc, bytes));
}

template <typename T, typename Reader> bool test(int dim, double tolerance, const char *name)
{
    int *rows = new int[dim + 1], *cols = new int[dim * 40], *d_rows, *d_cols, n = 0;
    T *val = new T[dim * 40], *vec = new T[dim], *out = new T[dim], *d_val, *d_vec, *d_out;
    for (int i = 0; i < dim; i++)
    {
        rows[i] = n;
        for (int k = rand() % 40; k > 0; k--)
        {
            cols[n] = rand() % dim;
            val[n++] = T(rand()) / RAND_MAX - T(0.5);
        }
        vec[i] = T(rand()) / RAND_MAX;
    }
    rows[dim] = n;
    CUDA_SAFE_CALL(cudaMalloc((void **)&d_val, n * sizeof(T)));
    CUDA_SAFE_CALL(cudaMalloc((void **)&d_cols, n * sizeof(int)));
    CUDA_SAFE_CALL(cudaMalloc((void **)&d_rows, (dim + 1) * sizeof(int)));
    CUDA_SAFE_CALL(cudaMalloc((void **)&d_vec, dim * sizeof(T)));
    CUDA_SAFE_CALL(cudaMalloc((void **)&d_out, dim * sizeof(T)));
    CUDA_SAFE_CALL(cudaMemcpy(d_val, val, n * sizeof(T), cudaMemcpyHostToDevice));
    CUDA_SAFE_CALL(cudaMemcpy(d_cols, cols, n * sizeof(int), cudaMemcpyHostToDevice));
    CUDA_SAFE_CALL(cudaMemcpy(d_rows, rows, (dim + 1) * sizeof(int), cudaMemcpyHostToDevice));
    CUDA_SAFE_CALL(cudaMemcpy(d_vec, vec, dim * sizeof(T), cudaMemcpyHostToDevice));
    bindVector<T>(d_vec, dim * sizeof(T));
    bool right = true;
    for (int kernel = 0; kernel < 2; kernel++)
    {
        cudaEvent_t start, stop;
        CUDA_SAFE_CALL(cudaEventCreate(&start));
        CUDA_SAFE_CALL(cudaEventCreate(&stop));
        CUDA_SAFE_CALL(cudaMemset(d_out, 0, dim * sizeof(T)));
        CUDA_SAFE_CALL(cudaEventRecord(start, 0));
        if (kernel == 0)
            spmv_csr_scalar_kernel<T, Reader><<<(dim + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(d_val, d_cols, d_rows, dim, d_out);
        else
            spmv_csr_vector_kernel<T, Reader><<<(dim + 1) / 2, BLOCK_SIZE>>>(d_val, d_cols, d_rows, dim, d_out);
        CUDA_SAFE_CALL(cudaEventRecord(stop, 0));
        CUDA_SAFE_CALL(cudaEventSynchronize(stop));
        float ms;
        CUDA_SAFE_CALL(cudaEventElapsedTime(&ms, start, stop));
        CUDA_SAFE_CALL(cudaMemcpy(out, d_out, dim * sizeof(T), cudaMemcpyDeviceToHost));
        double worst = 0;
        for (int i = 0; i < dim; i++)
        {
            double sum = 0;
            for (int j = rows[i]; j < rows[i + 1]; j++) sum += (double)val[j] * vec[cols[j]];
            if (!(fabs(sum - out[i]) <= worst)) worst = fabs(sum - out[i]);
        }
        cout << name << (kernel ? " vector: " : " scalar: ") << ms << " ms, worst difference " << worst << endl;
        right = right && worst < tolerance;
        CUDA_SAFE_CALL(cudaEventDestroy(start));
        CUDA_SAFE_CALL(cudaEventDestroy(stop));
    }
    CUDA_SAFE_CALL(sizeof(T) == 4 ? cudaUnbindTexture(vecTex) : cudaUnbindTexture(vecTexD));
    CUDA_SAFE_CALL(cudaFree(d_val)); CUDA_SAFE_CALL(cudaFree(d_cols)); CUDA_SAFE_CALL(cudaFree(d_rows));
    CUDA_SAFE_CALL(cudaFree(d_vec)); CUDA_SAFE_CALL(cudaFree(d_out));
    delete[] rows; delete[] cols; delete[] val; delete[] vec; delete[] out;
    return right;
}

int main(int argc, char **argv)
{
    int dim = argc > 1 ? atoi(argv[1]) : 100;
    srand48(8675309L);
    bool right = test<float, texReaderSP>(dim, 1e-5, "float");
    right = test<double, texReaderDP>(dim, 1e-13, "double") && right;
    cout << (right ? "PASSED" : "FAILED") << endl;
    return right ? 0 : 1;
}
