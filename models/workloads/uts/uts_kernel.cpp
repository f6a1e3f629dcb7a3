// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/display_kernel.h"
#include "models/workloads/work_queues_kernel.h"

// Search of unbalanced trees (Olivier et al., "UTS: An Unbalanced Tree Search Benchmark", LCPC
// 2006, binomial trees) with work stealing on two levels. Blocks steal subtrees from each other's
// queues in global memory. The threads of a block have deques of nodes in shared memory, one for
// each 32: they push and take by transactions, also from the deques of others.

constexpr unsigned threads_of_deque = 32;
constexpr unsigned most_threads = 256;  ///< of a block with transactions
constexpr unsigned most_deques = most_threads / threads_of_deque;
constexpr unsigned most_places = 64;
constexpr unsigned most_children = 8;

/// A node is what the next ones follow from. Below `limit` it has `children` children, else none.
struct node {
    unsigned state;
};
using node_queues = heddle::stealing::work_queues<node>;

struct tree_shape {
    unsigned children;
    unsigned limit;
    unsigned places;  ///< of a deque
};

struct found_nodes {
    unsigned stolen;  ///< nodes that a thread took from another deque
    unsigned passed;  ///< nodes that found no room in a deque
    unsigned nodes, leaves, sum;
};

__forceinline__ unsigned child_of(unsigned state, unsigned number) {
    unsigned mixed = state + (number + 1) * 0x9e3779b9u;
    mixed = (mixed ^ mixed >> 16) * 0x85ebca6bu;
    mixed = (mixed ^ mixed >> 13) * 0xc2b2ae35u;
    return mixed ^ mixed >> 16;
}

/// Numbers of nodes count on; the place of a node is its number mod the deque's places. Threads
/// without a node look at `offered`, which no transaction has: their transactions, one after the
/// other, could keep those that push out for ever.
struct deque {
    unsigned offered;  ///< about so many nodes are in it
    unsigned oldest, newest;
    unsigned states[most_places];
};

/// The newest or the oldest node; false: there is none.
__forceinline__ bool take(deque& from, bool take_newest, unsigned places, unsigned& state) {
    heddle::tx_begin();
    const unsigned oldest = from.oldest;
    const unsigned newest = from.newest;
    const bool found = oldest != newest;
    if (found) {
        state = from.states[(take_newest ? newest - 1 : oldest) % places];
        if (take_newest) {
            from.newest = newest - 1;
        } else {
            from.oldest = oldest + 1;
        }
    }
    heddle::tx_commit();
    if (found) atomicSub(&from.offered, 1u);
    return found;
}

/// Pushes all children but the first; false: there is not enough room, and nothing is pushed.
__forceinline__ bool push_children(deque& own, unsigned state, const tree_shape& shape) {
    heddle::tx_begin();
    unsigned newest = own.newest;
    const bool has_room = newest - own.oldest + shape.children - 1 <= shape.places;
    if (has_room) {
        for (unsigned i = 1; i < shape.children; ++i, ++newest)
            own.states[newest % shape.places] = child_of(state, i);
        own.newest = newest;
    }
    heddle::tx_commit();
    if (has_room) atomicAdd(&own.offered, shape.children - 1);
    return has_room;
}

/// All children but the first become tasks of the block's queue.
__forceinline__ void pass_on(const node_queues& queues, unsigned state, const tree_shape& shape) {
    node children[most_children];
    for (unsigned i = 1; i < shape.children; ++i) children[i - 1].state = child_of(state, i);
    queues.push(blockIdx.x, children, shape.children - 1);
}

/// The block's words for a subtree.
struct block_search {
    deque deques[most_deques];
    unsigned pending;  ///< nodes in deques and in threads' hands
    found_nodes found;
};

/// A thread has at most one node in hand. Each turn of its loop visits one.
class searching_thread {
public:
    __forceinline__ searching_thread(block_search& block, const node_queues& queues,
                                     const tree_shape& shape)
        : block_(block),
          queues_(queues),
          shape_(shape),
          own_(threadIdx.x / threads_of_deque),
          deques_((blockDim.x + threads_of_deque - 1) / threads_of_deque),
          looks_at_(own_) {}

