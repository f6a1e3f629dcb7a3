// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The C interface of Heddle, a cycle-level model of a GPU: libheddle.so.
//
// A machine is made from a configuration, gets programs, buffers and launches, runs, and is read.
// Every function answers with a status. What went wrong is said by heddle_error_text(), in words.
// Nothing throws or exits, and only kernels print: printf(), to standard output. After HEDDLE_USAGE
// the machine is as it was before the call.
//
// ONE TIMED MACHINE AT A TIME. The timed machine is a SystemC simulation, and SystemC has one
// simulation kernel for each process. A process may make any number of timed machines one after
// the other: each is closed before the next is made. Machines that have to run at the same time
// are in processes of their own. Functional machines (options.functional) have no such limit.
//
// THREADS. Each machine runs in a thread of its own, which works only while a call waits for it.
// Calls may come from any thread; a machine carries out one at a time. After fork() the
// child has none of the machines. It may make its own; timed ones only if none was open.
//
// STRUCTS begin with their size: write `heddle_options options = {sizeof options};`. A program that
// was compiled with an older header works with a newer library. What is 0 or NULL has its default.
//
// STRINGS and arrays that the library gives stay as they are until the next call for the same
// machine, those of parameters until it is closed.
#pragma once

// C has <stdint.h> only.
#include <stddef.h>  // NOLINT(modernize-deprecated-headers)
#include <stdint.h>  // NOLINT(modernize-deprecated-headers)

#include "retire.h"

