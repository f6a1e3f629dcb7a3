// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Managed memory: a list with pointers that both sides follow, classes that allocate themselves.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#define check(x) do { cudaError_t e = (x); if (e) { printf("%s: %s\n", #x, cudaGetErrorString(e)); exit(1); } } while (0)

class Managed
{
public:
    void *operator new(size_t len)
    {
        void *ptr;
        check(cudaMallocManaged(&ptr, len));
        cudaDeviceSynchronize();
        return ptr;
    }
    void operator delete(void *ptr)
    {
        cudaDeviceSynchronize();
        check(cudaFree(ptr));
    }
};

class String : public Managed
{
    int length;
    char *data;

public:
    String() : length(0), data(NULL) {}
    String(const String &s) : length(0), data(NULL) { assign(s.data); }
    ~String() { cudaFree(data); }
    String &operator=(const char *s) { assign(s); return *this; }
    __host__ __device__ char &operator[](int pos) const { return data[pos]; }
    __host__ __device__ int size() const { return length; }
    const char *c_str() const { return data; }

private:
    void assign(const char *s)
    {
        if (data) cudaFree(data);
        length = strlen(s);
        check(cudaMallocManaged(&data, length + 1));
        strcpy(data, s);
    }
};

struct Element : public Managed
{
    String name;
    int value;
    Element *next;
};

__global__ void shout(Element *elem, int *total)
{
    for (; elem; elem = elem->next)
    {
        for (int i = threadIdx.x; i < elem->name.size(); i += blockDim.x)
            if (elem->name[i] >= 'a' && elem->name[i] <= 'z') elem->name[i] -= 'a' - 'A';
        if (threadIdx.x == 0)
        {
            elem->value++;
            *total += elem->value;
        }
    }
}

__global__ void count(int *m, int from)
{
    m[threadIdx.x] = m[threadIdx.x + 32] + from;
    __threadfence();
}

static void sumUp(void *data)
{
    int *m = (int *)data;
    for (int i = 0; i < 32; i++) m[64] += m[i];
    m[65] = 7;
}

int main()
{
    int wrong = 0;
    cudaDeviceProp prop;
    check(cudaGetDeviceProperties(&prop, 0));
    printf("managed memory: %d\n", prop.managedMemory);
    const char *words[] = {"warp", "weft", "heddle"};
    Element *first = NULL;
    for (int i = 0; i < 3; i++)
    {
        Element *e = new Element;
        e->name = words[i];
        e->value = 10 * i;
        e->next = first;
        first = e;
    }
    int *total;
    check(cudaMallocManaged((void **)&total, sizeof(int)));
    *total = 100;
    shout<<<1, 32>>>(first, total);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    const char *loud[] = {"HEDDLE", "WEFT", "WARP"};
    int k = 0, values[] = {21, 11, 1};
    for (Element *e = first; e; e = e->next, k++)
    {
        printf("%s %d\n", e->name.c_str(), e->value);
        wrong += strcmp(e->name.c_str(), loud[k]) != 0 || e->value != values[k];
    }
    wrong += *total != 133;
    printf("total %d\n", *total);
    *total = 0;
    first->name[0] = 'x';
    shout<<<1, 32>>>(first, total);
    check(cudaDeviceSynchronize());
    wrong += *total != 22 + 12 + 2 || first->name[0] != 'X';
    check(cudaFree(total));

    // A function of the host between two kernels sees what the first made; the second what it made.
    int *m;
    check(cudaMallocManaged((void **)&m, 100 * sizeof(int)));
    for (int i = 0; i < 100; i++) m[i] = i;
    m[64] = 0;
    count<<<1, 32>>>(m, 1000);
    check(cudaLaunchHostFunc(0, sumUp, m));
    count<<<1, 32>>>(m + 1, 0);
    check(cudaDeviceSynchronize());
    int sum = 0;
    for (int i = 0; i < 32; i++) sum += 32 + i + 1000;
    for (int i = 1; i <= 32; i++) wrong += m[i] != (i < 32 ? i + 32 : sum);
    wrong += m[0] != 1032 || m[64] != sum || m[65] != 7;
    printf("sum by a host function %d, expected %d; %d wrong\n", m[64], sum, wrong);
    check(cudaFree(m));

    // Plain arrays, read again and again by both sides.
    int *ring;
    check(cudaMallocManaged((void **)&ring, 3 * sizeof(int), cudaMemAttachGlobal));
    ring[0] = ring[1] = ring[2] = 1;
    cudaPointerAttributes attributes;
    check(cudaPointerGetAttributes(&attributes, ring));
    wrong += attributes.type != cudaMemoryTypeManaged;
    while (first)
    {
        Element *next = first->next;
        delete first;
        first = next;
    }
    check(cudaFree(ring));
    puts(wrong ? "FAILED" : "PASSED");
    return wrong;
}
