// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Work-item functions and synchronization (OpenCL C 1.2, 6.12.1 and 6.12.8), on the machine's id
// registers and instructions. libclc makes get_global_id() and get_global_size() of them.
#include "models/program/include/heddle/intrinsics.h"

#define OVERLOAD __attribute__((overloadable, always_inline))

#define BY_DIMENSION(name, csr)                                  \
    OVERLOAD size_t name(uint dimension) {                       \
        return dimension == 0   ? HEDDLE_READ_ID(csr##_X)        \
               : dimension == 1 ? HEDDLE_READ_ID(csr##_Y)        \
               : dimension == 2 ? HEDDLE_READ_ID(csr##_Z)        \
                                : outside;                       \
    }
// Beyond three dimensions sizes are 1 and ids 0.
#define outside 0
BY_DIMENSION(get_local_id, HEDDLE_CSR_TID)
BY_DIMENSION(get_group_id, HEDDLE_CSR_CTAID)
BY_DIMENSION(get_global_offset, HEDDLE_CSR_GOFF)
#undef outside
#define outside 1
BY_DIMENSION(get_local_size, HEDDLE_CSR_NTID)
BY_DIMENSION(get_num_groups, HEDDLE_CSR_NCTAID)
#undef outside
OVERLOAD size_t get_global_id(uint dimension) {
    return get_global_offset(dimension) + get_group_id(dimension) * get_local_size(dimension) +
           get_local_id(dimension);
}
OVERLOAD size_t get_global_size(uint dimension) {
    return get_num_groups(dimension) * get_local_size(dimension);
}
OVERLOAD uint get_work_dim(void) { return HEDDLE_READ_ID(HEDDLE_CSR_WORKDIM); }

OVERLOAD void barrier(cl_mem_fence_flags flags) {
    if (flags & CLK_GLOBAL_MEM_FENCE) HEDDLE_FENCE();
    HEDDLE_PLAIN(BARRIER);
}
// libclc's copies are made when its functions return, each work-item's part by itself.
// clang declares the function with a generic pointer, which OpenCL C 1.2 has no word for.
void wait_for_copies(int count, event_t* events)
    __asm__("_Z17wait_group_eventsiPU3AS49ocl_event");
void wait_for_copies(int count, event_t* events) {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
OVERLOAD void mem_fence(cl_mem_fence_flags flags) { HEDDLE_FENCE(); }
OVERLOAD void read_mem_fence(cl_mem_fence_flags flags) { HEDDLE_FENCE(); }
OVERLOAD void write_mem_fence(cl_mem_fence_flags flags) { HEDDLE_FENCE(); }
