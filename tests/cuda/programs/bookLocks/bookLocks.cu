// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Locks of compare-and-swap in a class whose constructor allocates; a hash table with a lock for each bucket.
#include <stdio.h>
#include <stdlib.h>

static void HandleError(cudaError_t err, const char *file, int line)
{
    if (err != cudaSuccess)
    {
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))

struct Mutex
{
    int *state;
    Mutex(void)
    {
        int open = 0;
        HANDLE_ERROR(cudaMalloc((void **)&state, sizeof(int)));
        HANDLE_ERROR(cudaMemcpy(state, &open, sizeof(int), cudaMemcpyHostToDevice));
    }
    ~Mutex(void) { cudaFree(state); }
    __device__ void lock(void)
    {
        while (atomicCAS(state, 0, 1) != 0) {}
        __threadfence();
    }
    __device__ void unlock(void)
    {
        __threadfence();
        atomicExch(state, 0);
    }
};

// A Mutex passed by value would be freed with its copy: kernels get a pointer to one.
__global__ void dot(Mutex *mutex, const float *a, const float *b, volatile float *c, int n)
{
    __shared__ float cache[64];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    float sum = 0;
    for (; tid < n; tid += blockDim.x * gridDim.x) sum += a[tid] * b[tid];
    cache[threadIdx.x] = sum;
    __syncthreads();
    for (int i = blockDim.x / 2; i != 0; i /= 2)
    {
        if (threadIdx.x < i) cache[threadIdx.x] += cache[threadIdx.x + i];
        __syncthreads();
    }
    if (threadIdx.x == 0)
    {
        mutex->lock();
        *c += cache[0];
        mutex->unlock();
    }
}

struct Entry
{
    unsigned int key;
    void *value;
    Entry *next;
};

struct Table
{
    size_t count;
    Entry **entries;
    Entry *pool;
};

// The threads of a warp take turns: none waits for a lock that another of its warp holds.
__global__ void insert(const unsigned int *keys, void **values, Table table, Mutex *mutexes, int n)
{
    int stride = blockDim.x * gridDim.x;
    for (int tid = threadIdx.x + blockIdx.x * blockDim.x; tid < n; tid += stride)
    {
        size_t bucket = keys[tid] % table.count;
        for (int turn = 0; turn < warpSize; turn++)
        {
            if (tid % warpSize == turn)
            {
                Entry *mine = &table.pool[tid];
                mine->key = keys[tid];
                mine->value = values[tid];
                mutexes[bucket].lock();
                mine->next = *(Entry *volatile *)&table.entries[bucket];
                *(Entry *volatile *)&table.entries[bucket] = mine;
                mutexes[bucket].unlock();
            }
        }
    }
}

int main(void)
{
    const int n = 320, buckets = 10;
    float host[n], *a, *b, *c, sum = 0;
    for (int i = 0; i < n; i++) host[i] = i % 5;
    HANDLE_ERROR(cudaMalloc((void **)&a, sizeof host));
    HANDLE_ERROR(cudaMalloc((void **)&b, sizeof host));
    HANDLE_ERROR(cudaMalloc((void **)&c, sizeof(float)));
    HANDLE_ERROR(cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(b, host, sizeof host, cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(c, &sum, sizeof sum, cudaMemcpyHostToDevice));
    Mutex mutexes[buckets], *on_device;
    HANDLE_ERROR(cudaMalloc((void **)&on_device, sizeof mutexes));
    HANDLE_ERROR(cudaMemcpy(on_device, mutexes, sizeof mutexes, cudaMemcpyHostToDevice));
    dot<<<5, 64>>>(on_device, a, b, c, n);
    HANDLE_ERROR(cudaMemcpy(&sum, c, sizeof sum, cudaMemcpyDeviceToHost));
    int wrong = sum != n / 5 * (1 + 4 + 9 + 16);

    unsigned int keys[n], *device_keys;
    void *values[n], **device_values;
    for (int i = 0; i < n; i++)
    {
        keys[i] = i * 2654435761u;
        values[i] = (void *)(size_t)(i + 1);
    }
    Table table, copy;
    table.count = buckets;
    HANDLE_ERROR(cudaMalloc((void **)&table.entries, buckets * sizeof(Entry *)));
    HANDLE_ERROR(cudaMemset(table.entries, 0, buckets * sizeof(Entry *)));
    HANDLE_ERROR(cudaMalloc((void **)&table.pool, n * sizeof(Entry)));
    HANDLE_ERROR(cudaMalloc((void **)&device_keys, sizeof keys));
    HANDLE_ERROR(cudaMalloc((void **)&device_values, sizeof values));
    HANDLE_ERROR(cudaMemcpy(device_keys, keys, sizeof keys, cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(device_values, values, sizeof values, cudaMemcpyHostToDevice));
    insert<<<3, 64>>>(device_keys, device_values, table, on_device, n);

    // The host follows the device's pointers by their distances.
    copy = table;
    copy.entries = (Entry **)calloc(buckets, sizeof(Entry *));
    copy.pool = (Entry *)malloc(n * sizeof(Entry));
    HANDLE_ERROR(cudaMemcpy(copy.entries, table.entries, buckets * sizeof(Entry *), cudaMemcpyDeviceToHost));
    HANDLE_ERROR(cudaMemcpy(copy.pool, table.pool, n * sizeof(Entry), cudaMemcpyDeviceToHost));
    int found = 0;
    for (int i = 0; i < buckets; i++)
        for (Entry *e = copy.entries[i]; e; found++)
        {
            Entry *here = (Entry *)((size_t)e - (size_t)table.pool + (size_t)copy.pool);
            wrong += here->key % buckets != (unsigned int)i;
            wrong += here->key != keys[(size_t)here->value - 1];
            e = here->next;
        }
    printf("%d in the table, %d wrong\n", found, wrong);
    wrong += found != n;
    cudaFree(on_device);
    puts(wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
