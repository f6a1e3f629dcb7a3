/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * Cooperative groups: thread blocks, tiles of a warp, the threads that are active, the grid. Tiles
 * and active threads are those of a warp; grids wait for all blocks (a cooperative launch). */
#ifndef HEDDLE_COOPERATIVE_GROUPS_H
#define HEDDLE_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#if defined(__CUDA__)
namespace cooperative_groups {

#define HEDDLE_MEMBER __device__ __inline__ __attribute__((always_inline))

namespace detail {

/* The lanes from 0 to 31 or from 32 to 63, whichever the thread is one of. */
HEDDLE_DEVICE unsigned vote(bool predicate) {
    const unsigned low = __ballot_sync(~0u, predicate), high = heddle::ballot_high(predicate);
    return heddle::lane_id() < 32 ? low : high;
}
HEDDLE_DEVICE unsigned half_lane() {
    return heddle::lane_id() % 32;
}
HEDDLE_DEVICE unsigned long long rank_in_block() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
HEDDLE_DEVICE unsigned block_threads() {
    return blockDim.x * blockDim.y * blockDim.z;
}
static __device__ __inline__ __attribute__((noinline)) void tile_is_larger_than_a_warp(
    unsigned lanes) {
    if (heddle::lane_id() == 0) {
        printf("cooperative_groups: a tile of %u threads; the machine's warps have %d\n", lanes,
               (int)warpSize);
    }
    __trap();
}

}  // namespace detail

/* All threads of the block. */
class thread_block {
public:
    HEDDLE_MEMBER static void sync() { __syncthreads(); }
    HEDDLE_MEMBER static unsigned thread_rank() { return (unsigned)detail::rank_in_block(); }
    HEDDLE_MEMBER static unsigned size() { return detail::block_threads(); }
    HEDDLE_MEMBER static unsigned num_threads() { return size(); }
    HEDDLE_MEMBER static dim3 group_index() { return blockIdx; }
    HEDDLE_MEMBER static dim3 thread_index() { return threadIdx; }
    HEDDLE_MEMBER static dim3 group_dim() { return blockDim; }
    HEDDLE_MEMBER static dim3 dim_threads() { return blockDim; }
};
HEDDLE_DEVICE thread_block this_thread_block() {
    return thread_block();
}

/* All threads of a cooperative launch. */
class grid_group {
public:
    HEDDLE_MEMBER static bool is_valid() { return true; }
    HEDDLE_MEMBER static void sync() {
        __threadfence();
        HEDDLE_PLAIN(GLOBAL_BARRIER);
    }
    HEDDLE_MEMBER static unsigned long long block_rank() {
        return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    }
    HEDDLE_MEMBER static unsigned long long num_blocks() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    HEDDLE_MEMBER static unsigned long long thread_rank() {
        return block_rank() * detail::block_threads() + detail::rank_in_block();
    }
    HEDDLE_MEMBER static unsigned long long size() {
        return num_blocks() * detail::block_threads();
    }
    HEDDLE_MEMBER static unsigned long long num_threads() { return size(); }
    HEDDLE_MEMBER static dim3 group_dim() { return gridDim; }
    HEDDLE_MEMBER static dim3 dim_blocks() { return gridDim; }
    HEDDLE_MEMBER static dim3 block_index() { return blockIdx; }
};
HEDDLE_DEVICE grid_group this_grid() {
    return grid_group();
}

template <unsigned lanes, typename Parent = void>
class thread_block_tile;

namespace detail {
/* The group that a tile is a part of: the block, or a larger tile. */
template <typename Parent>
struct parent {
    static __device__ __inline__ unsigned rank() { return (unsigned)rank_in_block(); }
    static __device__ __inline__ unsigned size() { return block_threads(); }
};
template <unsigned lanes, typename Other>
struct parent<thread_block_tile<lanes, Other>> {
    static __device__ __inline__ unsigned rank() { return heddle::lane_id() % lanes; }
    static __device__ __inline__ unsigned size() { return lanes; }
};
}  // namespace detail

/* `lanes` threads in a row, a power of two up to 32. */
template <unsigned lanes, typename Parent>
class thread_block_tile {
    static_assert(lanes != 0 && lanes <= 32 && (lanes & (lanes - 1)) == 0,
                  "cooperative_groups: a tile has 1, 2, 4, 8, 16 or 32 threads");

public:
    HEDDLE_MEMBER thread_block_tile() {
        if (lanes > 8 && lanes > (unsigned)(int)warpSize) detail::tile_is_larger_than_a_warp(lanes);
    }
    template <typename Other>
    HEDDLE_MEMBER thread_block_tile(const thread_block_tile<lanes, Other>&) {}
    HEDDLE_MEMBER static void sync() { __syncwarp(); }
    HEDDLE_MEMBER static unsigned thread_rank() { return heddle::lane_id() % lanes; }
    HEDDLE_MEMBER static constexpr unsigned size() { return lanes; }
    HEDDLE_MEMBER static constexpr unsigned num_threads() { return lanes; }
    HEDDLE_MEMBER static unsigned meta_group_rank() {
        return detail::parent<Parent>::rank() / lanes;
    }
    HEDDLE_MEMBER static unsigned meta_group_size() {
        return (detail::parent<Parent>::size() + lanes - 1) / lanes;
    }
    template <typename T>
    HEDDLE_MEMBER T shfl(T value, unsigned rank) const {
        return __shfl_sync(~0u, value, rank, (int)lanes);
    }
    template <typename T>
    HEDDLE_MEMBER T shfl_up(T value, unsigned delta) const {
        return __shfl_up_sync(~0u, value, delta, (int)lanes);
    }
    template <typename T>
    HEDDLE_MEMBER T shfl_down(T value, unsigned delta) const {
        return __shfl_down_sync(~0u, value, delta, (int)lanes);
    }
    template <typename T>
    HEDDLE_MEMBER T shfl_xor(T value, unsigned mask) const {
        return __shfl_xor_sync(~0u, value, mask, (int)lanes);
    }
    HEDDLE_MEMBER unsigned ballot(int predicate) const {
        return detail::vote(predicate != 0) >> first() & mask();
    }
    HEDDLE_MEMBER int any(int predicate) const { return ballot(predicate) != 0; }
    HEDDLE_MEMBER int all(int predicate) const { return ballot(!predicate) == 0; }
    template <typename T>
    HEDDLE_MEMBER unsigned match_any(T value) const {
        return __match_any_sync(mask() << first(), value) >> first();
    }
    template <typename T>
    HEDDLE_MEMBER unsigned match_all(T value, int& all_equal) const {
        return __match_all_sync(mask() << first(), value, &all_equal) >> first();
    }
    /* The lanes of the tile, of those that make a vote. */
    HEDDLE_MEMBER static unsigned lanes_of_warp() { return mask() << first(); }

private:
    HEDDLE_MEMBER static unsigned first() { return detail::half_lane() & ~(lanes - 1); }
    HEDDLE_MEMBER static constexpr unsigned mask() {
        return lanes == 32 ? ~0u : (1u << lanes % 32) - 1;
    }
};

/* The threads of the warp that are active where the group is made. */
class coalesced_group {
public:
    HEDDLE_MEMBER explicit coalesced_group(unsigned mask) : mask_(mask) {}
    HEDDLE_MEMBER void sync() const { __syncwarp(); }
    HEDDLE_MEMBER unsigned size() const { return (unsigned)__popc(mask_); }
    HEDDLE_MEMBER unsigned num_threads() const { return size(); }
    HEDDLE_MEMBER unsigned thread_rank() const {
        return (unsigned)__popc(mask_ & ((1u << detail::half_lane()) - 1));
    }
    template <typename T>
    HEDDLE_MEMBER T shfl(T value, unsigned rank) const {
        return __shfl_sync(~0u, value, lane_of(rank), 32);
    }
    template <typename T>
    HEDDLE_MEMBER T shfl_up(T value, unsigned delta) const {
        const unsigned rank = thread_rank();
        const T other = shfl(value, rank < delta ? rank : rank - delta);
        return other;
    }
    template <typename T>
    HEDDLE_MEMBER T shfl_down(T value, unsigned delta) const {
        const unsigned rank = thread_rank();
        const T other = shfl(value, rank + delta < size() ? rank + delta : rank);
        return other;
    }
    /* Bit i is the predicate of the thread of rank i. */
    HEDDLE_MEMBER unsigned ballot(int predicate) const {
        const unsigned votes = detail::vote(predicate != 0);
        unsigned packed = 0, rank = 0;
        for (unsigned left = mask_; left != 0; left &= left - 1, ++rank) {
            if ((votes & left & -left) != 0) packed |= 1u << rank;
        }
        return packed;
    }
    HEDDLE_MEMBER int any(int predicate) const {
        return (detail::vote(predicate != 0) & mask_) != 0;
    }
    HEDDLE_MEMBER int all(int predicate) const {
        return (detail::vote(predicate == 0) & mask_) == 0;
    }
    HEDDLE_MEMBER static unsigned meta_group_rank() { return 0; }
    HEDDLE_MEMBER static unsigned meta_group_size() { return 1; }
    HEDDLE_MEMBER unsigned lanes_of_warp() const { return mask_; }

private:
    HEDDLE_MEMBER unsigned lane_of(unsigned rank) const {
        unsigned left = mask_;
        for (; rank != 0; --rank) left &= left - 1;
        return (unsigned)__ffs((int)left) - 1;
    }
    unsigned mask_;
};
HEDDLE_DEVICE coalesced_group coalesced_threads() {
    return coalesced_group(detail::vote(true));
}

/* A group of a kind that is known when it runs: a block, or a tile of it. */
class thread_group {
public:
    HEDDLE_MEMBER thread_group(const thread_block&) : lanes_(0) {}
    template <unsigned lanes, typename Parent>
    HEDDLE_MEMBER thread_group(const thread_block_tile<lanes, Parent>&) : lanes_(lanes) {}
    HEDDLE_MEMBER explicit thread_group(unsigned lanes) : lanes_(lanes) {}
    HEDDLE_MEMBER void sync() const {
        if (lanes_ == 0) {
            __syncthreads();
        } else {
            __syncwarp();
        }
    }
    HEDDLE_MEMBER unsigned size() const { return lanes_ == 0 ? detail::block_threads() : lanes_; }
    HEDDLE_MEMBER unsigned num_threads() const { return size(); }
    HEDDLE_MEMBER unsigned thread_rank() const {
        const unsigned rank = (unsigned)detail::rank_in_block();
        return lanes_ == 0 ? rank : rank % lanes_;
    }

private:
    unsigned lanes_;
};

template <unsigned lanes, typename Group>
HEDDLE_DEVICE thread_block_tile<lanes, Group> tiled_partition(const Group&) {
    return thread_block_tile<lanes, Group>();
}
/* Of threads that are active by chance there are no tiles here. */
thread_group tiled_partition(const coalesced_group&, unsigned) = delete;
template <typename Group>
HEDDLE_DEVICE thread_group tiled_partition(const Group&, unsigned lanes) {
    return thread_group(lanes);
}

/* Those threads of a tile or of a coalesced group that give the same label. */
template <typename Group, typename T>
HEDDLE_DEVICE coalesced_group labeled_partition(const Group& group, T label) {
    return coalesced_group(__match_any_sync(group.lanes_of_warp(), label));
}
template <typename Group>
HEDDLE_DEVICE coalesced_group binary_partition(const Group& group, bool predicate) {
    return labeled_partition(group, (int)predicate);
}

template <typename Group>
HEDDLE_DEVICE void sync(const Group& group) {
    group.sync();
}
template <typename Group>
HEDDLE_DEVICE auto thread_rank(const Group& group) -> decltype(group.thread_rank()) {
    return group.thread_rank();
}
template <typename Group>
HEDDLE_DEVICE auto group_size(const Group& group) -> decltype(group.size()) {
    return group.size();
}

#undef HEDDLE_MEMBER
}  // namespace cooperative_groups
#endif

#endif
