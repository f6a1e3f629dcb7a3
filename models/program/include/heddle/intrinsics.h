// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The machine's own instructions and id registers, one macro each. C, C++ and OpenCL C can include
// this file: everything above it (CUDA's vocabulary, OpenCL's built-ins) is made from it.
// Addresses are 32-bit integers here, because OpenCL C 1.2 has no pointer to any address space.
#pragma once

#include "heddle/encoding.h"

// An id register never changes while a thread runs: no `volatile`, so that reads merge.
#define HEDDLE_READ_ID(csr)                            \
    ({                                                 \
        unsigned id_;                                  \
        __asm__("csrr %0, %1" : "=r"(id_) : "i"(csr)); \
        id_;                                           \
    })
// A clock does.
#define HEDDLE_READ_CLOCK(csr)                                                    \
    ({                                                                            \
        unsigned clock_;                                                          \
        __asm__ __volatile__("csrr %0, %1" : "=r"(clock_) : "i"(csr) : "memory"); \
        clock_;                                                                   \
    })

// name: an instruction of encoding.h in capitals, as BARRIER.
#define HEDDLE_PLAIN(name)                                                                 \
    __asm__ __volatile__(".insn r 0x0b, %0, %1, x0, x0, x0" ::"i"(HEDDLE_##name##_FUNCT3), \
                         "i"(HEDDLE_##name##_FUNCT7)                                       \
                         : "memory")

// Votes: depend on which lanes are active, so they stay where they are (volatile).
#define HEDDLE_VOTE(name, value)                                                         \
    ({                                                                                   \
        unsigned vote_;                                                                  \
        __asm__ __volatile__(".insn r 0x0b, %1, %2, %0, %3, x0"                          \
                             : "=r"(vote_)                                               \
                             : "i"(HEDDLE_##name##_FUNCT3), "i"(HEDDLE_##name##_FUNCT7), \
                               "r"((unsigned)(value)));                                  \
        vote_;                                                                           \
    })

// log2_width: constant; 5 for segments of 32 lanes.
#define HEDDLE_SHUFFLE(name, value, operand, log2_width)                                           \
    ({                                                                                             \
        unsigned shuffled_;                                                                        \
        __asm__ __volatile__(".insn r 0x0b, %1, %2, %0, %3, %4"                                    \
                             : "=r"(shuffled_)                                                     \
                             : "i"(HEDDLE_##name##_FUNCT3),                                        \
                               "i"(HEDDLE_##name##_FUNCT7 + (log2_width)), "r"((unsigned)(value)), \
                               "r"((unsigned)(operand)));                                          \
        shuffled_;                                                                                 \
    })

#define HEDDLE_SPECIAL(name, operand)                                       \
    ({                                                                      \
        float special_;                                                     \
        __asm__(".insn r 0x0b, %1, %2, %0, %3, x0"                          \
                : "=r"(special_)                                            \
                : "i"(HEDDLE_##name##_FUNCT3), "i"(HEDDLE_##name##_FUNCT7), \
                  "r"((float)(operand)));                                   \
        special_;                                                           \
    })

// Nobody writes what this loads while the kernel runs: like an id register, no `volatile`.
#define HEDDLE_READ_ONLY_LOAD(name, address)                                \
    ({                                                                      \
        unsigned loaded_;                                                   \
        __asm__(".insn r 0x0b, %1, %2, %0, %3, x0"                          \
                : "=r"(loaded_)                                             \
                : "i"(HEDDLE_##name##_FUNCT3), "i"(HEDDLE_##name##_FUNCT7), \
                  "r"((unsigned)(address)));                                \
        loaded_;                                                            \
    })

// Loads that bypass L1 and custom atomics see and order memory: they clobber it.
#define HEDDLE_LOAD(name, address)                                                       \
    ({                                                                                   \
        unsigned loaded_;                                                                \
        __asm__ __volatile__(".insn r 0x0b, %1, %2, %0, %3, x0"                          \
                             : "=r"(loaded_)                                             \
                             : "i"(HEDDLE_##name##_FUNCT3), "i"(HEDDLE_##name##_FUNCT7), \
                               "r"((unsigned)(address))                                  \
                             : "memory");                                                \
        loaded_;                                                                         \
    })

#define HEDDLE_FLOAT_ATOMIC(name, address, operand)                                      \
    ({                                                                                   \
        float old_;                                                                      \
        __asm__ __volatile__(".insn r 0x0b, %1, %2, %0, %3, %4"                          \
                             : "=r"(old_)                                                \
                             : "i"(HEDDLE_##name##_FUNCT3), "i"(HEDDLE_##name##_FUNCT7), \
                               "r"((unsigned)(address)), "r"((float)(operand))           \
                             : "memory");                                                \
        old_;                                                                            \
    })

// Compare-and-swap in one operation (Zacas): the result register holds the expected value before.
#define HEDDLE_COMPARE_AND_SWAP(address, expected, desired)                              \
    ({                                                                                   \
        unsigned old_ = (unsigned)(expected);                                            \
        __asm__ __volatile__(".insn r 0x2f, %1, %2, %0, %3, %4"                          \
                             : "+r"(old_)                                                \
                             : "i"(HEDDLE_AMOCAS_W_FUNCT3), "i"(HEDDLE_AMOCAS_W_FUNCT7), \
                               "r"((unsigned)(address)), "r"((unsigned)(desired))        \
                             : "memory");                                                \
        old_;                                                                            \
    })

// Two operands, one result, effects beyond registers (device launch).
#define HEDDLE_COMMAND(name, first, second)                                              \
    ({                                                                                   \
        unsigned result_;                                                                \
        __asm__ __volatile__(".insn r 0x0b, %1, %2, %0, %3, %4"                          \
                             : "=r"(result_)                                             \
                             : "i"(HEDDLE_##name##_FUNCT3), "i"(HEDDLE_##name##_FUNCT7), \
                               "r"((unsigned)(first)), "r"((unsigned)(second))           \
                             : "memory");                                                \
        result_;                                                                         \
    })
// The same for instructions whose second operand field must be x0.
#define HEDDLE_COMMAND_1(name, first)                                                    \
    ({                                                                                   \
        unsigned result_;                                                                \
        __asm__ __volatile__(".insn r 0x0b, %1, %2, %0, %3, x0"                          \
                             : "=r"(result_)                                             \
                             : "i"(HEDDLE_##name##_FUNCT3), "i"(HEDDLE_##name##_FUNCT7), \
                               "r"((unsigned)(first))                                    \
                             : "memory");                                                \
        result_;                                                                         \
    })
// Operands only.
#define HEDDLE_SIGNAL(name, first, second)                                                 \
    __asm__ __volatile__(".insn r 0x0b, %0, %1, x0, %2, %3" ::"i"(HEDDLE_##name##_FUNCT3), \
                         "i"(HEDDLE_##name##_FUNCT7), "r"((unsigned)(first)),              \
                         "r"((unsigned)(second))                                           \
                         : "memory")
#define HEDDLE_SIGNAL_1(name, first)                                                       \
    __asm__ __volatile__(".insn r 0x0b, %0, %1, x0, %2, x0" ::"i"(HEDDLE_##name##_FUNCT3), \
                         "i"(HEDDLE_##name##_FUNCT7), "r"((unsigned)(first))               \
                         : "memory")

// Orders all memory accesses of the thread and makes later loads see other SMXs' stores.
#define HEDDLE_FENCE() __asm__ __volatile__("fence" ::: "memory")
