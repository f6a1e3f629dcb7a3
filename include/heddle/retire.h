// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What an instruction of a warp did: the one definition of the record that heddle_next_retired()
// gives, that heddle_lockstep_step() takes, that a line of --retire shows (docs/retire.md), and
// that Python has as an object. The forms for SystemVerilog are made from it.
#pragma once

#include <stddef.h>  // NOLINT(modernize-deprecated-headers)
#include <stdint.h>  // NOLINT(modernize-deprecated-headers)

// Lanes of the widest warp.
#define HEDDLE_LANES 64

// ONE(type, name, meaning) is a number; MASK(name, meaning) has a bit for each lane of a warp, lane
// 0 in the lowest bit; LANES(type, name, meaning) has a number for each lane.
// Fields are only added, and at the end: `size` says which a record has.
// Where a lane or a field has no meaning it is 0.
#define HEDDLE_RETIRED_FIELDS(ONE, MASK, LANES)                                                    \
    ONE(uint64_t, cycle, "core cycle in which the result is there: of a load, of its last value")  \
    ONE(uint64_t, issued, "core cycle in which the instruction issued; 0: `cycle`")                \
    ONE(uint64_t, n, "number among the instructions of the warp, from 1, in the order of issue")   \
    MASK(lanes, "active lanes, lane 0 in the lowest bit")                                          \
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
    LANES(uint32_t, value, "what is written to the register; of an atomic what it found")          \
    LANES(uint32_t, address, "address of the access, as the thread has it")                        \
    LANES(uint32_t, data, "what a store stores, or the operand of an atomic")                      \
    LANES(uint32_t, compare, "what an atomic compares with")                                       \
    MASK(known, "lanes whose `value` this record has; a load or an atomic may have more later")    \
    MASK(live, "lanes whose thread has not ended, after the instruction")                          \
    MASK(next_lanes, "lanes with which the warp goes on")                                          \
    MASK(taken, "lanes that take the branch")                                                      \
    ONE(uint32_t, kind, "a heddle_retired_kind")                                                   \
    ONE(uint32_t, given, "a sum of heddle_given: which of the optional fields the record has")     \
    ONE(uint32_t, next_pc, "address of the instruction with which the warp goes on")               \
    ONE(uint32_t, depth, "entries of the reconvergence stack, after the instruction")              \
    ONE(uint32_t, transaction, "a heddle_transaction_event")                                       \
    ONE(uint32_t, fault, "1: the instruction is illegal here; it did not retire")

typedef enum heddle_access {
    HEDDLE_NO_ACCESS = 0,
    HEDDLE_LOAD = 1,
    HEDDLE_STORE = 2,
    HEDDLE_ATOMIC = 3
} heddle_access;

// KIND(name, number, meaning). Heddle's own timed machine puts a whole load into its step.
#define HEDDLE_RETIRED_KINDS(KIND)                                                             \
    KIND(STEP, 0, "an instruction of a warp")                                                  \
    KIND(DATA, 1, "values for `lanes` of load or atomic `n`, which has had its step")          \
    KIND(DRAINED, 2, "memory has performed all stores and atomics of the warp up to `n`")      \
    KIND(FENCED, 3, "a fence of the warp is over: no older value may be read")                 \
    KIND(BLOCK_BEGIN, 4, "the block begins on the SMX; its warps start at the kernel's entry") \
    KIND(BLOCK_END, 5, "all threads of the block have ended, all its accesses are performed")  \
    KIND(BLOCK_SUSPEND, 6, "the block leaves the SMX until its children have ended")           \
    KIND(BLOCK_RESUME, 7, "the block is on an SMX again")                                      \
    KIND(TRANSACTION, 8, "`transaction` happens to `lanes` of the warp's transaction")         \
    KIND(BARRIER_RELEASE, 9, "all threads of the block have come to its barrier, and go on")

typedef enum heddle_retired_kind {
#define HEDDLE_RETIRED_KIND(name, number, meaning) HEDDLE_##name = number,
    HEDDLE_RETIRED_KINDS(HEDDLE_RETIRED_KIND)
#undef HEDDLE_RETIRED_KIND
} heddle_retired_kind;

typedef enum heddle_given {
    HEDDLE_GIVES_LIVE = 1,
    HEDDLE_GIVES_NEXT = 2,  // next_lanes, next_pc, depth
    HEDDLE_GIVES_TAKEN = 4
} heddle_given;

typedef enum heddle_transaction_event {
    HEDDLE_BEGAN = 0,
    HEDDLE_LOST = 1,
    HEDDLE_RESTARTED = 2,
    HEDDLE_COMMITTED = 3
} heddle_transaction_event;

#define HEDDLE_RETIRED_ONE(type, name, meaning) type name;
#define HEDDLE_RETIRED_MASK(name, meaning) uint64_t name;
#define HEDDLE_RETIRED_LANES(type, name, meaning) type name[HEDDLE_LANES];
typedef struct heddle_retired {
    size_t size;  // sizeof(heddle_retired)
    HEDDLE_RETIRED_FIELDS(HEDDLE_RETIRED_ONE, HEDDLE_RETIRED_MASK, HEDDLE_RETIRED_LANES)
} heddle_retired;
#undef HEDDLE_RETIRED_ONE
#undef HEDDLE_RETIRED_MASK
#undef HEDDLE_RETIRED_LANES