    __forceinline__ void turn() {
        if (!holds_) look();
        if (holds_) visit();
    }
    __forceinline__ void tell() const {
        atomicAdd(&block_.found.nodes, found_.nodes);
        atomicAdd(&block_.found.leaves, found_.leaves);
        atomicAdd(&block_.found.sum, found_.sum);
        atomicAdd(&block_.found.stolen, found_.stolen);
        atomicAdd(&block_.found.passed, found_.passed);
    }

private:
    /// One deque a turn: the own one, then the others in a circle.
    __forceinline__ void look() {
        const bool is_own = looks_at_ == own_;
        deque& from = block_.deques[looks_at_];
        holds_ = atomicOr(&from.offered, 0u) != 0 && take(from, is_own, shape_.places, state_);
        if (holds_) {
            found_.stolen += is_own ? 0 : 1;
            looks_at_ = own_;
        } else {
            looks_at_ = looks_at_ + 1 == deques_ ? 0 : looks_at_ + 1;
        }
    }
    __forceinline__ void visit() {
        ++found_.nodes;
        found_.sum += state_;
        if (state_ >= shape_.limit) {
            ++found_.leaves;
            holds_ = false;
            atomicSub(&block_.pending, 1u);
            return;
        }
        atomicAdd(&block_.pending, shape_.children - 1);
        if (!push_children(block_.deques[own_], state_, shape_)) {
            pass_on(queues_, state_, shape_);
            atomicSub(&block_.pending, shape_.children - 1);
            found_.passed += shape_.children - 1;
        }
        state_ = child_of(state_, 0);
    }

    block_search& block_;
    const node_queues& queues_;
    const tree_shape& shape_;
    const unsigned own_;
    const unsigned deques_;
    unsigned looks_at_;
    bool holds_ = false;
    unsigned state_ = 0;
    found_nodes found_{};
};

/// The block searches the subtree of `root`, but for what it passes on.
__forceinline__ void search(const node& root, const node_queues& queues, const tree_shape& shape,
                            found_nodes* found) {
    __shared__ block_search block;
    if (threadIdx.x < most_deques) {
        deque& own = block.deques[threadIdx.x];
        own.oldest = 0;
        own.newest = own.offered = threadIdx.x == 0 ? 1 : 0;
    }
    if (threadIdx.x == 0) {
        block.deques[0].states[0] = root.state;
        block.pending = 1;
        block.found = {};
    }
    __syncthreads();
    searching_thread thread(block, queues, shape);
    do {
        thread.turn();
        heddle::warp_join();  // nobody waits for a node that a lane of its warp holds
    } while (atomicOr(&block.pending, 0u) != 0);
    thread.tell();
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&found->nodes, block.found.nodes);
        atomicAdd(&found->leaves, block.found.leaves);
        atomicAdd(&found->sum, block.found.sum);
        atomicAdd(&found->stolen, block.found.stolen);
        atomicAdd(&found->passed, block.found.passed);
        atomicSub(queues.unfinished, 1u);
    }
}

/// A block's loop; new blocks start it. They need no state.
template <class Way>
void uts(unsigned, unsigned* words, node_queues queues, tree_shape shape, found_nodes* found) {
    __shared__ node root;
    __shared__ unsigned nearest;
    __shared__ unsigned unfinished;
    do {
        if (!Way::template between_tasks<uts<Way>>(0u, words)) return;
        if (heddle::stealing::find_task(queues, root, nearest)) search(root, queues, shape, found);
        if (threadIdx.x == 0) unfinished = __ldcg(queues.unfinished);
        __syncthreads();
    } while (unfinished != 0);
}
HEDDLE_COOPERATIVE_ENTRIES(uts, 0u,
                           (unsigned* arrivals, node_queues queues, tree_shape shape,
                            found_nodes* found),
                           arrivals, queues, shape, found)
