// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/hmmer/profile.h"
#include "models/workloads/kept_branch.h"

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

}  // namespace

/// Viterbi scores of sequences against a profile with `nodes` nodes (Plan7 of HMMER 2), one thread
/// a sequence. offsets[s] is the number of letters before sequence s, of which each takes a row of
/// nodes + 1 cells in `matrices`; sequence s has a row more, in front of its first letter.
__global__ void hmmer(unsigned sequences, unsigned nodes, const int* model, const unsigned* offsets,
                      const unsigned char* text, int* matrices, int* scores) {
    const unsigned s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= sequences) return;
    const int* const node_0 = model + outer_words;
    const unsigned row_words = (nodes + 1) * cell_words;
    int* row = matrices + (offsets[s] + s) * row_words;
    for (unsigned word = 0; word < row_words; ++word) row[word] = never;

    int before = 0, begin = model[n_move], between = never, behind = never;
    for (unsigned at = offsets[s]; at < offsets[s + 1]; ++at) {
        const unsigned letter = text[at];
        const int* const last = row;
        row += row_words;
        row[0] = row[1] = row[2] = never;
        int end = never;
        for (unsigned k = 1; k <= nodes; ++k) {
            const int* const node = node_0 + k * node_words;
            const int* const from = node - node_words;
            const int* const above = last + k * cell_words;
            const int* const diagonal = above - cell_words;
            int* const cell = row + k * cell_words;

            int match = diagonal[0] + from[match_match];
            raise(match, diagonal[1] + from[insert_match]);
            raise(match, diagonal[2] + from[delete_match]);
            raise(match, begin + node[entry]);
            match += node[match_emission + letter];
            bound(match);
            cell[0] = match;

            int insert = above[0] + node[match_insert];
            raise(insert, above[1] + node[insert_insert]);
            insert += node[insert_emission + letter];
            bound(insert);
            cell[1] = insert;

            int erased = cell[-3] + from[match_delete];
            raise(erased, cell[-1] + from[delete_delete]);
            bound(erased);
            cell[2] = erased;

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
    scores[s] = behind + model[c_move];
}
