// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <heddle.h>

#include "models/workloads/display_kernel.h"

/// The scheduler of Sorensen, Evrard, Donaldson, "Cooperative Kernels" (FSE 2017), section 4: words
/// in memory and code of the blocks themselves. A launch has as many blocks as fit. The last one is
/// the scheduler. The others are workers, which execute a cooperative kernel or draw a display.
/// Worker i executes block i of the kernel.
namespace heddle::coop {

/// Words in memory, as software_scheduler.h fills them.
struct scheduler_context {
    // Between scheduler and kernel.
    unsigned groups;     ///< M
    unsigned wanted;     ///< blocks that are to end; 0 while any are offered
    unsigned offered;    ///< blocks that may start
    unsigned lock;       ///< of these three, where a block ends or starts
    unsigned ended;      ///< blocks that have returned
    unsigned available;  ///< workers without a job
    unsigned drawn;      ///< workers that have drawn their share of a frame
    unsigned ranked;     ///< workers that got a share
    unsigned kills;      ///< blocks that were told to end, over all
    unsigned forks;      ///< blocks that were started while the kernel ran
    unsigned unused[6];  // a line of its own
    unsigned state[16];  ///< that of new blocks
    // What the host wants: it cannot write while a kernel runs, so the scheduler has the time.
    unsigned period;      ///< of the display, cycles; 0: none
    unsigned share;       ///< workers that draw a frame
    unsigned tiles;       ///< of a frame
    unsigned frames;      ///< that were shown
    unsigned capacity;    ///< of `frame`
    unsigned kernel_end;  ///< cycle, low word
    const float* a;
    const float* b;
    float* c;
    unsigned (*frame)[4];        ///< due, asked, gathered, shown: cycles from the scheduler's start
    volatile unsigned* arrived;  ///< of each worker: it waits at the barrier
    volatile unsigned* job;      ///< of each worker
};

/// A worker's job; from `draws` on its share of the frame.
constexpr unsigned waits = 0;
constexpr unsigned begins = 1;   ///< the kernel, at its start
constexpr unsigned goes_on = 2;  ///< the kernel, with the state in the context
constexpr unsigned stops = 3;
constexpr unsigned draws = 4;

/// A barrier of a master, block 0, and slaves with a flag each (Xiao, Feng, "Inter-Block GPU
/// Communication via Fast Barrier Synchronization", 2010). The master waits for all others.
__forceinline__ void wait_for_slaves(const volatile unsigned* arrived, unsigned groups) {
    for (unsigned slave = threadIdx.x + 1; slave < groups; slave += blockDim.x) {
        while (__ldcv(const_cast<const unsigned*>(&arrived[slave])) == 0) {
        }
    }
    __syncthreads();
}
__forceinline__ void release_slaves(volatile unsigned* arrived, unsigned groups) {
    for (unsigned slave = threadIdx.x + 1; slave < groups; slave += blockDim.x) arrived[slave] = 0;
    __threadfence();
}
__forceinline__ void wait_for_master(volatile unsigned* arrived) {
    if (threadIdx.x == 0) {
        arrived[blockIdx.x] = 1;
        __threadfence();
        while (__ldcv(const_cast<const unsigned*>(&arrived[blockIdx.x])) != 0) {
        }
    }
    __syncthreads();
}

/// A word that thread 0 tells its block.
__forceinline__ unsigned& told() {
    __shared__ unsigned word;
    return word;
}
/// The block: what thread 0 finds out.
template <class Find>
__forceinline__ unsigned ask(Find&& find) {
    if (threadIdx.x == 0) told() = find();
    __syncthreads();
    const unsigned answer = told();
    __syncthreads();
    return answer;
}

/// For kernels whose barrier is words in memory.
struct barrier_in_memory {
    /// A value that other blocks have stored before the last barrier, which L1 knows nothing of.
    template <class T>
    static __forceinline__ T load(const T* from) {
        return __ldcg(from);
    }
};

/// The calls of a cooperative kernel, to the scheduler in software. Those at which a block may end
/// say whether it goes on; if not, it returns from the kernel.
struct software : barrier_in_memory {
    static __forceinline__ scheduler_context& context(unsigned* words) {
        return *reinterpret_cast<scheduler_context*>(words);
    }
    static __forceinline__ unsigned blocks(unsigned* words) {
        return __ldcv(&context(words).groups);
    }

