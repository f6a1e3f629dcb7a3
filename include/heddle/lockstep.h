// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Lock-step of a core that is not Heddle's (docs/lockstep.md). The core tells what it does in
// records (retire.h), one warp at a time in program order; the functional simulator executes the
// same instructions beside it, and the first difference is an error that names warp, lane and PC.
//
// A machine of heddle_lockstep_create() is loaded, filled and launched as any other. Its kernels
// run on the core:
//
//     heddle_lockstep_create(&options, &lockstep, &m);
//     heddle_load(m, "k.elf"); heddle_allocate(...); heddle_write(...);
//     heddle_launch(m, ...);                       // HEDDLE_KERNEL_FAULT, USAGE as ever
//     heddle_lockstep_get_launch(m, 0, &launch);   // where the core's warps start
//     heddle_lockstep_step(m, &record, 1);         // for each record of the core
//     heddle_lockstep_memory(m, address, data, n); // what the core's memory holds then
//     heddle_lockstep_finish(m);
//
// HEDDLE_USAGE is for a record that can't be, and the machine is as before the call.
// HEDDLE_WRONG_RESULT is a difference, HEDDLE_KERNEL_FAULT a fault of the kernel on which both
// agree: every later call of these functions gives it again.
#pragma once

#include "heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct heddle_lockstep_options {
    size_t size;  // sizeof(heddle_lockstep_options)
    // 0: PC and lanes are those of a reconvergence stack (PDOM). 1: threads of a warp may run in
    // any order, and only each thread's next PC is compared.
    int threads_apart;
    // 1: accesses of one SMX to one address are performed in the order in which they issue.
    int ordered;
    // 1: HEDDLE_DRAINED tells the end of writes; 0: they end at HEDDLE_FENCED or with the block.
    int tells_drained;
    // 1: plain loads may hit a cache that is not coherent, until HEDDLE_FENCED.
    int stale_loads;
} heddle_lockstep_options;

// `options` as of heddle_create(): number of SMXs, blocks and warps on each, lanes, sizes of
// memories. `lockstep` NULL: all 0.
heddle_status heddle_lockstep_create(const heddle_options* options,
                                     const heddle_lockstep_options* lockstep,
                                     heddle_machine** machine);

// What a core has to know of a launch.
typedef struct heddle_lockstep_launch {
    size_t size;                   // sizeof(heddle_lockstep_launch), set before the call
    uint32_t launch;               // as records name it
    const char* kernel;            // its name
    uint32_t entry;                // PC of its first instruction
    uint32_t parameters;           // address of its parameters: a0 of every thread
    uint32_t stack;                // sp of every thread
    uint32_t grid[3];              // blocks
    uint32_t block[3];             // threads
    uint32_t shared_bytes;         // of a block, dynamic ones included
    uint32_t dynamic_shared_base;  // their address
} heddle_lockstep_launch;

// Launches that have not ended, oldest first.
heddle_status heddle_lockstep_launch_count(heddle_machine* machine, size_t* count);
heddle_status heddle_lockstep_get_launch(heddle_machine* machine, size_t index,
                                         heddle_lockstep_launch* launch);
// Memory as the launch finds it, in words: code, parameters, data. Instructions have the addresses
// of shared memory that the kernel has.
heddle_status heddle_lockstep_fetch(heddle_machine* machine, uint32_t launch, uint32_t address,
                                    uint32_t* words, size_t count);

// A block begins or ends on an SMX: heddle_lockstep_step() with such a record does the same.
heddle_status heddle_lockstep_block(heddle_machine* machine, uint64_t cycle, uint32_t smx,
                                    uint32_t launch, uint32_t block, int ends);
// The next records. The size of the first is set before the call. They are taken one by one:
// *taken (may be NULL) says how many were, of which the last one has the difference if there is
// one.
heddle_status heddle_lockstep_step(heddle_machine* machine, const heddle_retired* records,
                                   size_t count, size_t* taken);
// The same for a record in bits (heddle_pack_retired()).
heddle_status heddle_lockstep_packed(heddle_machine* machine, uint32_t lanes, const uint32_t* words,
                                     size_t count);
// What the core's memory holds now, after the last record; compared by heddle_lockstep_finish(),
// also where no kernel has written. Whole words. Of memory that is not told the reference's values
// are taken.
heddle_status heddle_lockstep_memory(heddle_machine* machine, uint32_t address, const void* data,
                                     size_t bytes);
// All launches have ended. Memory can be read then (heddle_read()), and further launches made.
heddle_status heddle_lockstep_finish(heddle_machine* machine);

typedef struct heddle_difference {
    size_t size;       // sizeof(heddle_difference), set before the call
    int32_t status;    // HEDDLE_OK: there is none
    const char* text;  // what was expected and what was found, with the source line
    int has_place;     // 1: it is known which thread
    uint32_t launch;
    uint32_t block;
    uint32_t warp;
    uint32_t lane;
    uint32_t pc;
    uint64_t n;          // of the warp's instructions; 0: of a store that was lost
    const char* source;  // "k.cpp:12 in add"; "" without debug information
    const char* steps;   // the last twenty of the warp, as lines of heddle_retired_text()
} heddle_difference;

heddle_status heddle_lockstep_difference(heddle_machine* machine, heddle_difference* difference);

typedef struct heddle_lockstep_counts {
    size_t size;  // sizeof(heddle_lockstep_counts), set before the call
    uint64_t instructions;
    uint64_t loaded_values;  // of threads, from global memory
    uint64_t racing_values;  // of these, where several values were legal
    uint64_t shared_races;   // accesses to shared memory without a barrier between them
    uint64_t late_writes;    // times that a fence or a block's end was the end of writes
} heddle_lockstep_counts;

heddle_status heddle_lockstep_get_counts(heddle_machine* machine, heddle_lockstep_counts* counts);

// What the records so far have made the core do, as a table: instructions by the shape of their
// masks, depth of divergence, barriers, accesses by width and memory, bank conflicts, loads in
// parts.
heddle_status heddle_lockstep_coverage(heddle_machine* machine, const char** text);

// ---- For DPI: heddle_lockstep.sv declares them --------------------------------------------------
//
// Those without a status answer 0 or NULL on failure; heddle_dpi_text() says why.

void* heddle_dpi_create(const char* configuration, int threads_apart, int ordered,
                        int tells_drained, int stale_loads);
void heddle_dpi_close(void* machine);
const char* heddle_dpi_text(void* machine);
int heddle_dpi_load(void* machine, const char* file);
int heddle_dpi_allocate(void* machine, const char* name, int bytes);  // the address
int heddle_dpi_write(void* machine, int address, int word);
// A grid of one dimension; `arguments` are numbers with spaces between them. The launch's number.
int heddle_dpi_launch(void* machine, const char* kernel, int blocks, int threads,
                      const char* arguments);
int heddle_dpi_entry(void* machine, int launch);
int heddle_dpi_parameters(void* machine, int launch);
int heddle_dpi_fetch(void* machine, int launch, int address);
int heddle_dpi_retire(void* machine, int lanes, const uint32_t* record);
int heddle_dpi_memory(void* machine, int address, int word);
int heddle_dpi_finish(void* machine);
int heddle_dpi_read(void* machine, int address);

#ifdef __cplusplus
}
#endif
