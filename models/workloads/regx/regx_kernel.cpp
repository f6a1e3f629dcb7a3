// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/pocket_kernel.h"

// Which strings match a pattern, and where first: an automaton runs from each byte of a string.
// transitions[state * 256 + byte] is the next state. State 0 is dead, 1 the start, and those from
// `accepting` on end a match.

/// Whether a match starts at the first byte of text[0 .. length).
__forceinline__ bool matches_at(const unsigned char* text, unsigned length,
                                const unsigned* transitions, unsigned accepting) {
    unsigned state = 1;
    for (unsigned i = 0; i < length; ++i) {
        state = transitions[state * 256 + text[i]];
        if (state >= accepting) return true;
        if (state == 0) return false;
    }
    return false;
}

__forceinline__ void match_from(unsigned start, const unsigned char* text, unsigned length,
                                const unsigned* transitions, unsigned accepting, unsigned* count,
                                unsigned* first) {
    if (!matches_at(text + start, length - start, transitions, accepting)) return;
    atomicAdd(count, 1u);
    atomicMin(first, start);
}

/// A thread a byte of one string: does a match start there?
__global__ void regx_starts(const unsigned char* text, unsigned length, const unsigned* transitions,
                            unsigned accepting, unsigned* count, unsigned* first) {
    const unsigned start = heddle::pockets::thread_number();
    if (start < length) match_from(start, text, length, transitions, accepting, count, first);
}

/// A thread a string of the section, which begins with string `section`: counts[i] is the number of
/// bytes at which a match starts, firsts[i] the first of them.
template <class Mode>
__forceinline__ void regx_match(unsigned section, unsigned strings, const unsigned* offsets,
                                const unsigned char* bytes, const unsigned* transitions,
                                unsigned accepting, unsigned* counts, unsigned* firsts,
                                heddle::pockets::limits pockets) {
    for (unsigned of_section = heddle::pockets::thread_number(); of_section < strings;
         of_section += heddle::pockets::threads_of_grid()) {
        const unsigned i = section + of_section;
        const unsigned char* const text = bytes + offsets[i];
        const unsigned length = offsets[i + 1] - offsets[i];
        const unsigned handed =
            heddle::pockets::hand_on<Mode>(pockets, length, regx_starts, text, length, transitions,
                                           accepting, &counts[i], &firsts[i]);
        for (unsigned start = handed; start < length; ++start)
            match_from(start, text, length, transitions, accepting, &counts[i], &firsts[i]);
    }
}
HEDDLE_ENTRIES(regx_match,
               (unsigned section, unsigned strings, const unsigned* offsets,
                const unsigned char* bytes, const unsigned* transitions, unsigned accepting,
                unsigned* counts, unsigned* firsts, heddle::pockets::limits pockets),
               (section, strings, offsets, bytes, transitions, accepting, counts, firsts, pockets))