    /// The resizing barrier with a query: the master starts blocks and asks how many are wanted.
    template <auto start, class State>
    static __forceinline__ bool barrier(const State& state, unsigned* words) {
        scheduler_context& c = context(words);
        __threadfence();
        __syncthreads();
        if (blockIdx.x != 0) {
            wait_for_master(c.arrived);
            return goes_on_if(blockIdx.x < __ldcv(&c.groups));
        }
        const unsigned groups = __ldcv(&c.groups);
        wait_for_slaves(c.arrived, groups);
        if (threadIdx.x == 0) {
            // Blocks that have just started do not wait here: they can't end.
            if ((__ldcv(&c.offered) == 0 || !fork(c, state)) && __ldcv(&c.wanted) != 0) {
                warp_lock(&c.lock, [&] {
                    const unsigned wanted = __ldcv(&c.wanted);
                    const unsigned dying = min(wanted, groups - 1);
                    c.groups = groups - dying;
                    c.wanted = wanted - dying;
                    c.kills = __ldcv(&c.kills) + dying;
                });
            }
        }
        __syncthreads();
        release_slaves(c.arrived, groups);
        return true;
    }

    /// offer_kill(), then request_fork().
    template <auto start, class State>
    static __forceinline__ bool between_tasks(const State& state, unsigned* words) {
        scheduler_context& c = context(words);
        const bool dies = ask([&] { return offer_kill(c); }) != 0;
        if (!dies && threadIdx.x == 0 && __ldcv(&c.offered) != 0) (void)fork(c, state);
        return goes_on_if(!dies);
    }

    /// The block was told to end; its threads have all come to the end of the kernel.
    static __forceinline__ bool& was_killed() {
        __shared__ bool killed;
        return killed;
    }

private:
    static __forceinline__ bool goes_on_if(bool goes_on) {
        if (!goes_on && threadIdx.x == 0) was_killed() = true;
        return goes_on;
    }

    /// Thread 0.
    static __forceinline__ unsigned offer_kill(scheduler_context& c) {
        const unsigned groups = __ldcv(&c.groups);
        const unsigned wanted = __ldcv(&c.wanted);
        if (wanted == 0 || groups == 1 || blockIdx.x != groups - 1) return 0;
        unsigned dies = 0;
        warp_lock(&c.lock, [&] {
            // Only the highest block lowers the number, but the display may have got its room.
            const unsigned still = __ldcv(&c.wanted);
            if (still == 0 || __ldcv(&c.groups) != groups) return;
            c.groups = groups - 1;
            c.wanted = still - 1;
            c.kills = __ldcv(&c.kills) + 1;
            dies = 1;
        });
        return dies;
    }

    /// Thread 0: starts the blocks that are offered. False: the display wants them now.
    template <class State>
    static __forceinline__ bool fork(scheduler_context& c, const State& state) {
        static_assert(sizeof(State) <= sizeof c.state);
        bool forked = false;
        warp_lock(&c.lock, [&] {
            const unsigned offered = __ldcv(&c.offered);
            if (offered == 0) return;
            forked = true;
            const unsigned groups = __ldcv(&c.groups);
            __builtin_memcpy(c.state, &state, sizeof state);
            c.offered = 0;
            c.groups = groups + offered;
            c.forks = __ldcv(&c.forks) + offered;
            atomicSub(&c.available, offered);
            __threadfence();
            for (unsigned i = 0; i < offered; ++i) c.job[groups + i] = goes_on;
        });
        return forked;
    }
};

// The scheduler

/// Thread 0 of the scheduler's block: what it does until all threads have a part in it.
class scheduler {
public:
    explicit __forceinline__ scheduler(scheduler_context& context)
        : c_(context), workers_(gridDim.x - 1), start_(clock()), due_(context.period) {}

    /// draws: the workers without a job draw a frame. stops: everything is over.
    unsigned next() {
        for (;;) {
            const unsigned now = clock() - start_;
            if (!over_ && __ldcv(&c_.ended) == __ldcv(&c_.groups)) {
                over_ = true;
                c_.kernel_end = clock();
            }
            if (drawing_) {
                if (__ldcv(&c_.drawn) == c_.share) show(now);
            } else if (asked_) {
                if (__ldcv(&c_.available) >= c_.share) return begin_drawing(now);
            } else if (over_) {
                if (__ldcv(&c_.available) == workers_) return stops;
            } else if (c_.period != 0 && now >= due_ && c_.frames != c_.capacity) {
                ask_for_workers(now);
            } else if (__ldcv(&c_.offered) == 0) {
                offer();
            }
        }
    }

private:
    /// All that are free, if none is on its way to be so.
    void offer() {
        const unsigned available = __ldcv(&c_.available);
        const unsigned ended = __ldcv(&c_.ended);  // behind, so that it may be too high only
        const unsigned places = workers_ - __ldcv(&c_.groups);
        if (places == 0 || available - ended != places) return;
        c_.offered = places;
        __threadfence();
    }
    void ask_for_workers(unsigned now) {
        asked_ = true;
        c_.frame[c_.frames][0] = due_;
        c_.frame[c_.frames][1] = now;
        warp_lock(&c_.lock, [&] {
            c_.offered = 0;
            const unsigned available = __ldcv(&c_.available);
            c_.wanted = available < c_.share ? c_.share - available : 0;
        });
    }
    unsigned begin_drawing(unsigned now) {
        asked_ = false;
        drawing_ = true;
        c_.frame[c_.frames][2] = now;
        c_.drawn = 0;
        c_.ranked = 0;
        warp_lock(&c_.lock, [&] { c_.wanted = 0; });  // blocks may have returned meanwhile
        atomicSub(&c_.available, c_.share);
        return draws;
    }
    /// A frame that is late doesn't delay those after the next.
    void show(unsigned now) {
        drawing_ = false;
        c_.frame[c_.frames][3] = now;
        ++c_.frames;
        due_ += c_.period;
    }

