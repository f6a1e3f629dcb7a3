// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

// Launches by kernels, as tests/iss/launch_test.cpp and tests/hw drive them.

__global__ void add(unsigned* out, unsigned value) {
    atomicAdd(&out[blockIdx.x * blockDim.x + threadIdx.x], value);
}

/// Each thread launches one child of two blocks over its own part of out.
__global__ void launch_kernels(unsigned* out, unsigned* errors) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const heddle::stream own = heddle::create_stream();
    errors[i] = heddle::launch(add, {dim3(2), dim3(32)}, own, out + 64 * i, i + 1);
}

__global__ void launch_groups(unsigned* out, unsigned* errors) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    errors[i] = heddle::launch_group(add, {dim3(2), dim3(32)}, out + 64 * i, i + 1);
}

/// The same by CUDA's names, for the odd threads.
struct add_parameters {
    unsigned* out;
    unsigned value;
};
__global__ void launch_as_cuda(unsigned* out, unsigned* errors) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 2 == 0) return;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    auto* parameters = static_cast<add_parameters*>(
        cudaGetParameterBuffer(alignof(add_parameters), sizeof(add_parameters)));
    *parameters = {out + 64 * i, i + 1};
    void* const kernel = reinterpret_cast<void*>(add);
    errors[i] = i % 4 == 1 ? cudaLaunchDevice(kernel, parameters, dim3(2), dim3(32), 0, stream)
                           : cudaLaunchAggGroup(kernel, parameters, dim3(2), dim3(32), 0);
}

/// A chain of launches by the last thread of each: out[level] counts them.
__global__ void descend(unsigned* out, unsigned level, unsigned* errors) {
    if (threadIdx.x != 0) return;
    atomicAdd(&out[level], 1u);
    errors[level] = heddle::launch(descend, {dim3(1), dim3(32)}, 0u, out, level + 1, errors);
}

/// Appends its number when it runs.
__global__ void append(unsigned* list, unsigned number) {
    list[1 + atomicAdd(&list[0], 1u)] = number;
}
/// Launches on the block's stream: they run in this order.
__global__ void launch_in_order(unsigned* list, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        heddle::launch(append, {dim3(1), dim3(1)}, 0u, list, 100 * blockIdx.x + i);
    }
}

__global__ void many(unsigned* out, unsigned a, unsigned b, unsigned c, unsigned d) {
    *out = a + b + c + d;
}
/// What each kind of mistake answers.
__global__ void mistakes(unsigned* errors, unsigned* out) {
    const heddle::launch_shape good{dim3(1), dim3(32)};
    errors[0] = heddle::launch(add, good, 12345u, out, 1u);
    errors[1] = heddle::launch(add, {dim3(0), dim3(32)}, 0u, out, 1u);
    errors[2] = heddle::launch(add, {dim3(1), dim3(1025)}, 0u, out, 1u);
    errors[3] = heddle::launch(add, {dim3(1), dim3(32), 1u << 20}, 0u, out, 1u);
    void* buffer = cudaGetParameterBuffer(4, 8);
    errors[4] = cudaLaunchDevice(reinterpret_cast<void*>(16), buffer, dim3(1), dim3(32), 0, 0);
    // With its record a buffer of 64 bytes: 16 of parameters.
    buffer = cudaGetParameterBuffer(4, 16);
    errors[5] = cudaLaunchDevice(reinterpret_cast<void*>(many), buffer, dim3(1), dim3(32), 0, 0);
    errors[6] = cudaGetParameterBuffer(4, 4097) == nullptr;
}

/// A buffer can be launched once.
__global__ void launch_twice(unsigned* out) {
    auto* parameters = static_cast<add_parameters*>(cudaGetParameterBuffer(4, 8));
    *parameters = {out, 1};
    void* const kernel = reinterpret_cast<void*>(add);
    cudaLaunchDevice(kernel, parameters, dim3(1), dim3(1), 0, 0);
    HEDDLE_COMMAND(LAUNCH_KERNEL, reinterpret_cast<unsigned>(parameters) - 48, 0u);
}
/// A launched buffer is read-only.
__global__ void write_launched(unsigned* out) {
    auto* parameters = static_cast<add_parameters*>(cudaGetParameterBuffer(4, 8));
    *parameters = {out, 1};
    void* const kernel = reinterpret_cast<void*>(add);
    cudaLaunchDevice(kernel, parameters, dim3(1), dim3(1), 0, 0);
    parameters->value = 2;
}
/// Memory of the machine that is in no buffer.
__global__ void read_beside(unsigned* out) {
    const unsigned* const parameters = static_cast<unsigned*>(cudaGetParameterBuffer(4, 8));
    *out = parameters[4];
}

/// Each block waits for the sum that its children leave, and these for those of theirs.
__global__ void wait_for_children(unsigned* sum, unsigned depth) {
    __shared__ unsigned before;
    if (threadIdx.x == 0) {
        before = 7 + depth;
        if (depth != 0) {
            heddle::launch(wait_for_children, {dim3(4), dim3(64)}, heddle::create_stream(), sum,
                           depth - 1);
        }
    }
    __syncthreads();
    cudaDeviceSynchronize();
    unsigned below = 0;
    if (depth != 0) below = __ldcg(&sum[depth - 1]);
    if (threadIdx.x == 0)
        atomicAdd(&sum[depth], depth == 0 ? 1u : (below != 0 && before == 7 + depth));
}
