// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Each kernel waits at one line most of all, which is marked as planted. A kernel has 65536 words
// of `data`, and 1 as `one`, which the compiler does not know.
#include <heddle.h>

namespace {

constexpr unsigned words = 65536;

__device__ unsigned id() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

}  // namespace

__constant__ unsigned table[1024] = {1, 2, 3};

__global__ void uncoalesced_load(unsigned* data, unsigned one) {
    unsigned sum = id();
    for (unsigned k = 0; k < 8 * one; ++k) {
        sum += data[(id() * 61 + k * 4099) % words];  // planted
        sum ^= k;
    }
    data[id()] = sum;
}

__global__ void uncoalesced_store(unsigned* data, unsigned one) {
    const unsigned first = id() * 61;
    for (unsigned k = 0; k < 64 * one; ++k) {
        data[(first + k * 64) % words] = k;  // planted
    }
}

__global__ void pointer_chase(unsigned* data, unsigned one) {
    unsigned at = id() % words;
    const unsigned step = 977 * one;
    for (unsigned k = 0; k < 16; ++k) {
        const unsigned next = at * step + k;
        at = data[(next + at) % words] + next;  // planted
    }
    data[id()] = at;
}

__global__ void column_of_matrix(unsigned* data, unsigned one) {
    unsigned sum = 0;
    const unsigned row = id() % 256;
    for (unsigned column = 0; column < 32 * one; ++column) {
        sum += data[row * 256 + column];  // planted
    }
    data[id()] = sum;
}

__global__ void bank_conflict(unsigned* data, unsigned one) {
    __shared__ unsigned tile[32 * 32];
    for (unsigned k = threadIdx.x; k < 32 * 32; k += blockDim.x) tile[k] = k;
    __syncthreads();
    unsigned sum = id();
    for (unsigned k = 0; k < 64 * one; ++k) {
        sum += tile[(threadIdx.x * 32 + sum) % 1024 & ~31u];  // planted
    }
    data[id()] = sum;
}

__global__ void shared_atomics(unsigned* data, unsigned one) {
    __shared__ unsigned count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    for (unsigned k = 0; k < 16 * one; ++k) {
        atomicAdd(&count, k);  // planted
    }
    __syncthreads();
    data[id()] = count;
}

__global__ void atomics_on_one_word(unsigned* data, unsigned one) {
    unsigned sum = 0;
    for (unsigned k = 0; k < 8 * one; ++k) {
        sum += atomicAdd(data, k);  // planted
    }
    data[id() + 1] = sum;
}

__global__ void spilled_array(unsigned* data, unsigned one) {
    unsigned own[64];
    for (unsigned k = 0; k < 64; ++k) own[k] = 0;
    unsigned at = id();
    for (unsigned k = 0; k < 64 * one; ++k) {
        at += own[at % 64] * k;  // planted
        own[k % 64] = k;
    }
    data[id()] = at;
}

__global__ void constants_of_each_lane(unsigned* data, unsigned one) {
    unsigned sum = id();
    for (unsigned k = 0; k < 32 * one; ++k) {
        sum += table[(sum + threadIdx.x * 17) % 1024];  // planted
    }
    data[id()] = sum;
}

__global__ void read_only_loads(unsigned* data, unsigned one) {
    unsigned sum = id();
    for (unsigned k = 0; k < 16 * one; ++k) {
        sum += __ldg(&data[(sum * 61 + k) % words]);  // planted
    }
    data[id()] = sum;
}

__global__ void long_chain(unsigned* data, unsigned one) {
    unsigned x = id();
    for (unsigned k = 0; k < 32 * one; ++k) {
        x = x * x * x * x * x * x * x * x * x + 1;  // planted
    }
    data[id()] = x;
}

__global__ void integer_division(unsigned* data, unsigned one) {
    unsigned x = id() + 1000000 * one;
    for (unsigned k = 1; k < 32 * one; ++k) {
        x = x / (k + one) + 1000000;  // planted
    }
    data[id()] = x;
}

__global__ void float_division(float* data, unsigned one) {
    float x = static_cast<float>(id() + 1);
    const float y = static_cast<float>(one) + 0.5F;
    for (unsigned k = 0; k < 32 * one; ++k) {
        x = y / x;  // planted
    }
    data[id()] = x;
}

