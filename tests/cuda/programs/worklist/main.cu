// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// A breadth-first search by worklists, level by level and in one launch with a barrier of all blocks made of flags.
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <vector>
#include "global_barrier.h"
#include "worklist.h"

#define CUDA_SAFE_CALL(call) { if ((call) != cudaSuccess) { fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(cudaGetLastError())); exit(1); } }

typedef unsigned foru;

struct Graph
{
    unsigned nodes, edges;
    unsigned *row, *to;
    __device__ unsigned degree(unsigned node) const { return row[node + 1] - row[node]; }
};

__device__ void relax(const Graph &graph, foru *distance, Worklist &in, Worklist &out)
{
    const int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < in.size(); i += threads)
    {
        const unsigned node = in.item(i);
        const foru next = *(volatile foru *)&distance[node] + 1;
        for (unsigned e = 0; e < graph.degree(node); e++)
        {
            const unsigned other = graph.to[graph.row[node] + e];
            if (atomicMin(&distance[other], next) > next) out.push(other);
        }
    }
}

__global__ void one_level(Graph graph, foru *distance, Worklist in, Worklist out) { relax(graph, distance, in, out); }

__global__ void all_levels(Graph graph, foru *distance, Worklist in, Worklist out, GlobalBarrier barrier, int *levels)
{
    int level = 0;
    while (in.size() > 0)
    {
        relax(graph, distance, in, out);
        barrier.Sync();
        if (blockIdx.x == 0 && threadIdx.x == 0) in.clear();
        barrier.Sync();
        Worklist other = in;
        in = out;
        out = other;
        level++;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) *levels = level;
}

int main(int argc, char *argv[])
{
    const unsigned n = argc > 1 ? atoi(argv[1]) : 60;
    std::vector<unsigned> row(1, 0), to;
    for (unsigned v = 0; v < n; v++)
    {
        for (unsigned k = 1; k <= v % 4; k++) to.push_back((v * k + 3) % n);
        to.push_back((v + 1) % n);
        row.push_back(to.size());
    }
    Graph graph;
    graph.nodes = n;
    graph.edges = to.size();
    CUDA_SAFE_CALL(cudaMalloc(&graph.row, row.size() * sizeof(unsigned)));
    CUDA_SAFE_CALL(cudaMalloc(&graph.to, to.size() * sizeof(unsigned)));
    CUDA_SAFE_CALL(cudaMemcpy(graph.row, row.data(), row.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
    CUDA_SAFE_CALL(cudaMemcpy(graph.to, &to[0], to.size() * sizeof(unsigned), cudaMemcpyHostToDevice));

    std::vector<foru> expected(n, 1000000), queue(1, 0);
    expected[0] = 0;
    int depth = 0;
    for (size_t i = 0; i < queue.size(); i++)
        for (unsigned e = row[queue[i]]; e < row[queue[i] + 1]; e++)
            if (expected[to[e]] == 1000000)
            {
                expected[to[e]] = expected[queue[i]] + 1;
                depth = std::max(depth, (int)expected[to[e]]);
                queue.push_back(to[e]);
            }

    std::vector<foru> distance(n);
    foru *device;
    CUDA_SAFE_CALL(cudaMalloc(&device, n * sizeof(foru)));
    Worklist a(4 * n), b(4 * n);
    int wrong = 0;
    for (int way = 0; way < 2; way++)
    {
        std::fill(distance.begin(), distance.end(), 1000000);
        distance[0] = 0;
        CUDA_SAFE_CALL(cudaMemcpy(device, distance.data(), n * sizeof(foru), cudaMemcpyHostToDevice));
        a.start_with(0);
        b.empty();
        int levels = 0;
        if (way == 0)
        {
            Worklist *in = &a, *out = &b;
            for (; in->items() > 0; levels++)
            {
                one_level<<<3, 32>>>(graph, device, *in, *out);
                in->empty();
                std::swap(in, out);
            }
        }
        else
        {
            GlobalBarrierLifetime barrier;
            barrier.Setup(2);
            int *device_levels;
            CUDA_SAFE_CALL(cudaMalloc(&device_levels, sizeof(int)));
            all_levels<<<2, 64>>>(graph, device, a, b, barrier, device_levels);
            CUDA_SAFE_CALL(cudaMemcpy(&levels, device_levels, sizeof(int), cudaMemcpyDeviceToHost));
        }
        CUDA_SAFE_CALL(cudaMemcpy(distance.data(), device, n * sizeof(foru), cudaMemcpyDeviceToHost));
        for (unsigned v = 0; v < n; v++) wrong += distance[v] != expected[v];
        printf("%d levels, %d wrong\n", levels, wrong);
        wrong += levels != depth + 1;
    }
    puts(wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
