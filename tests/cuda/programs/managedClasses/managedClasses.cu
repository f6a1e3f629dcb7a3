// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Classes whose operator new takes managed memory: strings, trees and arrays that host and kernels use as they are.
#include <cstdio>
#include <cstring>
#include <new>

class Managed
{
public:
    void *operator new(size_t bytes)
    {
        void *pointer;
        cudaMallocManaged(&pointer, bytes);
        cudaDeviceSynchronize();
        return pointer;
    }
    void *operator new[](size_t bytes) { return operator new(bytes); }
    void operator delete(void *pointer)
    {
        cudaDeviceSynchronize();
        cudaFree(pointer);
    }
    void operator delete[](void *pointer) { operator delete(pointer); }
};

class Text : public Managed
{
    int length;
    char *data;

    void take(const char *from, int n)
    {
        length = n;
        cudaMallocManaged(&data, n + 1);
        memcpy(data, from, n);
        data[n] = 0;
    }

public:
    Text(const char *from) { take(from, strlen(from)); }
    Text(const Text &other) { take(other.data, other.length); }
    ~Text() { cudaFree(data); }
    __host__ __device__ char &operator[](int i) { return data[i]; }
    __host__ __device__ int size() const { return length; }
    const char *c_str() const { return data; }
};

struct Node : public Managed
{
    int value;
    Node *left, *right;
    explicit Node(int v) : value(v), left(nullptr), right(nullptr) {}
    void insert(int v)
    {
        Node *&child = v < value ? left : right;
        if (child) child->insert(v);
        else child = new Node(v);
    }
};

__device__ int sum_of(const Node *node)
{
    return node ? node->value + sum_of(node->left) + sum_of(node->right) : 0;
}

__global__ void change(Text *text, const Node *tree, int *sums)
{
    for (int i = threadIdx.x; i < text->size(); i += blockDim.x) (*text)[i] ^= 32;
    if (threadIdx.x < 2) sums[threadIdx.x] = sum_of(threadIdx.x ? tree->left : tree);
}

// The copy's characters are its own.
__global__ void change_copy(Text text)
{
    if (threadIdx.x == 0) text[0] = '?';
}

int main()
{
    int wrong = 0;
    Text *text = new Text("hEDDLE");
    Node *tree = new Node(50);
    const int values[] = {20, 70, 10, 30, 60, 25};
    for (int v : values) tree->insert(v);
    int *sums;
    cudaMallocManaged(&sums, 2 * sizeof(int), cudaMemAttachGlobal);
    cudaMemAdvise(sums, 2 * sizeof(int), cudaMemAdviseSetPreferredLocation, 0);
    cudaMemPrefetchAsync(sums, 2 * sizeof(int), 0, 0);
    change<<<1, 4>>>(text, tree, sums);
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    printf("%s, %d and %d\n", text->c_str(), sums[0], sums[1]);
    wrong += strcmp(text->c_str(), "Heddle") != 0 || sums[0] != 265 || sums[1] != 85;
    change_copy<<<1, 32>>>(*text);
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    wrong += strcmp(text->c_str(), "Heddle") != 0;
    // The host changes what the kernel then reads.
    tree->left->value = 0;
    (*text)[1] = 'E';
    change<<<1, 32>>>(text, tree, sums);
    cudaDeviceSynchronize();
    wrong += strcmp(text->c_str(), "heDDLE") != 0 || sums[0] != 245 || sums[1] != 65;
    delete text;
    cudaFree(sums);
    printf("%d wrong, %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
    puts(wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