__global__ void square_roots(float* data, unsigned one) {
    float x = static_cast<float>(id() + one);
    for (unsigned k = 0; k < 32 * one; ++k) {
        x = sqrtf(x);  // planted
    }
    data[id()] = x;
}

__global__ void special_functions(float* data, unsigned one) {
    float x = static_cast<float>(id() + one);
    for (unsigned k = 0; k < 32 * one; ++k) {
        x = __sinf(__sinf(__sinf(__sinf(x))));  // planted
    }
    data[id()] = x;
}

__global__ void divergent_loop(unsigned* data, unsigned one) {
    unsigned x = id();
    const unsigned turns = threadIdx.x % 32 * 4 * one;
    for (unsigned k = 0; k < turns; ++k) x = x * 5 + (x >> 3);  // planted
    data[id()] = x;
}

/// One warp works; the others wait for it.
__global__ void barrier_wait(unsigned* data, unsigned one) {
    unsigned a = id(), b = a + one, c = b + one, d = c + one, e = d + one, f = e + one;
    if (threadIdx.x < 32) {
        for (unsigned k = 0; k < 256 * one; ++k) {
            a += k, b ^= k, c -= k, d |= k, e += 3 * k, f ^= 5 * k;
        }
    }
    __syncthreads();  // planted
    data[id()] = a + b + c + d + e + f;
}

__global__ void fence_wait(unsigned* data, unsigned one) {
    for (unsigned k = 0; k < 8 * one; ++k) {
        data[(id() + k * 1024) % words] = k;
        __threadfence();  // planted
    }
}

__global__ void flag_wait(unsigned* data, unsigned one) {
    volatile unsigned* const flag = data + words / 2;
    if (blockIdx.x == 0) {
        unsigned x = one;
        for (unsigned k = 0; k < 512 * one; ++k) x = x * 5 + k;
        data[1] = x;
        __threadfence();
        *flag = 12345;
    } else {
        while (*flag != 12345) {  // planted
        }
    }
}

__global__ void straight_code(unsigned* data, unsigned one) {
    unsigned x = id();
#define STEP(k) x ^= x << (k % 13 + 1), x += one;
#define STEPS(k) STEP(k) STEP(k + 1) STEP(k + 2) STEP(k + 3) STEP(k + 4) STEP(k + 5) STEP(k + 6)
#define MORE(k) STEPS(k) STEPS(k + 1) STEPS(k + 2) STEPS(k + 3) STEPS(k + 4) STEPS(k + 5)
#define MOST(k) MORE(k) MORE(k + 1) MORE(k + 2) MORE(k + 3) MORE(k + 4) MORE(k + 5)
    for (unsigned k = 0; k < 2 * one; ++k) {
        MOST(1) MOST(2) MOST(3) MOST(4) MOST(5)  // planted
    }
    data[id()] = x;
}

__global__ void lock_of_all(unsigned* data, unsigned one) {
    for (unsigned k = 0; k < one; ++k) {
        heddle::warp_lock(data, [&] { data[1] += k; });  // planted
    }
}

__global__ void transaction_retries(unsigned* data, unsigned one) {
    __shared__ unsigned counts[64];
    counts[threadIdx.x % 64] = 0;
    __syncthreads();
    for (unsigned k = 0; k < 2 * one; ++k) {
        heddle::tx_begin(), counts[0] += one, heddle::tx_commit();  // planted
    }
    __syncthreads();
    data[id()] = counts[0];
}

__global__ void child(unsigned* data, unsigned rounds) {
    unsigned value = threadIdx.x;
    for (unsigned i = 0; i < rounds; ++i) value = __ldcg(&data[value % 2]) + value;
    data[2] = value;
}

/// The launches take longer than what is launched.
__global__ void launch_wait(unsigned* data, unsigned one) {
    for (unsigned k = 0; k < 4 * one; ++k) {
        heddle::launch(child, {dim3(1), dim3(32)}, 0U, data, 0U);  // planted
    }
}

__device__ __noinline__ unsigned helper(unsigned* data, unsigned at) {
    return data[at % words] * 3 + 1;  // planted
}

/// The line is in a function, which two kernels could share.
__global__ void line_in_function(unsigned* data, unsigned one) {
    unsigned at = id();
    for (unsigned k = 0; k < 16 * one; ++k) at = helper(data, at * 61 + k) + at;
    data[id()] = at;
}
