// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/display_kernel.h"
#include "models/workloads/work_queues_kernel.h"

// Search of a game tree with work stealing: four in a row on a board of 6 columns and 4 rows, where
// a stone falls to the lowest free place of its column. A task is a position. Above the last
// `below` plies its block makes tasks of the positions that a move leads to; at that depth its
// threads play all the last moves.
constexpr unsigned columns = 6;
constexpr unsigned rows = 4;
constexpr unsigned most_lines = columns * columns * columns * columns;  ///< of four plies
constexpr int win = 1000;  ///< less the ply of the winning stone
constexpr int no_value = -100'000;

/// Boards have rows + 1 bits a column, of which the highest is never set.
constexpr unsigned height = rows + 1;

struct position {
    unsigned own;     ///< stones of the player who moves
    unsigned others;  ///< the other player's
    unsigned ply;
    unsigned node;
};
using position_queues = heddle::stealing::work_queues<position>;

/// A position whose value is being found; node 0 is the start.
struct node {
    int value;         ///< best so far, for the player who moves
    unsigned pending;  ///< moves without a value
    unsigned parent;
};

struct game_tree {
    node* nodes;
    unsigned* used;    ///< nodes
    unsigned* played;  ///< lines that were played to their end
    unsigned* sum;     ///< of their values
    int* result;       ///< value of the start
    unsigned plies;
    unsigned below;
};

/// The board's bit where a stone in the column comes to lie; 0: the column is full.
__forceinline__ unsigned drop(unsigned stones, unsigned column) {
    const unsigned lowest = 1u << (column * height);
    const unsigned full = ((1u << rows) - 1) << (column * height);
    return (stones + lowest) & full & ~stones;
}

__forceinline__ bool in_line(unsigned board, unsigned step) {
    const unsigned pairs = board & (board >> step);
    return (pairs & (pairs >> (2 * step))) != 0;
}
__forceinline__ bool four(unsigned board) {
    return in_line(board, 1) || in_line(board, height) || in_line(board, height - 1) ||
           in_line(board, height + 1);
}

__forceinline__ int pairs_of(unsigned board) {
    int pairs = 0;
    for (unsigned side = board & (board >> height); side != 0; side &= side - 1) ++pairs;
    return pairs;
}

/// Gives a node its value, and its ancestors theirs when it was the last that they waited for.
__forceinline__ void settle(const game_tree& tree, unsigned at, int value) {
    while (at != 0) {
        const unsigned parent = __ldcg(&tree.nodes[at].parent);
        atomicMax(&tree.nodes[parent].value, -value);
        __threadfence();
        if (atomicSub(&tree.nodes[parent].pending, 1u) != 1) return;
        __threadfence();
        at = parent;
        value = __ldcg(&tree.nodes[at].value);
    }
    *tree.result = value;
}

/// One thread: makes tasks of the moves.
__forceinline__ void expand(const position& from, const position_queues& queues,
                            const game_tree& tree) {
    position moves[columns];
    unsigned made = 0;
    int best = no_value;
    for (unsigned column = 0; column < columns; ++column) {
        const unsigned stone = drop(from.own | from.others, column);
        if (stone == 0) continue;
        if (four(from.own | stone)) {
            best = max(best, win - static_cast<int>(from.ply + 1));
        } else {
            moves[made++] = {from.others, from.own | stone, from.ply + 1, 0};
        }
    }
    if (made == 0) {
        settle(tree, from.node, best);
        return;
    }
    node& own = tree.nodes[from.node];
    own.value = best;
    own.pending = made;
    const unsigned first = atomicAdd(tree.used, made);
    for (unsigned i = 0; i < made; ++i) {
        moves[i].node = first + i;
        tree.nodes[first + i].parent = from.node;
    }
    __threadfence();
    queues.push(blockIdx.x, moves, made);
}

/// Plays one line of moves, the digits of `line`. Its value is for the player who moves in `from`;
/// no_value: a column was full.
__forceinline__ int play(position from, unsigned line, const game_tree& tree) {
    int sign = 1;
    for (unsigned scale = line, move = 0; move < tree.below; ++move, scale /= columns) {
        const unsigned stone = drop(from.own | from.others, scale % columns);
        if (stone == 0) return no_value;
        ++from.ply;
        if (four(from.own | stone)) return sign * (win - static_cast<int>(from.ply));
        const unsigned moved = from.own | stone;
        from.own = from.others;
        from.others = moved;
        sign = -sign;
    }
    return sign * (pairs_of(from.own) - pairs_of(from.others));
}

/// The block: plays all lines of moves, and finds the best by turns.
__forceinline__ void play_all(const position& from, const game_tree& tree) {
    __shared__ int values[most_lines];
    __shared__ unsigned played;
    __shared__ unsigned sum;
    unsigned lines = 1;
    for (unsigned i = 0; i < tree.below; ++i) lines *= columns;

    if (threadIdx.x == 0) played = sum = 0;
    __syncthreads();
    for (unsigned line = threadIdx.x; line < lines; line += blockDim.x) {
        const int value = play(from, line, tree);
        values[line] = value;
        if (value == no_value) continue;
        atomicAdd(&played, 1u);
        atomicAdd(&sum, static_cast<unsigned>(value));
    }
    // The last move is the highest digit. The first player moves at even plies and wants the most.
    for (unsigned left = lines / columns, move = tree.below; move-- > 0; left /= columns) {
        __syncthreads();
        for (unsigned line = threadIdx.x; line < left; line += blockDim.x) {
            int best = no_value;
            for (unsigned column = 0; column < columns; ++column) {
                const int value = values[line + column * left];
                if (value == no_value) continue;
                const bool better = move % 2 == 0 ? value > best : value < best;
                if (best == no_value || better) best = value;
            }
            values[line] = best;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(tree.played, played);
        atomicAdd(tree.sum, sum);
        settle(tree, from.node, values[0]);
    }
}

/// A block's loop; new blocks start it. They need no state.
template <class Way>
void game(unsigned, unsigned* words, position_queues queues, game_tree tree) {
    __shared__ position task;
    __shared__ unsigned nearest;
    __shared__ unsigned unfinished;
    do {
        if (!Way::template between_tasks<game<Way>>(0u, words)) return;
        if (heddle::stealing::find_task(queues, task, nearest)) {
            if (task.ply + tree.below == tree.plies) {
                play_all(task, tree);
            } else if (threadIdx.x == 0) {
                expand(task, queues, tree);
            }
            if (threadIdx.x == 0) atomicSub(queues.unfinished, 1u);
        }
        if (threadIdx.x == 0) unfinished = __ldcg(queues.unfinished);
        __syncthreads();
    } while (unfinished != 0);
}
HEDDLE_COOPERATIVE_ENTRIES(game, 0u, (unsigned* arrivals, position_queues queues, game_tree tree),
                           arrivals, queues, tree)
