// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

struct Worklist {
    unsigned* queue;
    int* end;
    int capacity;

    Worklist(int n) : capacity(n) {
        cudaMalloc(&queue, n * sizeof(unsigned));
        cudaMalloc(&end, sizeof(int));
        empty();
    }
    void empty() { cudaMemset(end, 0, sizeof(int)); }
    void start_with(unsigned first) {
        int one = 1;
        cudaMemcpy(queue, &first, sizeof first, cudaMemcpyHostToDevice);
        cudaMemcpy(end, &one, sizeof one, cudaMemcpyHostToDevice);
    }
    int items() const {
        int n;
        cudaMemcpy(&n, end, sizeof n, cudaMemcpyDeviceToHost);
        return n;
    }

    __device__ int size() const { return *(volatile int*)end; }
    __device__ unsigned item(int i) const { return ((volatile unsigned*)queue)[i]; }
    __device__ void clear() { *(volatile int*)end = 0; }
    __device__ bool push(unsigned item) {
        int place = atomicAdd(end, 1);
        if (place >= capacity) return false;
        ((volatile unsigned*)queue)[place] = item;
        return true;
    }
};
