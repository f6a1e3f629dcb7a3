// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Copies by work-groups of vectors of three (OpenCL C 1.2, 6.12.10), which libclc lacks. In memory such
// a vector is one of four.
#define OVERLOAD __attribute__((overloadable, always_inline))

// What is declared here hides what the compiler declares, so that libclc's are declared, too.
#define COPY(type, to, from)                                                                   \
    __attribute__((overloadable)) event_t async_work_group_copy(                               \
        to type##4 * target, const from type##4 * source, size_t count, event_t event);        \
    OVERLOAD event_t async_work_group_copy(to type##3 * target, const from type##3 * source,   \
                                           size_t count, event_t event) {                      \
        return async_work_group_copy((to type##4*)target, (const from type##4*)source, count,  \
                                     event);                                                   \
    }                                                                                          \
    __attribute__((overloadable)) event_t async_work_group_strided_copy(                       \
        to type##4 * target, const from type##4 * source, size_t count, size_t stride,         \
        event_t event);                                                                        \
    OVERLOAD event_t async_work_group_strided_copy(to type##3 * target,                        \
                                                   const from type##3 * source, size_t count,  \
                                                   size_t stride, event_t event) {             \
        return async_work_group_strided_copy((to type##4*)target, (const from type##4*)source, \
                                             count, stride, event);                            \
    }
#define COPIES(type)                \
    COPY(type, __local, __global)   \
    COPY(type, __global, __local)   \
    OVERLOAD void prefetch(const __global type##3 * source, size_t count) {}
COPIES(char)
COPIES(uchar)
COPIES(short)
COPIES(ushort)
COPIES(int)
COPIES(uint)
COPIES(long)
COPIES(ulong)
COPIES(float)
COPIES(double)
