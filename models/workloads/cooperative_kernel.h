// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <heddle.h>

#include "models/workloads/software_scheduler_kernel.h"

/// How the blocks of a blocking kernel wait for each other. A kernel is written once, as a template
/// over the way, and has an entry for each: NAME_cooperative, NAME_original, NAME_flags, and
/// NAME_software (software_scheduler_kernel.h). Between two barriers the number of blocks does not
/// change.
///
/// The body is a function `template <class Way> void NAME(State at, unsigned* arrivals,
/// PARAMETERS)`. It goes on from any of its barriers: new blocks start there, with the state. Where
/// a barrier says that the block ends it returns.
namespace heddle::coop {

/// Resizing barriers: blocks come and go.
struct cooperative {
    static __forceinline__ unsigned blocks(unsigned*) { return get_num_groups(); }
    template <auto start, class State>
    static __forceinline__ bool barrier(const State& state, unsigned*) {
        resizing_global_barrier<start>(state);
        return true;
    }
    /// Blocks may end and start here, where a block has finished a task.
    template <auto start, class State>
    static __forceinline__ bool between_tasks(const State& state, unsigned*) {
        offer_kill();
        request_fork<start>(state);
        return true;
    }
    /// A value that other blocks have stored before the last barrier.
    template <class T>
    static __forceinline__ T load(const T* from) {
        return *from;
    }
};

/// As the programs were before. It hangs unless all blocks are on the machine.
struct fixed_blocks : barrier_in_memory {
    static __forceinline__ unsigned blocks(unsigned*) { return gridDim.x; }
    template <auto start, class State>
    static __forceinline__ bool between_tasks(const State&, unsigned*) {
        return true;
    }
};

/// All blocks count in one word.
struct original : fixed_blocks {
    template <auto start, class State>
    static __forceinline__ bool barrier(const State&, unsigned* arrivals) {
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            // The word counts on from barrier to barrier: nobody resets it.
            const unsigned mine = atomicAdd(arrivals, 1u);
            const unsigned full = (mine / gridDim.x + 1) * gridDim.x;
            while (__ldcv(arrivals) < full) {
            }
        }
        __syncthreads();
        return true;
    }
};

/// The barrier of `software`.
struct flags : fixed_blocks {
    template <auto start, class State>
    static __forceinline__ bool barrier(const State&, unsigned* arrived) {
        __threadfence();
        __syncthreads();
        if (blockIdx.x != 0) {
            wait_for_master(arrived);
        } else {
            wait_for_slaves(arrived, gridDim.x);
            release_slaves(arrived, gridDim.x);
        }
        return true;
    }
};

/// The thread among all of the kernel, and how many these are until the next barrier.
__forceinline__ unsigned thread_number() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}
template <class Way>
__forceinline__ unsigned thread_count(unsigned* arrivals) {
    return Way::blocks(arrivals) * blockDim.x;
}

}  // namespace heddle::coop

/// The entries of a body, which start with the state `at`. The first parameters are those of the
/// body behind the state; `...` are their names. Further ones are for `at`.
#define HEDDLE_COOPERATIVE_ENTRIES(body, at, parameters, ...) \
    __global__ void body##_cooperative parameters {           \
        body<heddle::coop::cooperative>(at, __VA_ARGS__);     \
    }                                                         \
    __global__ void body##_original parameters {              \
        body<heddle::coop::original>(at, __VA_ARGS__);        \
    }                                                         \
    __global__ void body##_software parameters {              \
        using heddle::coop::software;                         \
        heddle::coop::work<body<software>>(at, __VA_ARGS__);  \
    }                                                         \
    __global__ void body##_flags parameters {                 \
        body<heddle::coop::flags>(at, __VA_ARGS__);           \
    }
