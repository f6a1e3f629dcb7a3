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

/// A matrix whose cells lie together, `stride` words from one word to the next.
struct together {
    unsigned nodes, stride;

    unsigned part() const { return stride; }  ///< from a score of a cell to its next one
    unsigned cell() const { return cell_words * stride; }
    unsigned row() const { return (nodes + 1) * cell_words * stride; }
    void clear(int* row) const {
        for (unsigned word = 0; word < (nodes + 1) * cell_words; ++word) row[word * stride] = never;
    }
};

/// Three matrices of `rows` rows, one behind the other: match, insert and delete scores.
struct apart {
    unsigned nodes, rows;

    unsigned part() const { return rows * (nodes + 1); }
    unsigned cell() const { return 1; }
    unsigned row() const { return nodes + 1; }
    void clear(int* row) const {
        for (unsigned k = 0; k <= nodes; ++k)
            row[k] = row[part() + k] = row[2 * part() + k] = never;
    }
};

/// Viterbi score of [text, end_of_text) against a profile with `nodes` nodes (Plan7 of HMMER 2).
/// The matrix has a row of (nodes + 1) cells for each letter, and `row` in front of them.
template <class matrix>
__forceinline__ int score_of(const unsigned char* text, const unsigned char* end_of_text,
                             unsigned nodes, const int* model, int* row, matrix to) {
    const int* const node_0 = model + outer_words;
    const unsigned cell_step = to.cell();
    to.clear(row);

    int before = 0, begin = model[n_move], between = never, behind = never;
    for (; text != end_of_text; ++text) {
        const unsigned letter = *text;
        const int* above = row;
        row += to.row();
        int* cell = row;
        cell[0] = cell[to.part()] = cell[2 * to.part()] = never;
        int end = never;
        for (unsigned k = 1; k <= nodes; ++k) {
            const int* const node = node_0 + k * node_words;
            const int* const from = node - node_words;
            const int* const diagonal = above;
            const int* const left = cell;
            above += cell_step;
            cell += cell_step;

            int match = diagonal[0] + from[match_match];
            raise(match, diagonal[to.part()] + from[insert_match]);
            raise(match, diagonal[2 * to.part()] + from[delete_match]);
            raise(match, begin + node[entry]);
            match += node[match_emission + letter];
            bound(match);
            cell[0] = match;

            int insert = above[0] + node[match_insert];
            raise(insert, above[to.part()] + node[insert_insert]);
            insert += node[insert_emission + letter];
            bound(insert);
            cell[to.part()] = insert;

            int erased = left[0] + from[match_delete];
            raise(erased, left[2 * to.part()] + from[delete_delete]);
            bound(erased);
            cell[2 * to.part()] = erased;

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
                         together{nodes, interleaved ? sequences : 1});
}

/// The same with the matrices in private memory.
__global__ void hmmer_private(unsigned sequences, unsigned nodes, const int* model,
                              const unsigned* offsets, const unsigned char* text, int* scores) {
    const unsigned s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= sequences) return;
    int matrix[private_words];
    scores[s] = score_of(text + offsets[s], text + offsets[s + 1], nodes, model, matrix,
                         together{nodes, 1});
}

/// Three matrices of `rows` rows for each sequence, in a frame of `frame_words` words.
__global__ void hmmer_frames(unsigned sequences, unsigned nodes, unsigned rows,
                             unsigned frame_words, const int* model, const unsigned* offsets,
                             const unsigned char* text, int* frames, int* scores) {
    const unsigned s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= sequences) return;
    scores[s] = score_of(text + offsets[s], text + offsets[s + 1], nodes, model,
                         frames + s * frame_words, apart{nodes, rows});
}
