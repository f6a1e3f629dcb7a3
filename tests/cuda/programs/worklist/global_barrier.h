// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once
#include <cuda_runtime_api.h>

// All blocks are resident: block 0 waits for a flag of each, then lets them go.
class GlobalBarrier {
protected:
    typedef unsigned int SyncFlag;
    SyncFlag* d_sync;

public:
    GlobalBarrier() : d_sync(NULL) {}

    __device__ __forceinline__ SyncFlag Load(SyncFlag* flag) const {
        return *(volatile SyncFlag*)flag;
    }

    __device__ __forceinline__ void Sync() const {
        volatile SyncFlag* flags = d_sync;
        __threadfence();
        __syncthreads();
        if (blockIdx.x == 0) {
            if (threadIdx.x == 0) flags[0] = 1;
            __syncthreads();
            for (int peer = threadIdx.x; peer < gridDim.x; peer += blockDim.x)
                while (Load(d_sync + peer) == 0) __threadfence_block();
            __syncthreads();
            for (int peer = threadIdx.x; peer < gridDim.x; peer += blockDim.x) flags[peer] = 0;
        } else {
            if (threadIdx.x == 0) {
                flags[blockIdx.x] = 1;
                while (Load(d_sync + blockIdx.x) == 1) __threadfence_block();
            }
            __syncthreads();
        }
    }
};

class GlobalBarrierLifetime : public GlobalBarrier {
public:
    ~GlobalBarrierLifetime() {
        if (d_sync) cudaFree(d_sync);
    }
    void Setup(int blocks) {
        cudaMalloc((void**)&d_sync, blocks * sizeof(SyncFlag));
        cudaMemset(d_sync, 0, blocks * sizeof(SyncFlag));
    }
};
