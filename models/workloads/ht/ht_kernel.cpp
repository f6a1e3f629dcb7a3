// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/critical_section_kernel.h"

// A hash table of a block in shared memory: chains of nodes, node i belongs to item i.
// heads[bucket] and next[node] are the number of a node + 1; 0 ends a chain. An item inserts its
// key, if the table does not have it, or looks it up, which writes nothing.

namespace {

constexpr unsigned absent = 0, present = 1, inserted = 2;  // answers of a section

/// Number of the node with the key + 1, or 0.
__forceinline__ unsigned find(unsigned first, unsigned key, const unsigned* keys,
                              const unsigned* next) {
    unsigned node = first;
    while (node != 0 && keys[node - 1] != key) node = next[node - 1];
    return node;
}

}  // namespace

/// The tables of all blocks go to `tables`: buckets heads, items keys, items links each.
template <class Version>
__forceinline__ void ht(unsigned items, unsigned buckets, const unsigned* item_keys,
                        const unsigned* item_inserts, unsigned* answers, unsigned* tables) {
    const unsigned words = buckets + 2 * items;
    unsigned* const heads = heddle::critical::begin<Version>(words);
    unsigned* const keys = heads + buckets;
    unsigned* const next = keys + items;
    heddle::critical::for_each_item<Version>(items, [&](unsigned item) {
        const unsigned index = blockIdx.x * items + item;
        const unsigned key = item_keys[index];
        unsigned* const head = &heads[key % buckets];
        unsigned answer = absent;
        if (item_inserts[index] != 0) {
            Version::run([&] {
                const unsigned first = *head;
                answer = present;
                if (find(first, key, keys, next) == 0) {
                    keys[item] = key;
                    next[item] = first;
                    *head = item + 1;
                    answer = inserted;
                }
            });
        } else {
            Version::run([&] { answer = find(*head, key, keys, next) != 0 ? present : absent; });
        }
        answers[index] = answer;
    });
    __syncthreads();
    for (unsigned i = threadIdx.x; i < words; i += blockDim.x) {
        tables[blockIdx.x * words + i] = heads[i];
    }
}

HEDDLE_CRITICAL_ENTRIES(ht,
                        (unsigned items, unsigned buckets, const unsigned* keys,
                         const unsigned* inserts, unsigned* answers, unsigned* tables),
                        (items, buckets, keys, inserts, answers, tables))
