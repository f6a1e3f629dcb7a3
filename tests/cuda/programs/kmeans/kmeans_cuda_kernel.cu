// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#ifndef _KMEANS_CUDA_KERNEL_H_
#define _KMEANS_CUDA_KERNEL_H_
#define ASSUMED_NR_CLUSTERS 32

texture<float, 1, cudaReadModeElementType> t_features;
texture<float, 1, cudaReadModeElementType> t_clusters;
__constant__ float c_clusters[ASSUMED_NR_CLUSTERS * 34];

// Turns rows of points into rows of features, so that neighbours read neighbours.
__global__ void invert_mapping(float *input, float *output, int npoints, int nfeatures)
{
    int point_id = threadIdx.x + blockDim.x * blockIdx.x;
    if (point_id < npoints)
        for (int i = 0; i < nfeatures; i++) output[point_id + npoints * i] = input[point_id * nfeatures + i];
}

__global__ void kmeansPoint(int nfeatures, int npoints, int nclusters, int *membership, int *delta)
{
    const unsigned int block_id = gridDim.x * blockIdx.y + blockIdx.x;
    const unsigned int point_id = block_id * blockDim.x * blockDim.y + threadIdx.x;
    int index = -1;
    if (point_id >= npoints) return;
    float min_dist = 3.402823466e+38f;
    for (int i = 0; i < nclusters; i++)
    {
        float ans = 0.0;
        for (int j = 0; j < nfeatures; j++)
        {
            float diff = tex1Dfetch(t_features, point_id + j * npoints) - c_clusters[i * nfeatures + j];
            ans += diff * diff;
        }
        if (ans < min_dist) { min_dist = ans; index = i; }
    }
    if (membership[point_id] != index) atomicAdd(delta, 1);
    membership[point_id] = index;
}

__global__ void distances(int nfeatures, int npoints, const int *membership, float *out)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= npoints) return;
    float sum = 0;
    for (int j = 0; j < nfeatures; j++)
    {
        float d = tex1Dfetch(t_features, p + j * npoints) - tex1Dfetch(t_clusters, membership[p] * nfeatures + j);
        sum += d * d;
    }
    out[p] = sqrtf(sum);
}
#endif
