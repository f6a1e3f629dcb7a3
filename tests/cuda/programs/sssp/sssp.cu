// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Shortest paths by a work list: atomicMin on distances, atomicCAS against duplicates.
#include <cuda_runtime.h>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <utility>
#include <vector>

#define SAFE(x) if (cudaError_t e = (x)) { fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e)); abort(); }

struct CSR
{
    int n;
    int *row, *col;
    unsigned *weight;
};

__device__ int tail;

__global__ void relax(const CSR g, const int *in, int count, int *out, int *queued, unsigned *dist)
{
    for (int w = blockIdx.x * blockDim.x + threadIdx.x; w < count; w += gridDim.x * blockDim.x)
    {
        int v = in[w];
        atomicExch(&queued[v], 0);
        unsigned mine = *(volatile unsigned *)&dist[v];
        for (int e = g.row[v]; e < g.row[v + 1]; ++e)
        {
            unsigned alternative = mine + g.weight[e];
            int to = g.col[e];
            if (alternative < atomicMin(&dist[to], alternative) && atomicCAS(&queued[to], 0, 1) == 0) out[atomicAdd(&tail, 1)] = to;
        }
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 250;
    std::vector<int> row(1, 0), col;
    std::vector<unsigned> weight;
    for (int v = 0; v < n; ++v)
    {
        for (int k = 0; k < 4; ++k)
        {
            col.push_back((v * 5 + k * k * 31 + 1) % n);
            weight.push_back(1 + (v * 17 + k * 29) % 23);
        }
        row.push_back(col.size());
    }
    CSR g = {n, 0, 0, 0};
    int *list[2], *queued;
    unsigned *dist;
    SAFE(cudaMalloc(&g.row, row.size() * sizeof(int)));
    SAFE(cudaMalloc(&g.col, col.size() * sizeof(int)));
    SAFE(cudaMalloc(&g.weight, col.size() * sizeof(unsigned)));
    SAFE(cudaMalloc(&list[0], 2 * n * sizeof(int)));
    SAFE(cudaMalloc(&list[1], 2 * n * sizeof(int)));
    SAFE(cudaMalloc(&queued, n * sizeof(int)));
    SAFE(cudaMalloc(&dist, n * sizeof(unsigned)));
    SAFE(cudaMemcpy(g.row, row.data(), row.size() * sizeof(int), cudaMemcpyDefault));
    SAFE(cudaMemcpy(g.col, col.data(), col.size() * sizeof(int), cudaMemcpyDefault));
    SAFE(cudaMemcpy(g.weight, weight.data(), col.size() * sizeof(int), cudaMemcpyDefault));
    SAFE(cudaMemset(queued, 0, n * sizeof(int)));
    SAFE(cudaMemset(dist, 0x7f, n * sizeof(unsigned)));
    SAFE(cudaMemset(dist, 0, sizeof(unsigned)));
    SAFE(cudaMemset(list[0], 0, sizeof(int)));
    int count = 1, rounds = 0, zero = 0;
    void *tailAddress;
    SAFE(cudaGetSymbolAddress(&tailAddress, tail));
    size_t bytes;
    SAFE(cudaGetSymbolSize(&bytes, tail));
    while (count && ++rounds < 1000)
    {
        SAFE(cudaMemcpy(tailAddress, &zero, bytes, cudaMemcpyHostToDevice));
        relax<<<2, 64>>>(g, list[0], count, list[1], queued, dist);
        SAFE(cudaGetLastError());
        SAFE(cudaMemcpyFromSymbol(&count, tail, bytes));
        std::swap(list[0], list[1]);
    }
    std::vector<unsigned> got(n), expected(n, 0x7f7f7f7fu);
    SAFE(cudaMemcpy(got.data(), dist, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    typedef std::pair<unsigned, int> item;
    std::priority_queue<item, std::vector<item>, std::greater<item>> queue;
    expected[0] = 0;
    queue.push(item(0, 0));
    while (!queue.empty())
    {
        item top = queue.top();
        queue.pop();
        if (top.first > expected[top.second]) continue;
        for (int e = row[top.second]; e < row[top.second + 1]; ++e)
            if (top.first + weight[e] < expected[col[e]]) queue.push(item(expected[col[e]] = top.first + weight[e], col[e]));
    }
    int wrong = bytes != sizeof(int);
    for (int v = 0; v < n; ++v) wrong += got[v] != expected[v];
    for (void *p : {(void *)g.row, (void *)g.col, (void *)g.weight, (void *)list[0], (void *)list[1], (void *)queued, (void *)dist}) SAFE(cudaFree(p));
    printf("%d rounds, %d distances wrong\n%s\n", rounds, wrong, wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
