// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// k-means: features in a texture, centres in constant memory and in a texture; the host moves the centres.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <cuda.h>
#include <float.h>
#include <string.h>
#include "kmeans_cuda_kernel.cu"

#define THREADS_PER_DIM 8

extern "C" int kmeansCuda(float **feature, int nfeatures, int npoints, int nclusters, int *membership, float **clusters, float *dist, int rounds)
{
    int num_threads = THREADS_PER_DIM * THREADS_PER_DIM, num_blocks = (npoints + num_threads - 1) / num_threads, blocks_perdim = 1;
    while (blocks_perdim * blocks_perdim < num_blocks) blocks_perdim++;
    float *feature_d, *feature_flipped_d, *clusters_d, *dist_d;
    int *membership_d, *delta_d, delta = 0, round = 0;
    cudaMalloc((void **)&feature_flipped_d, npoints * nfeatures * sizeof(float));
    cudaMalloc((void **)&feature_d, npoints * nfeatures * sizeof(float));
    cudaMalloc((void **)&clusters_d, nclusters * nfeatures * sizeof(float));
    cudaMalloc((void **)&membership_d, npoints * sizeof(int));
    cudaMalloc((void **)&dist_d, npoints * sizeof(float));
    cudaMalloc((void **)&delta_d, sizeof(int));
    cudaMemcpy(feature_flipped_d, feature[0], npoints * nfeatures * sizeof(float), cudaMemcpyHostToDevice);
    invert_mapping<<<num_blocks, num_threads>>>(feature_flipped_d, feature_d, npoints, nfeatures);
    for (int i = 0; i < npoints; i++) membership[i] = -1;
    cudaMemcpy(membership_d, membership, npoints * sizeof(int), cudaMemcpyHostToDevice);

    cudaChannelFormatDesc chDesc0 = cudaCreateChannelDesc<float>();
    t_features.filterMode = cudaFilterModePoint;
    t_features.normalized = false;
    t_features.channelDesc = chDesc0;
    if (cudaBindTexture(NULL, &t_features, feature_d, &chDesc0, npoints * nfeatures * sizeof(float)) != CUDA_SUCCESS)
        printf("Couldn't bind features array to texture!\n");
    t_clusters.channelDesc = chDesc0;
    if (cudaBindTexture(NULL, &t_clusters, clusters_d, &chDesc0, nclusters * nfeatures * sizeof(float)) != CUDA_SUCCESS)
        printf("Couldn't bind clusters array to texture!\n");
    do
    {
        cudaMemcpyToSymbol(c_clusters, clusters[0], nclusters * nfeatures * sizeof(float));
        cudaMemset(delta_d, 0, sizeof(int));
        kmeansPoint<<<dim3(blocks_perdim, blocks_perdim), num_threads>>>(nfeatures, npoints, nclusters, membership_d, delta_d);
        cudaThreadSynchronize();
        cudaMemcpy(membership, membership_d, npoints * sizeof(int), cudaMemcpyDeviceToHost);
        cudaMemcpy(&delta, delta_d, sizeof(int), cudaMemcpyDeviceToHost);
        for (int c = 0; c < nclusters; c++)
            for (int f = 0; f < nfeatures; f++)
            {
                float sum = 0;
                int members = 0;
                for (int p = 0; p < npoints; p++)
                    if (membership[p] == c) { sum += feature[p][f]; members++; }
                if (members) clusters[c][f] = sum / members;
            }
    } while (delta > 0 && ++round < rounds);
    cudaMemcpy(clusters_d, clusters[0], nclusters * nfeatures * sizeof(float), cudaMemcpyHostToDevice);
    distances<<<num_blocks, num_threads>>>(nfeatures, npoints, membership_d, dist_d);
    cudaMemcpy(dist, dist_d, npoints * sizeof(float), cudaMemcpyDeviceToHost);
    cudaUnbindTexture(t_features);
    cudaUnbindTexture(t_clusters);
    cudaFree(feature_d); cudaFree(feature_flipped_d); cudaFree(clusters_d); cudaFree(membership_d); cudaFree(dist_d); cudaFree(delta_d);
    cudaError_t error = cudaGetLastError();
    if (error) { printf("%s\n", cudaGetErrorString(error)); return -1; }
    return round;
}

static float **matrix(int rows, int cols)
{
    float **m = (float **)malloc(rows * sizeof(float *));
    m[0] = (float *)malloc(rows * cols * sizeof(float));
    for (int i = 1; i < rows; i++) m[i] = m[i - 1] + cols;
    return m;
}

int main(int argc, char **argv)
{
    int npoints = argc > 1 ? atoi(argv[1]) : 200, nfeatures = 5, nclusters = 4, wrong = 0;
    float **feature = matrix(npoints, nfeatures), **clusters = matrix(nclusters, nfeatures), **host = matrix(nclusters, nfeatures);
    for (int p = 0; p < npoints; p++)
        for (int f = 0; f < nfeatures; f++) feature[p][f] = 3 * (p % nclusters == f) + rand() / (float)RAND_MAX;
    memcpy(clusters[0], feature[0], nclusters * nfeatures * sizeof(float));
    memcpy(host[0], feature[0], nclusters * nfeatures * sizeof(float));
    int *membership = (int *)malloc(npoints * sizeof(int));
    float *dist = (float *)malloc(npoints * sizeof(float));
    int rounds = kmeansCuda(feature, nfeatures, npoints, nclusters, membership, clusters, dist, 10);
    printf("%d rounds\n", rounds);
    // A point's cluster is known: it was made around it.
    for (int p = 0; p < npoints; p++)
    {
        double sum = 0;
        for (int f = 0; f < nfeatures; f++) sum += pow(feature[p][f] - clusters[membership[p] & 3][f], 2);
        if (membership[p] != p % nclusters || !(fabs(sqrt(sum) - dist[p]) < 1e-5)) wrong++;
    }
    wrong += rounds < 1;
    free(feature[0]); free(feature); free(clusters[0]); free(clusters); free(host[0]); free(host); free(membership); free(dist);
    printf("%d points wrong\n%s\n", wrong, wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
