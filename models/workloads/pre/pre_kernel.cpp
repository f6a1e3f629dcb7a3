// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/pocket_kernel.h"

// Item-based collaborative filtering (Nadungodage et al., "GPU accelerated item-based collaborative
// filtering for big-data applications", Big Data 2013): how similar are items to each other, and
// which rating does a user give to an item, from those to similar items?
//
// The tables lie as the version without launches reads and writes them best, a thread a user: users
// are neighbours in `scores`, and the items that users have rated are neighbours in `similar`.

/// Cosine of the ratings of items a and b. Their ratings are in the order of the users.
__forceinline__ float cosine(unsigned a, unsigned b, const unsigned* offsets, const unsigned* users,
                             const unsigned* ratings, const float* norms) {
    unsigned i = offsets[a];
    unsigned k = offsets[b];
    const unsigned end_i = offsets[a + 1];
    const unsigned end_k = offsets[b + 1];
    unsigned product = 0;
    while (i < end_i && k < end_k) {
        const unsigned user_i = users[i];
        const unsigned user_k = users[k];
        if (user_i == user_k) product += ratings[i] * ratings[k];
        if (user_i <= user_k) ++i;
        if (user_k <= user_i) ++k;
    }
    return product == 0 ? 0.0f : static_cast<float>(product) / (norms[a] * norms[b]);
}

__forceinline__ void compare(unsigned a, unsigned b, unsigned items, const unsigned* offsets,
                             const unsigned* users, const unsigned* ratings, const float* norms,
                             float* similar) {
    const float found = cosine(a, b, offsets, users, ratings, norms);
    similar[a * items + b] = found;
    similar[b * items + a] = found;
}

/// A thread an item behind `item`.
__global__ void pre_compare(unsigned item, unsigned items, const unsigned* offsets,
                            const unsigned* users, const unsigned* ratings, const float* norms,
                            float* similar) {
    const unsigned other = item + 1 + heddle::pockets::thread_number();
    if (other < items) compare(item, other, items, offsets, users, ratings, norms, similar);
}

/// A thread an item: compares it with all items behind it.
template <class Mode>
__forceinline__ void pre_similar(unsigned items, const unsigned* offsets, const unsigned* users,
                                 const unsigned* ratings, const float* norms, float* similar,
                                 heddle::pockets::limits pockets) {
    for (unsigned item = heddle::pockets::thread_number(); item < items;
         item += heddle::pockets::threads_of_grid()) {
        const unsigned handed =
            heddle::pockets::hand_on<Mode>(pockets, items - 1 - item, pre_compare, item, items,
                                           offsets, users, ratings, norms, similar);
        for (unsigned other = item + 1 + handed; other < items; ++other)
            compare(item, other, items, offsets, users, ratings, norms, similar);
    }
}
HEDDLE_ENTRIES(pre_similar,
               (unsigned items, const unsigned* offsets, const unsigned* users,
                const unsigned* ratings, const float* norms, float* similar,
                heddle::pockets::limits pockets),
               (items, offsets, users, ratings, norms, similar, pockets))

/// The mean of the user's ratings, from `first` to `end`, weighted by how similar the items are to
/// `item`. 0 if none is, and if the user has rated the item.
__forceinline__ float predict(unsigned first, unsigned end, unsigned item, unsigned items,
                              const unsigned* rated, const unsigned* ratings,
                              const float* similar) {
    float sum = 0;
    float weights = 0;
    bool known = false;
    for (unsigned i = first; i < end; ++i) {
        const float weight = similar[item * items + rated[i]];
        sum = fmaf(weight, static_cast<float>(ratings[i]), sum);
        weights += weight;
        known = known || rated[i] == item;
    }
    return known || weights == 0.0f ? 0.0f : sum / weights;
}

/// A thread an item, for one user.
__global__ void pre_items(unsigned first, unsigned end, unsigned items, unsigned user_count,
                          const unsigned* rated, const unsigned* ratings, const float* similar,
                          float* scores) {
    const unsigned item = heddle::pockets::thread_number();
    if (item >= items) return;
    scores[item * user_count] = predict(first, end, item, items, rated, ratings, similar);
}

/// A thread a user: a score for every item.
template <class Mode>
__forceinline__ void pre_predict(unsigned user_count, unsigned items, const unsigned* offsets,
                                 const unsigned* rated, const unsigned* ratings,
                                 const float* similar, float* scores,
                                 heddle::pockets::limits pockets) {
    for (unsigned user = heddle::pockets::thread_number(); user < user_count;
         user += heddle::pockets::threads_of_grid()) {
        const unsigned first = offsets[user];
        const unsigned end = offsets[user + 1];
        float* const own = scores + user;
        const unsigned handed = heddle::pockets::hand_on<Mode>(
            pockets, items, pre_items, first, end, items, user_count, rated, ratings, similar, own);
        for (unsigned item = handed; item < items; ++item)
            own[item * user_count] = predict(first, end, item, items, rated, ratings, similar);
    }
}
HEDDLE_ENTRIES(pre_predict,
               (unsigned user_count, unsigned items, const unsigned* offsets, const unsigned* rated,
                const unsigned* ratings, const float* similar, float* scores,
                heddle::pockets::limits pockets),
               (user_count, items, offsets, rated, ratings, similar, scores, pockets))
