// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/pocket_kernel.h"

// Join of two tables by a key (Diamos et al., "Relational Algorithms for Multi-Bulk-Synchronous
// Processors", PPoPP 2013): the right table is in the order of its keys, so that the rows that
// match a row of the left one are neighbours. The first kernel counts them, the second one writes
// the pairs to their places.

/// First of the `rows` keys that is `key` or more; more than `key` if `behind`.
__forceinline__ unsigned find(unsigned rows, const unsigned* keys, unsigned key, bool behind) {
    unsigned low = 0;
    unsigned high = rows;
    while (low < high) {
        const unsigned middle = low + (high - low) / 2;
        if (keys[middle] < key || (behind && keys[middle] == key)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/// One thread a row of the left table.
__global__ void join_count(unsigned rows, const unsigned* keys, unsigned right_rows,
                           const unsigned* right_keys, unsigned* first, unsigned* count) {
    const unsigned i = heddle::pockets::thread_number();
    if (i >= rows) return;
    const unsigned begin = find(right_rows, right_keys, keys[i], false);
    first[i] = begin;
    count[i] = find(right_rows, right_keys, keys[i], true) - begin;
}

__forceinline__ void put(unsigned left_value, unsigned right, const unsigned* right_values,
                         unsigned place, unsigned* left_column, unsigned* right_column) {
    left_column[place] = left_value;
    right_column[place] = right_values[right];
}

/// A thread a pair of one row of the left table.
__global__ void join_matches(unsigned left_value, unsigned first, unsigned count,
                             const unsigned* right_values, unsigned place, unsigned* left_column,
                             unsigned* right_column) {
    const unsigned i = heddle::pockets::thread_number();
    if (i < count) put(left_value, first + i, right_values, place + i, left_column, right_column);
}

/// One thread a row of the left table; places[i] is where its pairs start.
template <class Mode>
__forceinline__ void join_gather(unsigned rows, const unsigned* values, const unsigned* first,
                                 const unsigned* count, const unsigned* places,
                                 const unsigned* right_values, unsigned* left_column,
                                 unsigned* right_column, heddle::pockets::limits pockets) {
    for (unsigned i = heddle::pockets::thread_number(); i < rows;
         i += heddle::pockets::threads_of_grid()) {
        const unsigned matches = count[i];
        const unsigned handed = heddle::pockets::hand_on<Mode>(
            pockets, matches, join_matches, values[i], first[i], matches, right_values, places[i],
            left_column, right_column);
        for (unsigned k = handed; k < matches; ++k)
            put(values[i], first[i] + k, right_values, places[i] + k, left_column, right_column);
    }
}
HEDDLE_ENTRIES(join_gather,
               (unsigned rows, const unsigned* values, const unsigned* first, const unsigned* count,
                const unsigned* places, const unsigned* right_values, unsigned* left_column,
                unsigned* right_column, heddle::pockets::limits pockets),
               (rows, values, first, count, places, right_values, left_column, right_column,
                pockets))
