// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

/// Layout of hmmer's profile: what the host program and the kernel have in common. Scores are
/// integers, logarithms of odds times 1000, as HMMER 2's.
namespace heddle::profile {

inline constexpr unsigned letters = 20;   ///< amino acids
inline constexpr int never = -987654321;  ///< the score of what cannot be

/// Words of a node of the model, in this order: transitions from the node, entry, exit, emissions.
enum word : unsigned {
    match_match,
    match_insert,
    match_delete,
    insert_match,
    insert_insert,
    delete_match,
    delete_delete,
    entry,
    leave,
    match_emission,
    insert_emission = match_emission + letters,
    node_words = insert_emission + letters
};

/// Words in front of node 0: scores of the states around the model. "n", "c" and "j" are the parts
/// of the sequence before, behind and between copies of the model.
enum outer : unsigned { n_loop, n_move, c_loop, c_move, j_loop, j_move, end_c, end_j, outer_words };

/// Matrix of a sequence: match, insert and delete score of each node, for each row.
inline constexpr unsigned cell_words = 3;
/// Most words of a matrix in private memory.
inline constexpr unsigned private_words = 1536;

}  // namespace heddle::profile
