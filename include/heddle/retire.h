// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What an instruction of a warp did: the one definition of the record that heddle_next_retired()
// gives, that a line of --retire shows (docs/retire.md), and that Python has as an object.
#pragma once

#include <stddef.h>  // NOLINT(modernize-deprecated-headers)
#include <stdint.h>  // NOLINT(modernize-deprecated-headers)

// Lanes of the widest warp.
#define HEDDLE_LANES 64

// ONE(type, name, meaning) is a number; LANES(type, name, meaning) has one for each lane of a warp.
// Fields are only added, and at the end: `size` says which a record has.
// Where a lane or a field has no meaning it is 0.
#define HEDDLE_RETIRED_FIELDS(ONE, LANES)                                                          \
    ONE(uint64_t, cycle, "core cycle in which the result is there: of a load, of its last value")  \
    ONE(uint64_t, issued, "core cycle in which the instruction issued")                            \
    ONE(uint64_t, n, "number among the instructions of the warp, from 1, in the order of issue")   \
    ONE(uint64_t, lanes, "active lanes, lane 0 in the lowest bit")                                 \
    ONE(uint32_t, smx, "SMX that the warp runs on")                                                \
    ONE(uint32_t, slot, "warp slot of the SMX")                                                    \
    ONE(uint32_t, warp_size, "lanes of a warp")                                                    \
    ONE(uint32_t, launch, "launch; its top byte is 0, or SMX + 1 of a launch by a kernel")         \
    ONE(uint32_t, block, "linear index of the block in the grid")                                  \
    ONE(uint32_t, warp, "index of the warp in the block")                                          \
    ONE(uint32_t, pc, "address of the instruction")                                                \
    ONE(uint32_t, word, "the instruction, with addresses of shared memory as the kernel has them") \
    ONE(uint32_t, rd, "register that is written; 0: none")                                         \
    ONE(uint32_t, access, "a heddle_access")                                                       \
    LANES(uint32_t, value, "what is written to the register")                                      \
    LANES(uint32_t, address, "address of the access, as the thread has it")                        \
    LANES(uint32_t, data, "what a store stores, or the operand of an atomic")                      \
    LANES(uint32_t, compare, "what an atomic compares with")

typedef enum heddle_access {
    HEDDLE_NO_ACCESS = 0,
    HEDDLE_LOAD = 1,
    HEDDLE_STORE = 2,
    HEDDLE_ATOMIC = 3
} heddle_access;

#define HEDDLE_RETIRED_ONE(type, name, meaning) type name;
#define HEDDLE_RETIRED_LANES(type, name, meaning) type name[HEDDLE_LANES];
typedef struct heddle_retired {
    size_t size;  // sizeof(heddle_retired)
    HEDDLE_RETIRED_FIELDS(HEDDLE_RETIRED_ONE, HEDDLE_RETIRED_LANES)
} heddle_retired;
#undef HEDDLE_RETIRED_ONE
#undef HEDDLE_RETIRED_LANES