#ifdef __cplusplus
extern "C" {
#endif

// A machine. A closed or invented handle is an error with a text, as NULL is.
typedef struct heddle_machine heddle_machine;

// How a call ended. Values 0 to 4 are the exit codes of the `heddle` command.
typedef enum heddle_status {
    HEDDLE_OK = 0,
    HEDDLE_WRONG_RESULT = 1,  // the model violates an invariant of its own, or a check differs
    HEDDLE_USAGE = 2,         // argument, order of calls, configuration, file: as before the call
    HEDDLE_KERNEL_FAULT = 3,  // a kernel did something illegal, or a launch is over a limit
    HEDDLE_NO_PROGRESS = 4,   // nothing moves any more, or options.max_cycles was reached
    HEDDLE_INTERRUPTED = 5,   // heddle_interrupt(), or the function of heddle_set_poll()
    HEDDLE_FAILED = 6         // out of memory, or a fault of the library itself
} heddle_status;

// Version of the library, "0.1.0".
const char* heddle_version(void);
// "HEDDLE_USAGE"; "unknown status" for what is none.
const char* heddle_status_name(int status);
// Why the last call for the machine failed; "" if it did not. NULL, or what is no machine: of the
// last call in this thread that had no machine to tell, heddle_create() among them.
const char* heddle_error_text(const heddle_machine* machine);

// ---- Making a machine -----------------------------------------------------------------------

typedef struct heddle_options {
    size_t size;                  // sizeof(heddle_options)
    const char* configuration;    // NAME or FILE.toml, as of --config; NULL: the default machine
    const char* text;             // TOML in the place of `configuration`; NULL: none
    const char* const* settings;  // KEY=VALUE, as of --set; later ones win
    size_t setting_count;
    uint64_t seed;        // 0: 1, as of the command
    uint64_t max_cycles;  // the run ends with HEDDLE_NO_PROGRESS there; 0: no limit
    int functional;       // 1: the functional simulator, without time
    int check;            // 1: the functional simulator in step, as --check
    unsigned threads;     // of this computer that share the run, as of --threads; 0: 1
} heddle_options;

// Makes a machine. `options` NULL: the default machine. On failure *machine is NULL.
heddle_status heddle_create(const heddle_options* options, heddle_machine** machine);
// Ends the run, if it has not ended, completes the files, and frees the machine. Launches that have
// not ended are given up. The handle is invalid afterwards, whatever the status.
heddle_status heddle_close(heddle_machine* machine);

// A parameter of the machine, with the names of `heddle list parameters`.
typedef struct heddle_parameter {
    size_t size;  // sizeof(heddle_parameter), set before the call
    const char* key;
    const char* value;          // in this machine
    const char* default_value;  // without any configuration
    const char* type;           // integer, real, boolean, text, choice
    const char* legal;          // "an integer from 1 to 64"
    const char* unit;           // "" if it has none
    const char* description;
    const char* source;  // "default", "--set", FILE:LINE:COLUMN
} heddle_parameter;

heddle_status heddle_parameter_count(heddle_machine* machine, size_t* count);
heddle_status heddle_get_parameter(heddle_machine* machine, size_t index,
                                   heddle_parameter* parameter);
heddle_status heddle_find_parameter(heddle_machine* machine, const char* key,
                                    heddle_parameter* parameter);

// ---- What a timed machine writes: said before the machine is first used -----------------------
//
// The machine is built by the first call that needs it (heddle_load(), heddle_allocate(), ...).
// Files appear, whole, when the run ends: in heddle_finish() or heddle_close().

// VCD, or FST if the name ends in .fst (docs/waveforms.md).
heddle_status heddle_attach_waveform(heddle_machine* machine, const char* file);
// Chrome/Perfetto JSON (docs/timeline.md).
heddle_status heddle_attach_timeline(heddle_machine* machine, const char* file);
// What each instruction did (docs/finding_a_wrong_kernel.md).
heddle_status heddle_attach_retire(heddle_machine* machine, const char* file);
// A further block of the waveform and the timeline, as of --trace-scope.
heddle_status heddle_trace_scope(heddle_machine* machine, const char* pattern);
// FROM:TO in core cycles, as of --trace-cycles.
heddle_status heddle_trace_cycles(heddle_machine* machine, const char* cycles);
// Further warps of the retire file, "smx=0,block=3-5", as of --retire-scope.
heddle_status heddle_retire_scope(heddle_machine* machine, const char* scope);

// ---- Programs -------------------------------------------------------------------------------

// Loads a program: an ELF file of `heddle compile`, or a source file (.cpp .cc .cxx .cu .cl .c),
// which is compiled first. Waits for all earlier launches. A machine takes any number of programs.
// Source files are compiled for addresses of their own; an ELF file that overlaps another program
// is an error (heddle compile --code-at).
heddle_status heddle_load(heddle_machine* machine, const char* file);
// Takes a program out again. HEDDLE_USAGE while a launch of one of its kernels has not ended.
heddle_status heddle_unload(heddle_machine* machine, const char* file);
// What the compiler had to say about the source file; "" if nothing.
heddle_status heddle_diagnostics(heddle_machine* machine, const char** text);

// What an argument or a parameter of a kernel is.
typedef enum heddle_kind {
    HEDDLE_INTEGER = 0,       // integer, boolean or enumeration
    HEDDLE_UNSIGNED = 1,      // of an argument: an integer above INT64_MAX
    HEDDLE_FLOATING = 2,      // float or double
    HEDDLE_POINTER = 3,       // address of the device
    HEDDLE_STRUCT = 4,        // passed by value
    HEDDLE_LOCAL_POINTER = 5  // OpenCL's __local pointer: the argument is the number of bytes
} heddle_kind;

typedef struct heddle_kernel {
    size_t size;  // sizeof(heddle_kernel), set before the call
    const char* name;
    size_t parameter_count;
    uint32_t registers;     // of a thread
    uint32_t shared_bytes;  // of a block, without what a launch adds
    uint32_t block[3];      // the only block that it may be launched with; {0, 0, 0}: any
} heddle_kernel;

typedef struct heddle_kernel_parameter {
    size_t size;  // sizeof(heddle_kernel_parameter), set before the call
    const char* name;
    const char* type;  // as in the source, "const float *"
    int32_t kind;      // a heddle_kind
    uint32_t bytes;
    int is_signed;  // an integer that has negative values
} heddle_kernel_parameter;

// Of all programs, in the order of their loads. Where a kernel or a variable is named, it may be
// that of any program; if several have one of that name, "FILE:NAME" says which.
heddle_status heddle_kernel_count(heddle_machine* machine, size_t* count);
heddle_status heddle_get_kernel(heddle_machine* machine, size_t index, heddle_kernel* kernel);
// The file of the program that has the kernel `index`.
heddle_status heddle_get_kernel_program(heddle_machine* machine, size_t index, const char** name);
heddle_status heddle_find_kernel(heddle_machine* machine, const char* name, heddle_kernel* kernel);
heddle_status heddle_get_kernel_parameter(heddle_machine* machine, const char* kernel, size_t index,
                                          heddle_kernel_parameter* parameter);

// ---- Memory: addresses of the device have 32 bits --------------------------------------------

// Zero-filled, 256-byte aligned. `name` appears in messages about faults; NULL: "buffer".
heddle_status heddle_allocate(heddle_machine* machine, uint64_t bytes, const char* name,
                              uint32_t* address);
heddle_status heddle_release(heddle_machine* machine, uint32_t address);
// Copies wait for all earlier launches. They must lie inside of one allocation or variable.
heddle_status heddle_write(heddle_machine* machine, uint32_t to, const void* from, size_t bytes);
heddle_status heddle_read(heddle_machine* machine, void* to, uint32_t from, size_t bytes);
heddle_status heddle_fill(heddle_machine* machine, uint32_t to, uint8_t value, size_t bytes);
// A global variable of a program. Of C++ in a namespace: the mangled name.
heddle_status heddle_find_variable(heddle_machine* machine, const char* name, uint32_t* address,
                                   uint32_t* bytes);

// ---- Launches -------------------------------------------------------------------------------

typedef struct heddle_argument {
    int32_t kind;    // a heddle_kind
    uint32_t bytes;  // of a struct, or of local memory
    union {
        int64_t integer;
        uint64_t natural;
        double floating;
        uint32_t pointer;
        const void* data;  // of a struct
    } value;
} heddle_argument;

static inline heddle_argument heddle_integer(int64_t value) {
    heddle_argument argument = {HEDDLE_INTEGER, 0, {0}};
    argument.value.integer = value;
    return argument;
}
static inline heddle_argument heddle_unsigned(uint64_t value) {
    heddle_argument argument = {HEDDLE_UNSIGNED, 0, {0}};
    argument.value.natural = value;
    return argument;
}
static inline heddle_argument heddle_floating(double value) {
    heddle_argument argument = {HEDDLE_FLOATING, 0, {0}};
    argument.value.floating = value;
    return argument;
}
static inline heddle_argument heddle_pointer(uint32_t address) {
    heddle_argument argument = {HEDDLE_POINTER, 0, {0}};
    argument.value.pointer = address;
    return argument;
}
static inline heddle_argument heddle_struct(const void* data, uint32_t bytes) {
    heddle_argument argument = {HEDDLE_STRUCT, bytes, {0}};
    argument.value.data = data;
    return argument;
}
static inline heddle_argument heddle_local(uint32_t bytes) {
    heddle_argument argument = {HEDDLE_LOCAL_POINTER, bytes, {0}};
    return argument;
}

typedef struct heddle_shape {
    size_t size;            // sizeof(heddle_shape)
    uint32_t grid[3];       // blocks; y and z: 0 counts as 1
    uint32_t block[3];      // threads; likewise
    uint32_t shared_bytes;  // of a block, beside what the kernel has
    uint32_t stream;        // 0, or of heddle_create_stream()
    uint32_t priority;      // of launches that wait for room the highest goes first
    int cooperative;        // 1: blocks may be ended and started while it runs
} heddle_shape;

// Enqueues a launch: it runs in calls that wait. Number, kinds and sizes of the arguments are
// checked against the kernel's parameters, and the values of integers against their range. A launch
// that the machine has no room for is HEDDLE_KERNEL_FAULT, and the machine is as before.
heddle_status heddle_launch(heddle_machine* machine, const char* kernel, const heddle_shape* shape,
                            const heddle_argument* arguments, size_t count);

// When what became of a launch, in core cycles.
#define HEDDLE_NO_TIME UINT64_MAX
typedef struct heddle_launch_times {
    size_t size;              // sizeof(heddle_launch_times), set before the call
    uint64_t queued;          // heddle_launch() was called
    uint64_t first_dispatch;  // its first block went to an SMX
    uint64_t end;             // it was over
} heddle_launch_times;

// Of the machine's launch number `launch`, 0 the first. HEDDLE_NO_TIME: not yet, or the machine is
// functional. Takes no time.
heddle_status heddle_times(heddle_machine* machine, uint32_t launch, heddle_launch_times* times);
heddle_status heddle_create_stream(heddle_machine* machine, uint32_t* stream);
// Marks the work enqueued so far in a stream.
heddle_status heddle_record(heddle_machine* machine, uint32_t stream, uint32_t* event);
// Whether that work has ended; takes no time.
heddle_status heddle_event_done(heddle_machine* machine, uint32_t event, int* done);

// ---- Running --------------------------------------------------------------------------------
//
// A fault of a kernel appears in the call that waits for it. It ends the run of a timed machine:
// statistics and files then cover what ran, and every call that needs the machine gives the fault
// again. A functional machine goes on, without its launches.

// Lets launches run until an event is done. Other streams go on.
heddle_status heddle_wait(heddle_machine* machine, uint32_t event);
// Lets them run until `cycle` core cycles have run; *reached (may be NULL) is how many have then:
// `cycle`, or more if they had before. A functional machine counts warp instructions instead, and
// stops behind one of a turn's.
heddle_status heddle_run_until(heddle_machine* machine, uint64_t cycle, uint64_t* reached);
// Lets them run to their end.
heddle_status heddle_synchronize(heddle_machine* machine);
// As heddle_synchronize(). Then the run ends, and its files are complete. Statistics can be read
// until heddle_close(). A second call does nothing.
heddle_status heddle_finish(heddle_machine* machine);
// How many core cycles have run, the one at time 0 included. A functional machine has none:
// HEDDLE_USAGE.
heddle_status heddle_cycle(heddle_machine* machine, uint64_t* cycle);

// Ends all runs of the process soon, with partial results. Also from a signal handler or another
// thread. A machine that is made later does not hear of it.
void heddle_interrupt(void);
// `poll` is called about twenty times a second in the thread of a call that waits. If it returns
// anything but 0, the call ends as by heddle_interrupt(). It may call no function for the same
// machine. NULL: none.
typedef int (*heddle_poll)(void* context);
heddle_status heddle_set_poll(heddle_machine* machine, heddle_poll poll, void* context);

// ---- What instructions did (retire.h) --------------------------------------------------------

// The machine keeps a record of each instruction, of the warps of heddle_retire_scope() if there
// are any, until heddle_next_retired() gives it. Said before the machine is first used.
heddle_status heddle_keep_retired(heddle_machine* machine);
// Lets launches run until there are `most` records, or nothing is left to run, and gives the
// oldest; *count says how many. 0: nothing is left. The size of the first is set before the call.
// If the run ends early, the call after the last record says why.
heddle_status heddle_next_retired(heddle_machine* machine, heddle_retired* records, size_t most,
                                  size_t* count);
// The same, but an instruction has its record when it issues, and what comes later has records of
// its own: values of loads, ends of writes, blocks, fences, transactions. This is the stream that a
// core gives to heddle_lockstep_step(). Not together with heddle_attach_retire().
heddle_status heddle_keep_retired_parts(heddle_machine* machine);
// A record as a line of heddle_attach_retire(), with its end of line. HEDDLE_USAGE if it has no
// place. A record of any origin will do.
heddle_status heddle_retired_text(const heddle_retired* record, char* text, size_t bytes);
// The line that names the columns.
const char* heddle_retired_columns(void);

// The record in bits, as heddle_retire.svh has it for warps of `warp_size` lanes, in words of 32
// bits, the lowest first. HEDDLE_USAGE if `count` words are too few.
heddle_status heddle_pack_retired(const heddle_retired* record, uint32_t* words, size_t count);
heddle_status heddle_unpack_retired(uint32_t lanes, const uint32_t* words, size_t count,
                                    heddle_retired* record);
// The record as a line of NAME=HEXADECIMAL, as heddle_retire.sv writes it in any simulator.
heddle_status heddle_retired_line(const heddle_retired* record, char* text, size_t bytes);
heddle_status heddle_parse_retired(const char* line, heddle_retired* record);

// A field of the record, for programs that read the definition when they run.
typedef struct heddle_field {
    size_t size;  // sizeof(heddle_field), set before the call
    const char* name;
    const char* meaning;
    uint32_t offset;  // in the record, in bytes
    uint32_t bytes;   // of a number
    uint32_t count;   // 1, or HEDDLE_LANES
    int is_mask;      // 1: a bit for each lane
} heddle_field;

heddle_status heddle_get_retired_field(size_t index, heddle_field* field);

// ---- Statistics: the names of `heddle list statistics` and --stats ---------------------------

typedef enum heddle_measure {
    HEDDLE_UNMEASURED = 0,   // it has no value in this run
    HEDDLE_COUNT = 1,        // exact in `count`; `value` is the same as a real number
    HEDDLE_REAL = 2,         // in `value`
    HEDDLE_DISTRIBUTION = 3  // `value` is the mean, `count` the number of samples
} heddle_measure;

typedef struct heddle_statistic {
    size_t size;  // sizeof(heddle_statistic), set before the call
    const char* name;
    const char* unit;  // "" for a ratio
    const char* description;
    int32_t measure;  // a heddle_measure
    double value;
    uint64_t count;
    uint64_t minimum;  // of a distribution
    uint64_t maximum;
} heddle_statistic;

// Statistics cover the run so far. Which there are depends on the configuration, on the kernels and
// on the launches: an index is valid until the machine goes on.
heddle_status heddle_statistic_count(heddle_machine* machine, size_t* count);
heddle_status heddle_get_statistic(heddle_machine* machine, size_t index,
                                   heddle_statistic* statistic);
heddle_status heddle_find_statistic(heddle_machine* machine, const char* name,
                                    heddle_statistic* statistic);
// Writes all of them, with the configuration: JSON, or CSV if the name ends in .csv (--stats).
heddle_status heddle_write_statistics(heddle_machine* machine, const char* file);

#ifdef __cplusplus
}
#endif
