// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Nearest places to a point: records from text files that a list names.
#include <stdio.h>
#include <sys/time.h>
#include <float.h>
#include <vector>
#include <string>
#include <algorithm>
#include <math.h>
#include "cuda.h"

#define ceilDiv(a, b) ((a + b - 1) / b)
#define print(x) printf(#x ": %lu\n", (unsigned long)x)
#define DEFAULT_THREADS_PER_BLOCK 64

typedef struct latLong
{
    float lat;
    float lng;
} LatLong;

typedef struct record
{
    char recString[53];
    float distance;
} Record;

__global__ void euclid(LatLong *d_locations, float *d_distances, int numRecords, float lat, float lng)
{
    int globalId = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
    LatLong *latLong = d_locations + globalId;
    if (globalId < numRecords)
    {
        float *dist = d_distances + globalId;
        *dist = (float)sqrt((lat - latLong->lat) * (lat - latLong->lat) + (lng - latLong->lng) * (lng - latLong->lng));
    }
}

int main(int argc, char *argv[])
{
    std::string folder = argc > 1 ? argv[1] : ".";
    std::string list = folder + "/nn_list.txt", files[2] = {folder + "/nn_a.db", folder + "/nn_b.db"};
    FILE *l = fopen(list.c_str(), "w");
    if (!l) { perror(list.c_str()); return 1; }
    for (int k = 0; k < 2; k++)
    {
        fprintf(l, "%s\n", files[k].c_str());
        FILE *f = fopen(files[k].c_str(), "w");
        for (int i = 0; i < 130; i++) fprintf(f, "%4d storm-%-16d %6.2f %7.2f\n", 1950 + i, i, (i * 37 + k * 11) % 90 + i * 0.01, (i * 53 + k * 7) % 360 * 1.0);
        fclose(f);
    }
    fclose(l);

    std::vector<Record> records;
    std::vector<LatLong> locations;
    char name[500], line[200];
    l = fopen(list.c_str(), "r");
    while (fscanf(l, "%499s", name) == 1)
    {
        FILE *f = fopen(name, "r");
        while (fgets(line, sizeof line, f))
        {
            Record r;
            LatLong at;
            snprintf(r.recString, sizeof r.recString, "%.52s", line);
            if (sscanf(line + 27, "%f %f", &at.lat, &at.lng) != 2) { printf("bad line %s", line); return 1; }
            records.push_back(r);
            locations.push_back(at);
        }
        fclose(f);
        remove(name);
    }
    fclose(l);
    remove(list.c_str());

    int numRecords = records.size(), resultsCount = 5;
    float lat = 30, lng = 90, *distances;
    cudaDeviceProp deviceProp;
    cudaGetDeviceProperties(&deviceProp, 0);
    cudaThreadSynchronize();
    unsigned long maxGridX = deviceProp.maxGridSize[0], threadsPerBlock = std::min(deviceProp.maxThreadsPerBlock, DEFAULT_THREADS_PER_BLOCK);
    size_t totalDeviceMemory, freeDeviceMemory;
    cudaMemGetInfo(&freeDeviceMemory, &totalDeviceMemory);
    cudaThreadSynchronize();
    unsigned long usableDeviceMemory = freeDeviceMemory * 85 / 100;
    unsigned long maxThreads = usableDeviceMemory / 12;
    if (numRecords > (long)maxThreads) { fprintf(stderr, "Error: Input too large.\n"); exit(1); }
    unsigned long blocks = ceilDiv(numRecords, threadsPerBlock), gridY = ceilDiv(blocks, maxGridX), gridX = ceilDiv(blocks, gridY);
    print(gridX);
    print(gridY);
    distances = (float *)malloc(sizeof(float) * numRecords);
    LatLong *d_locations;
    float *d_distances;
    cudaMalloc((void **)&d_locations, sizeof(LatLong) * numRecords);
    cudaMalloc((void **)&d_distances, sizeof(float) * numRecords);
    cudaMemcpy(d_locations, &locations[0], sizeof(LatLong) * numRecords, cudaMemcpyHostToDevice);
    euclid<<<dim3(gridX, gridY), threadsPerBlock>>>(d_locations, d_distances, numRecords, lat, lng);
    cudaThreadSynchronize();
    cudaMemcpy(distances, d_distances, sizeof(float) * numRecords, cudaMemcpyDeviceToHost);
    int wrong = cudaGetLastError() != cudaSuccess || numRecords != 260;
    for (int i = 0; i < numRecords; i++)
    {
        records[i].distance = distances[i];
        if (!(fabs(hypot(lat - locations[i].lat, lng - locations[i].lng) - distances[i]) < 1e-4)) wrong++;
    }
    std::partial_sort(records.begin(), records.begin() + resultsCount, records.end(), [](const Record &x, const Record &y) { return x.distance < y.distance; });
    for (int i = 0; i < resultsCount; i++) printf("%.48s --> Distance=%f\n", records[i].recString, records[i].distance);
    free(distances);
    cudaFree(d_locations);
    cudaFree(d_distances);
    printf("%s\n", wrong ? "FAILED" : "PASSED");
    return wrong;
}
