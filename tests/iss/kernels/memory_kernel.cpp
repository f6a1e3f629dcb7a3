// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

namespace {
__device__ unsigned thread_index() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}
}  // namespace

__device__ unsigned global_counter = 40;
extern "C" const unsigned read_only_table[4] = {10, 20, 30, 40};

/// Bytes, halves and words, signed and not, of one array.
__global__ void widths(const unsigned char* in, int* out) {
    const unsigned i = thread_index();
    int* mine = out + 5 * i;
    mine[0] = reinterpret_cast<const signed char*>(in)[i];
    mine[1] = in[i];
    mine[2] = reinterpret_cast<const short*>(in)[i / 2];
    mine[3] = reinterpret_cast<const unsigned short*>(in)[i / 2];
    mine[4] = reinterpret_cast<const int*>(in)[i / 4];
}

/// Stores of one byte each into words that neighbours share.
__global__ void byte_stores(unsigned char* out) {
    const unsigned i = thread_index();
    out[i] = static_cast<unsigned char>(3 * i + 1);
}

/// Global variables: initial values, atomics, read-only data.
__global__ void globals(unsigned* out) {
    const unsigned i = thread_index();
    atomicAdd(&global_counter, 1u);
    out[i] = read_only_table[i % 4];
    __syncthreads();
    if (i == 0) out[0] = __ldcg(&global_counter);
}

/// Private arrays with indices that differ from lane to lane.
__global__ void private_arrays(unsigned* out) {
    const unsigned i = thread_index();
    volatile unsigned words[16];
    volatile unsigned char bytes[16];
    for (unsigned k = 0; k < 16; ++k) {
        words[(k + i) % 16] = 100 * i + k;
        bytes[(k + i) % 16] = static_cast<unsigned char>(i + k);
    }
    out[i] = words[(7 + i) % 16] + bytes[(3 * i) % 16];
}

/// What an earlier block left on the stack must not show.
__global__ void stale_stack(unsigned* out) {
    volatile unsigned words[8];
    unsigned sum = 0;
    for (unsigned k = 0; k < 8; ++k) sum += words[k];
    for (unsigned k = 0; k < 8; ++k) words[k] = k + 1;
    out[thread_index()] = sum;
}

/// Loads what it has not written, as a compiler may load a register that nobody needs, and keeps it
/// for a while. Every value that it uses is defined.
__global__ void dead_reload(unsigned* out) {
    volatile unsigned kept[2];
    const unsigned i = thread_index();
    if (i % 3 == 0) kept[0] = i;
    const unsigned first = kept[0];
    kept[1] = first + 1;
    const unsigned second = kept[1];
    out[i] = i % 3 == 0 ? second : 7;
}

/// A branch and an address that depend on what nobody has written.
__global__ void undefined_branch(unsigned* out) {
    volatile unsigned kept[2];
    kept[1] = kept[0] + 1;
    if (kept[1] == 3) out[thread_index()] = 1;
}
__global__ void undefined_address(unsigned* out) {
    volatile unsigned kept[1];
    out[kept[0] % 2] = 1;
}

/// One load whose lanes read global, shared and private memory.
__global__ void mixed_windows(const unsigned* in, unsigned* out) {
    __shared__ unsigned shared[1];
    const unsigned i = thread_index();
    unsigned mine = 1000 + i;
    if (i == 0) shared[0] = 77;
    __syncthreads();
    const unsigned* pointers[3] = {&in[i], &shared[0], &mine};
    out[i] = *static_cast<const volatile unsigned*>(pointers[i % 3]);
}

/// Every thread of the warp stores to one place: the highest lane's value stays.
__global__ void same_place(unsigned* out) {
    *out = threadIdx.x;
}

/// Atomics of lanes of one warp on one address see each other in order of lanes.
__global__ void atomic_order(unsigned* counter, unsigned* seen, float* sum) {
    seen[threadIdx.x] = atomicAdd(counter, 2u);
    atomicAdd(sum, 0.5f);
}

/// lr/sc loops: all lanes count up the same word.
__global__ void reserved_increments(unsigned* counter) {
    bool done = false;
    do {
        unsigned old;
        unsigned failed;
        __asm__ __volatile__("lr.w %0, (%1)" : "=r"(old) : "r"(counter) : "memory");
        __asm__ __volatile__("sc.w %0, %2, (%1)"
                             : "=r"(failed)
                             : "r"(counter), "r"(old + 1)
                             : "memory");
        done = failed == 0;
    } while (!done);
}

/// A store of another lane between lr and sc makes the sc fail.
__global__ void broken_reservation(unsigned* word, unsigned* result) {
    unsigned old;
    unsigned failed;
    __asm__ __volatile__("lr.w %0, (%1)" : "=r"(old) : "r"(word) : "memory");
    if (threadIdx.x == 1) *static_cast<volatile unsigned*>(word) = 5;
    __asm__ __volatile__("sc.w %0, %2, (%1)" : "=r"(failed) : "r"(word), "r"(9) : "memory");
    result[threadIdx.x] = failed;
}

/// Block 0 reserves a word and ends. The others have no reservation: their sc fails.
__global__ void reserve_and_end(unsigned* word, unsigned* result) {
    unsigned value;
    if (blockIdx.x == 0) {
        __asm__ __volatile__("lr.w %0, (%1)" : "=r"(value) : "r"(word) : "memory");
    } else {
        __asm__ __volatile__("sc.w %0, %2, (%1)" : "=r"(value) : "r"(word), "r"(9) : "memory");
    }
    result[blockIdx.x] = value;
}

/// Static and dynamic shared memory do not overlap; dynamic memory starts zeroed.
__global__ void shared_layout(unsigned* out) {
    __shared__ unsigned fixed[3];
    unsigned* const dynamic = heddle::dynamic_shared<unsigned>();
    const unsigned count = heddle::dynamic_shared_size() / 4;
    const unsigned before = dynamic[count - 1];
    __syncthreads();
    if (threadIdx.x < 3) fixed[threadIdx.x] = 1;
    for (unsigned k = threadIdx.x; k < count; k += blockDim.x) dynamic[k] = 2;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sum = 0;
        for (unsigned k = 0; k < 3; ++k) sum += fixed[k];
        for (unsigned k = 0; k < count; ++k) sum += dynamic[k];
        out[blockIdx.x] = sum + 1000 * before;
    }
}
