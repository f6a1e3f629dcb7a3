// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

#include "models/workloads/hmmer/profile.h"

namespace {

using namespace heddle::profile;

__forceinline__ void raise(int& score, int other) {
    if (other > score) {
        heddle::keep_branch();
        score = other;
    }
}

/// Sums of two scores that cannot be do not overflow, but would those of more.
__forceinline__ void bound(int& score) {
    if (score < never) {
        heddle::keep_branch();
        score = never;
    }
}

/// Viterbi score of [text, end_of_text) against a profile with `nodes` nodes (Plan7 of HMMER 2).
/// The matrix has a row of (nodes + 1) cells for each letter, and `row` in front of them. Its words
/// are `stride` words apart.
__forceinline__ int score_of(const unsigned char* text, const unsigned char* end_of_text,
                             unsigned nodes, const int* model, int* row, unsigned stride) {
    const int* const node_0 = model + outer_words;
    const unsigned row_words = (nodes + 1) * cell_words;
    const unsigned cell_step = cell_words * stride;
    for (unsigned word = 0; word < row_words; ++word) row[word * stride] = never;

    int before = 0, begin = model[n_move], between = never, behind = never;
    for (; text != end_of_text; ++text) {
        const unsigned letter = *text;
        const int* above = row;
        row += row_words * stride;
        int* cell = row;
        cell[0] = cell[stride] = cell[2 * stride] = never;
        int end = never;
        for (unsigned k = 1; k <= nodes; ++k) {
            const int* const node = node_0 + k * node_words;
            const int* const from = node - node_words;
            const int* const diagonal = above;
            const int* const left = cell;
            above += cell_step;
            cell += cell_step;

            int match = diagonal[0] + from[match_match];
            raise(match, diagonal[stride] + from[insert_match]);
            raise(match, diagonal[2 * stride] + from[delete_match]);
            raise(match, begin + node[entry]);
            match += node[match_emission + letter];
            bound(match);
            cell[0] = match;

            int insert = above[0] + node[match_insert];
            raise(insert, above[stride] + node[insert_insert]);
            insert += node[insert_emission + letter];
            bound(insert);
            cell[stride] = insert;

            int erased = left[0] + from[match_delete];
            raise(erased, left[2 * stride] + from[delete_delete]);
            bound(erased);
            cell[2 * stride] = erased;

            raise(end, match + node[leave]);
        }
        before += model[n_loop];
        between += model[j_loop];
        raise(between, end + model[end_j]);
        bound(between);
        begin = before + model[n_move];
        raise(begin, between + model[j_move]);
        behind += model[c_loop];
        raise(behind, end + model[end_c]);
        bound(behind);
    }
    return behind + model[c_move];
}

}  // namespace

/// One thread a sequence; offsets[s] is the number of letters before sequence s. With
/// `interleaved`, equal words of all matrices lie together; else the matrices lie one behind the
/// other.
__global__ void hmmer(unsigned sequences, unsigned nodes, unsigned interleaved, const int* model,
                      const unsigned* offsets, const unsigned char* text, int* matrices,
                      int* scores) {
    const unsigned s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= sequences) return;
    const unsigned first = offsets[s];
    int* const row = matrices + (interleaved ? s : (first + s) * (nodes + 1) * cell_words);
    scores[s] = score_of(text + first, text + offsets[s + 1], nodes, model, row,
                         interleaved ? sequences : 1);
}

/// The same with the matrices in private memory.
__global__ void hmmer_private(unsigned sequences, unsigned nodes, const int* model,
                              const unsigned* offsets, const unsigned char* text, int* scores) {
    const unsigned s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= sequences) return;
    int matrix[private_words];
    scores[s] = score_of(text + offsets[s], text + offsets[s + 1], nodes, model, matrix, 1);
}