    scheduler_context& c_;
    const unsigned workers_;
    const unsigned start_;
    unsigned due_;
    bool over_ = false;     ///< the kernel
    bool asked_ = false;    ///< for workers
    bool drawing_ = false;  ///< a frame
};

__forceinline__ void schedule(scheduler_context& c) {
    scheduler s(c);
    for (;;) {
        const unsigned what = ask([&] { return s.next(); });
        for (unsigned worker = threadIdx.x; worker < gridDim.x - 1; worker += blockDim.x) {
            if (what == stops) {
                c.job[worker] = stops;
            } else if (__ldcv(const_cast<const unsigned*>(&c.job[worker])) == waits) {
                const unsigned rank = atomicAdd(&c.ranked, 1u);
                if (rank < c.share) c.job[worker] = draws + rank;
            }
        }
        __threadfence();
        __syncthreads();
        if (what == stops) return;
    }
}

// Workers

/// A worker's share of a frame: as kernel `display`, with any number of threads that are a multiple
/// of a tile's width.
__forceinline__ void draw(unsigned first, unsigned step, const scheduler_context& c) {
    __shared__ float a_tile[display_tile][display_tile];
    __shared__ float b_tile[display_tile][display_tile];
    constexpr unsigned columns = display_wide * display_tile;
    const unsigned x = threadIdx.x % display_tile;
    const unsigned rows = blockDim.x / display_tile;
    static_assert(display_inner == display_tile);

    for (unsigned tile = first; tile < c.tiles; tile += step) {
        const unsigned top = tile / display_wide * display_tile;
        const unsigned column = tile % display_wide * display_tile + x;
        for (unsigned y = threadIdx.x / display_tile; y < display_tile; y += rows) {
            a_tile[y][x] = c.a[(top + y) * display_inner + x];
            b_tile[y][x] = c.b[y * columns + column];
        }
        __syncthreads();
        for (unsigned y = threadIdx.x / display_tile; y < display_tile; y += rows) {
            float sum = 0.0f;
#pragma clang loop unroll(full)
            for (unsigned k = 0; k < display_tile; ++k) sum += a_tile[y][k] * b_tile[k][x];
            c.c[(top + y) * columns + column] = sum;
        }
        __syncthreads();  // nobody overwrites a tile that a neighbour still reads
    }
}

/// A worker has done its job.
__forceinline__ void finish(scheduler_context& c, unsigned job, bool killed) {
    __threadfence();
    __syncthreads();
    if (threadIdx.x != 0) return;
    c.job[blockIdx.x] = waits;
    __threadfence();
    if (job >= draws) {
        atomicAdd(&c.drawn, 1u);
    } else if (!killed) {
        atomicAdd(&c.ended, 1u);
    }
    atomicAdd(&c.available, 1u);
}

/// The state that a block has forked this one with.
template <class State>
__forceinline__ State received(const scheduler_context& c) {
    unsigned words[sizeof(State) / sizeof(unsigned)];
    for (unsigned i = 0; i < sizeof(State) / sizeof(unsigned); ++i) words[i] = __ldcv(&c.state[i]);
    State state;
    __builtin_memcpy(&state, words, sizeof state);
    return state;
}

/// What all blocks of the launch execute.
template <auto body, class State, class... P>
__forceinline__ void work(const State& first, unsigned* words, const P&... parameters) {
    scheduler_context& c = software::context(words);
    if (blockIdx.x == gridDim.x - 1) return schedule(c);
    for (;;) {
        const unsigned job = ask([&] {
            software::was_killed() = false;
            unsigned given = waits;
            while (given == waits) given = __ldcv(const_cast<const unsigned*>(&c.job[blockIdx.x]));
            return given;
        });
        if (job == stops) return;
        if (job >= draws) {
            draw(job - draws, c.share, c);
        } else {
            body(job == begins ? first : received<State>(c), words, parameters...);
        }
        __syncthreads();
        finish(c, job, software::was_killed());
    }
}

}  // namespace heddle::coop

/// For the host, which measures how long a tile takes a worker.
__global__ void display_worker(heddle::coop::scheduler_context* context) {
    heddle::coop::draw(0, 1, *context);
}
