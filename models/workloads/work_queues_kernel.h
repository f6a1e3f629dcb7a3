// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/workloads/cooperative_kernel.h"

/// Work stealing: each block has a queue of tasks under a lock, takes the newest task of its own,
/// and when there is none the oldest of another block's (Cederman, Tsigas, "On Dynamic Load
/// Balancing on Graphics Processors", 2008). A block that ends leaves its queue to the others.
namespace heddle::stealing {

/// Queues in memory; the host has made them (work_queues.h).
template <class Task>
struct work_queues {
    /// A ring. The numbers of tasks count on; the place of a task is its number mod capacity.
    struct header {
        unsigned lock;
        unsigned oldest;  ///< number of the next task that another block takes
        unsigned newest;  ///< number behind the last task
    };

    header* headers;
    Task* tasks;           ///< `capacity` for each queue
    unsigned* unfinished;  ///< tasks that wait or run
    unsigned count;
    unsigned capacity;

    [[nodiscard]] __forceinline__ bool has_tasks(unsigned queue) const {
        return __ldcg(&headers[queue].oldest) != __ldcg(&headers[queue].newest);
    }

    /// One thread: adds tasks, fewer than the queue has room for.
    __forceinline__ void push(unsigned queue, const Task* added, unsigned number) const {
        header& own = headers[queue];
        atomicAdd(unfinished, number);
        warp_lock(&own.lock, [&] {
            unsigned newest = __ldcg(&own.newest);
            for (unsigned i = 0; i < number; ++i, ++newest) place(queue, newest) = added[i];
            __threadfence();
            own.newest = newest;
        });
    }

    /// One thread: takes the newest or the oldest task; false: there is none.
    __forceinline__ bool take(unsigned queue, bool take_newest, Task& taken) const {
        header& from = headers[queue];
        bool found = false;
        warp_lock(&from.lock, [&] {
            const unsigned oldest = __ldcg(&from.oldest);
            const unsigned newest = __ldcg(&from.newest);
            found = oldest != newest;
            if (!found) return;
            copy(place(queue, take_newest ? newest - 1 : oldest), taken);
            if (take_newest) {
                from.newest = newest - 1;
            } else {
                from.oldest = oldest + 1;
            }
        });
        return found;
    }

private:
    [[nodiscard]] __forceinline__ Task& place(unsigned queue, unsigned number) const {
        return tasks[queue * capacity + number % capacity];
    }
    /// Another SMX may have written it: past L1.
    static __forceinline__ void copy(const Task& from, Task& to) {
        static_assert(sizeof(Task) % sizeof(unsigned) == 0, "a task is made of words");
        const unsigned* const source = reinterpret_cast<const unsigned*>(&from);
        unsigned* const target = reinterpret_cast<unsigned*>(&to);
        for (unsigned i = 0; i < sizeof(Task) / sizeof(unsigned); ++i)
            target[i] = __ldcg(&source[i]);
    }
};

/// The next task for the block, in shared memory, or nothing. All threads of the block call it.
/// `nearest` is a shared word.
template <class Task>
__forceinline__ bool find_task(const work_queues<Task>& queues, Task& task, unsigned& nearest) {
    // Another block's tasks may be gone when the lock is taken: the block then looks again.
    const unsigned own = blockIdx.x;
    if (threadIdx.x == 0) nearest = queues.count;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < queues.count; i += blockDim.x) {
        if (queues.has_tasks((own + i) % queues.count)) atomicMin(&nearest, i);
    }
    __syncthreads();
    if (threadIdx.x == 0 && nearest != queues.count &&
        !queues.take((own + nearest) % queues.count, nearest == 0, task))
        nearest = queues.count;
    __syncthreads();
    return nearest != queues.count;
}

}  // namespace heddle::stealing
