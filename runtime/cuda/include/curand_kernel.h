/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * Random numbers in kernels: XORWOW (Marsaglia, "Xorshift RNGs", 2003) and Philox4x32-10 (Salmon et
 * al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011). Philox's sequences are those of its
 * paper, with the seed as the key and subsequence and offset as the counter. How XORWOW is seeded
 * its paper leaves open: its sequences here are Heddle's own. */
#ifndef HEDDLE_CURAND_KERNEL_H
#define HEDDLE_CURAND_KERNEL_H

#include "cuda_runtime.h"

struct curandStateXORWOW {
    unsigned int d, v[5];
    int has_normal, has_normal_double;
    float normal;
    double normal_double;
};
struct curandStatePhilox4_32_10 {
    uint4 counter, output;
    uint2 key;
    unsigned int used; /* words of `output` */
    int has_normal, has_normal_double;
    float normal;
    double normal_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

#if defined(__CUDA__)

/* ---- XORWOW ---------------------------------------------------------------------------------- */

HEDDLE_DEVICE unsigned int curand(curandStateXORWOW* s) {
    const unsigned t = s->v[0] ^ (s->v[0] >> 2);
    s->v[0] = s->v[1];
    s->v[1] = s->v[2];
    s->v[2] = s->v[3];
    s->v[3] = s->v[4];
    s->v[4] = (s->v[4] ^ (s->v[4] << 4)) ^ (t ^ (t << 1));
    s->d += 362437u;
    return s->v[4] + s->d;
}
/* Far ahead is another place of the sequence, the same for the same distance. */
static __device__ __inline__ void skipahead(unsigned long long n, curandStateXORWOW* s) {
    unsigned long long far = n / 4096;
    for (int i = 0; i < 5 && far != 0; ++i) {
        const unsigned long long mixed = (far + i) * 0x9e3779b97f4a7c15ull;
        s->v[i] ^= (unsigned)(mixed >> 32) ^ (unsigned)mixed << 7;
    }
    if ((s->v[0] | s->v[1] | s->v[2] | s->v[3] | s->v[4]) == 0) s->v[0] = 1;
    for (n %= 4096; n != 0; --n) curand(s);
}
/* Words of the state by a generator of 64 bits (Steele et al., "Fast splittable pseudorandom number
 * generators", 2014), which begins at another place for each subsequence. */
static __device__ __inline__ void curand_init(unsigned long long seed,
                                              unsigned long long subsequence,
                                              unsigned long long offset, curandStateXORWOW* s) {
    unsigned long long z = seed ^ (subsequence * 0xda942042e4dd58b5ull);
    unsigned words[6];
    for (int i = 0; i < 6; i += 2) {
        z += 0x9e3779b97f4a7c15ull;
        unsigned long long mixed = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebull;
        mixed ^= mixed >> 31;
        words[i] = (unsigned)mixed;
        words[i + 1] = (unsigned)(mixed >> 32);
    }
    for (int i = 0; i < 5; ++i) s->v[i] = words[i];
    s->v[0] |= 1; /* not all zeros */
    s->d = words[5];
    s->has_normal = s->has_normal_double = 0;
    skipahead(offset, s);
}

/* ---- Philox4x32-10 --------------------------------------------------------------------------- */

static __device__ __inline__ uint4 heddle_philox(uint4 c, uint2 k) {
    for (int round = 0; round < 10; ++round) {
        const unsigned high0 = __umulhi(0xd2511f53u, c.x), low0 = 0xd2511f53u * c.x;
        const unsigned high1 = __umulhi(0xcd9e8d57u, c.z), low1 = 0xcd9e8d57u * c.z;
        c = make_uint4(high1 ^ c.y ^ k.x, low1, high0 ^ c.w ^ k.y, low0);
        k.x += 0x9e3779b9u;
        k.y += 0xbb67ae85u;
    }
    return c;
}
/* The counter goes on by n blocks of four numbers. */
HEDDLE_DEVICE void heddle_advance(curandStatePhilox4_32_10* s, unsigned long long n) {
    unsigned long long low = (unsigned long long)s->counter.y << 32 | s->counter.x;
    low += n;
    if (low < n && ++s->counter.z == 0) ++s->counter.w;
    s->counter.x = (unsigned)low;
    s->counter.y = (unsigned)(low >> 32);
}
static __device__ __inline__ void skipahead(unsigned long long n, curandStatePhilox4_32_10* s) {
    const unsigned long long words = s->used + n;
    heddle_advance(s, words / 4);
    s->used = (unsigned)(words % 4);
    s->output = heddle_philox(s->counter, s->key);
}
/* The state as curand_init() has it n subsequences further on. */
static __device__ __inline__ void skipahead_sequence(unsigned long long n,
                                                     curandStatePhilox4_32_10* s) {
    const unsigned long long next = ((unsigned long long)s->counter.w << 32 | s->counter.z) + n;
    s->counter.z = (unsigned)next;
    s->counter.w = (unsigned)(next >> 32);
    s->output = heddle_philox(s->counter, s->key);
}
static __device__ __inline__ void curand_init(unsigned long long seed,
                                              unsigned long long subsequence,
                                              unsigned long long offset,
                                              curandStatePhilox4_32_10* s) {
    s->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
    s->counter = make_uint4(0, 0, (unsigned)subsequence, (unsigned)(subsequence >> 32));
    s->used = 0;
    s->has_normal = s->has_normal_double = 0;
    skipahead(offset, s);
}
static __device__ __inline__ unsigned int curand(curandStatePhilox4_32_10* s) {
    const unsigned i = s->used++;
    const unsigned word = i == 0   ? s->output.x
                          : i == 1 ? s->output.y
                          : i == 2 ? s->output.z
                                   : s->output.w;
    if (s->used == 4) {
        heddle_advance(s, 1);
        s->output = heddle_philox(s->counter, s->key);
        s->used = 0;
    }
    return word;
}
static __device__ __inline__ uint4 curand4(curandStatePhilox4_32_10* s) {
    const unsigned x = curand(s), y = curand(s), z = curand(s), w = curand(s);
    return make_uint4(x, y, z, w);
}

/* ---- Distributions --------------------------------------------------------------------------- */

/* Above 0, up to 1. */
HEDDLE_DEVICE float heddle_uniform(unsigned x) {
    return fmaf((float)x, 0x1p-32f, 0x1p-33f);
}
HEDDLE_DEVICE double heddle_uniform(unsigned x, unsigned y) {
    const unsigned long long bits = (unsigned long long)x ^ ((unsigned long long)y << 21);
    return (double)bits * 0x1p-53 + 0x1p-54;
}
/* Two normal numbers of two uniform ones (Box and Muller, 1958). */
HEDDLE_DEVICE float2 heddle_normal2(unsigned x, unsigned y) {
    const float radius = sqrtf(-2.0f * logf(heddle_uniform(x)));
    float2 pair;
    sincospif(2.0f * heddle_uniform(y), &pair.x, &pair.y);
    pair.x *= radius;
    pair.y *= radius;
    return pair;
}

template <typename State>
HEDDLE_DEVICE float curand_uniform(State* s) {
    return heddle_uniform(curand(s));
}
template <typename State>
HEDDLE_DEVICE double curand_uniform_double(State* s) {
    const unsigned x = curand(s), y = curand(s);
    return heddle_uniform(x, y);
}
template <typename State>
HEDDLE_DEVICE float2 curand_normal2(State* s) {
    const unsigned x = curand(s), y = curand(s);
    return heddle_normal2(x, y);
}
template <typename State>
static __device__ __inline__ float curand_normal(State* s) {
    if (s->has_normal) {
        s->has_normal = 0;
        return s->normal;
    }
    const float2 pair = curand_normal2(s);
    s->normal = pair.y;
    s->has_normal = 1;
    return pair.x;
}
template <typename State>
static __device__ __inline__ double2 curand_normal2_double(State* s) {
    const double radius = sqrt(-2.0 * log(curand_uniform_double(s)));
    double2 pair;
    sincospi(2.0 * curand_uniform_double(s), &pair.x, &pair.y);
    pair.x *= radius;
    pair.y *= radius;
    return pair;
}
template <typename State>
static __device__ __inline__ double curand_normal_double(State* s) {
    if (s->has_normal_double) {
        s->has_normal_double = 0;
        return s->normal_double;
    }
    const double2 pair = curand_normal2_double(s);
    s->normal_double = pair.y;
    s->has_normal_double = 1;
    return pair.x;
}
template <typename State>
HEDDLE_DEVICE float curand_log_normal(State* s, float mean, float deviation) {
    return expf(mean + deviation * curand_normal(s));
}
template <typename State>
HEDDLE_DEVICE double curand_log_normal_double(State* s, double mean, double deviation) {
    return exp(mean + deviation * curand_normal_double(s));
}
HEDDLE_DEVICE float4 curand_uniform4(curandStatePhilox4_32_10* s) {
    const uint4 x = curand4(s);
    return make_float4(heddle_uniform(x.x), heddle_uniform(x.y), heddle_uniform(x.z),
                       heddle_uniform(x.w));
}
HEDDLE_DEVICE float4 curand_normal4(curandStatePhilox4_32_10* s) {
    const uint4 x = curand4(s);
    const float2 a = heddle_normal2(x.x, x.y), b = heddle_normal2(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
HEDDLE_DEVICE double2 curand_uniform2_double(curandStatePhilox4_32_10* s) {
    const uint4 x = curand4(s);
    return make_double2(heddle_uniform(x.x, x.y), heddle_uniform(x.z, x.w));
}
/* By multiplying uniform numbers (Knuth); for large means the nearest number to a normal one. */
template <typename State>
static __device__ __inline__ unsigned int curand_poisson(State* s, double mean) {
    if (mean > 64.0) {
        const double x = mean + sqrt(mean) * (double)curand_normal(s);
        return x < 0.5 ? 0 : (unsigned)(x + 0.5);
    }
    const float limit = expf((float)-mean);
    unsigned count = 0;
    for (float product = curand_uniform(s); product > limit; product *= curand_uniform(s)) ++count;
    return count;
}

/* Several at once. */
template <typename State>
HEDDLE_DEVICE float2 curand_log_normal2(State* s, float mean, float deviation) {
    const float2 pair = curand_normal2(s);
    return make_float2(expf(mean + deviation * pair.x), expf(mean + deviation * pair.y));
}
template <typename State>
static __device__ __inline__ double2 curand_log_normal2_double(State* s, double mean,
                                                               double deviation) {
    const double2 pair = curand_normal2_double(s);
    return make_double2(exp(mean + deviation * pair.x), exp(mean + deviation * pair.y));
}
HEDDLE_DEVICE float4 curand_log_normal4(curandStatePhilox4_32_10* s, float mean, float deviation) {
    const float2 a = curand_log_normal2(s, mean, deviation),
                 b = curand_log_normal2(s, mean, deviation);
    return make_float4(a.x, a.y, b.x, b.y);
}
static __device__ __inline__ double4 curand_uniform4_double(curandStatePhilox4_32_10* s) {
    const double2 a = curand_uniform2_double(s), b = curand_uniform2_double(s);
    return make_double4(a.x, a.y, b.x, b.y);
}
static __device__ __inline__ double4 curand_normal4_double(curandStatePhilox4_32_10* s) {
    const double2 a = curand_normal2_double(s), b = curand_normal2_double(s);
    return make_double4(a.x, a.y, b.x, b.y);
}
static __device__ __inline__ uint4 curand_poisson4(curandStatePhilox4_32_10* s, double mean) {
    const unsigned x = curand_poisson(s, mean), y = curand_poisson(s, mean),
                   z = curand_poisson(s, mean), w = curand_poisson(s, mean);
    return make_uint4(x, y, z, w);
}

#endif

#endif
