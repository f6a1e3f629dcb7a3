// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Lookups in tables of doubles, as Monte Carlo codes make them: 64-bit generators that skip ahead, binary searches of
// long, functions and templates of both halves, a data set that is written to a file and read again.
#include <cassert>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>

#define STARTING_SEED 1070

typedef struct
{
    double energy;
    double total, elastic;
    int kind;
} Point;

typedef struct
{
    long points;
    int lookups;
    Point *grid;
    size_t bytes;
} Data;

__host__ __device__ double random_number(uint64_t *seed)
{
    const uint64_t m = 9223372036854775808ULL;  // 2^63
    const uint64_t a = 2806196910506780709ULL;
    const uint64_t c = 1ULL;
    *seed = (a * (*seed) + c) % m;
    return (double)(*seed) / (double)m;
}

__host__ __device__ uint64_t skip_ahead(uint64_t seed, uint64_t n)
{
    const uint64_t m = 9223372036854775808ULL;
    uint64_t a = 2806196910506780709ULL, c = 1ULL, new_a = 1, new_c = 0;
    for (n = n % m; n > 0; n >>= 1)
    {
        if (n & 1)
        {
            new_a *= a;
            new_c = new_c * a + c;
        }
        c *= (a + 1);
        a *= a;
    }
    return (new_a * seed + new_c) % m;
}

template <class Grid>
__host__ __device__ long search(long n, double energy, Grid grid, long low, long high)
{
    long length = high - low;
    while (length > 1)
    {
        long middle = low + length / 2;
        if (grid[middle].energy > energy) high = middle;
        else low = middle;
        length = high - low;
    }
    assert(low < n);
    return low;
}

template <class Grid>
__host__ __device__ int lookup_one(int i, const long points, Grid grid)
{
    uint64_t seed = skip_ahead(STARTING_SEED, 2 * i);
    double energy = random_number(&seed);
    double scale = random_number(&seed);
    long low = search(points, energy, grid, 0, points - 1);
    const Point &a = grid[low], &b = grid[low + 1];
    double f = (b.energy - energy) / (b.energy - a.energy);
    double sections[3] = {b.total - f * (b.total - a.total), scale, b.elastic - f * (b.elastic - a.elastic)};
    double max = -1.0;
    int which = 0;
    for (int j = 0; j < 3; j++)
        if (sections[j] > max)
        {
            max = sections[j];
            which = j;
        }
    return which + 1 + 10 * a.kind;
}

__global__ void lookup(const long points, const Point *__restrict__ grid, int *__restrict__ found, const int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) found[i] = lookup_one(i, points, grid);
}

int main(int argc, char **argv)
{
    Data data, read;
    data.points = 50;
    data.lookups = argc > 1 ? atoi(argv[1]) : 48;
    data.bytes = data.points * sizeof(Point);
    data.grid = (Point *)calloc(data.points, sizeof(Point));
    uint64_t seed = 42;
    for (long i = 0; i < data.points; i++)
    {
        data.grid[i].energy = (double)i / (data.points - 1);
        data.grid[i].total = random_number(&seed);
        data.grid[i].elastic = random_number(&seed);
        data.grid[i].kind = (int)(i % 7);
    }
    FILE *file = fopen("lookups.dat", "wb");
    assert(file != NULL);
    fwrite(&data, sizeof(Data), 1, file);
    fwrite(data.grid, sizeof(Point), data.points, file);
    fclose(file);
    file = fopen("lookups.dat", "rb");
    if (fread(&read, sizeof(Data), 1, file) != 1) return 1;
    read.grid = (Point *)malloc(read.bytes);
    if (fread(read.grid, sizeof(Point), read.points, file) != (size_t)read.points) return 1;
    fclose(file);

    Point *grid = nullptr;
    int *found = nullptr, *host = (int *)malloc(data.lookups * sizeof(int));
    cudaMalloc((void **)&grid, read.bytes);
    cudaMalloc((void **)&found, data.lookups * sizeof(int));
    cudaMemcpy(grid, read.grid, read.bytes, cudaMemcpyHostToDevice);
    auto start = std::chrono::steady_clock::now();
    lookup<<<(data.lookups + 31) / 32, 32>>>(read.points, grid, found, data.lookups);
    cudaDeviceSynchronize();
    auto end = std::chrono::steady_clock::now();
    long nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(end - start).count();
    cudaMemcpy(host, found, data.lookups * sizeof(int), cudaMemcpyDeviceToHost);

    unsigned long long sum = 0, expected = 0;
    for (int i = 0; i < data.lookups; i++)
    {
        sum += (unsigned long long)host[i] * (i + 1);
        expected += (unsigned long long)lookup_one(i, data.points, data.grid) * (i + 1);
    }
    printf("checksum %llu, %llu expected, %s\n", sum, expected, nanoseconds > 0 ? "timed" : "not timed");
    puts(sum == expected && sum != 0 ? "PASSED" : "FAILED");
    return sum != expected;
}
