/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * The heap of kernels: malloc(), free(), new and delete. Programs that call none of them have none.
 * Blocks have powers of two of bytes, the first 16 of them for the heap. Those that are free again
 * are in lists, one for each size; a list's head changes by compare-and-swap, so that no thread
 * waits for another one. */
#ifndef HEDDLE_CUDA_HEAP_H
#define HEDDLE_CUDA_HEAP_H

/* As CUDA's, if the program does not ask for another size. */
#if !defined(HEDDLE_HEAP_BYTES)
#define HEDDLE_HEAP_BYTES (8u << 20)
#endif

namespace heddle {
namespace detail {

constexpr unsigned heap_units = HEDDLE_HEAP_BYTES / 16;
constexpr unsigned heap_classes = 28; /* of 16 bytes and twice as many, ... */
static_assert(heap_units < 1u << 24, "HEDDLE_HEAP_BYTES: less than 256 MiB");
constexpr unsigned bits_of(unsigned x) {
    return x == 0 ? 0 : 1 + bits_of(x >> 1);
}
constexpr unsigned heap_unit_mask = (1u << bits_of(heap_units)) - 1;

struct __align__(16) heap_block {
    unsigned size_class;
    unsigned next; /* unit of the next free block of this size; 0: none */
    unsigned unused[2];
};
template <unsigned units>
struct device_heap {
    /* Unit 0 stays free, so that 0 is no block. */
    static __device__ heap_block blocks[units];
    static __device__ unsigned used;
    /* A unit; in the bits above it a count of changes, by which a head that was taken and came back
     * is another one. */
    static __device__ unsigned heads[heap_classes];
};
template <unsigned units>
__device__ heap_block device_heap<units>::blocks[units];
template <unsigned units>
__device__ unsigned device_heap<units>::used;
template <unsigned units>
__device__ unsigned device_heap<units>::heads[heap_classes];

HEDDLE_DEVICE unsigned heap_head(unsigned before, unsigned unit) {
    return ((before & ~heap_unit_mask) + heap_unit_mask + 1) | unit;
}
/* A block that was free already; 0: there is none. */
HEDDLE_DEVICE unsigned heap_take(unsigned size_class) {
    typedef device_heap<heap_units> heap;
    unsigned* const head = &heap::heads[size_class];
    for (unsigned before = __ldcv(head);;) {
        const unsigned unit = before & heap_unit_mask;
        if (unit == 0) return 0;
        const unsigned found =
            atomicCAS(head, before, heap_head(before, __ldcv(&heap::blocks[unit].next)));
        if (found == before) return unit;
        before = found;
    }
}
/* A block of memory that nobody has had; 0: there is not enough. */
HEDDLE_DEVICE unsigned heap_extend(unsigned size_class) {
    typedef device_heap<heap_units> heap;
    const unsigned units = 1u << size_class;
    for (unsigned before = __ldcv(&heap::used);;) {
        if (units >= heap_units - before) return 0;
        const unsigned found = atomicCAS(&heap::used, before, before + units);
        if (found == before) return before + 1;
        before = found;
    }
}

HEDDLE_DEVICE void* heap_allocate(__SIZE_TYPE__ bytes) {
    if (bytes > heap_units * 16u) return 0;
    const unsigned units = (unsigned)(bytes + 15) / 16 + 1;
    const unsigned size_class = 32 - (unsigned)__clz((int)(units - 1));
    unsigned unit = heap_take(size_class);
    if (unit == 0) unit = heap_extend(size_class);
    if (unit == 0) return 0;
    heap_block* const block = &device_heap<heap_units>::blocks[unit];
    block->size_class = size_class;
    return block + 1;
}
HEDDLE_DEVICE void heap_release(void* memory) {
    if (memory == 0) return;
    heap_block* const block = (heap_block*)memory - 1;
    typedef device_heap<heap_units> heap;
    const unsigned unit = (unsigned)(block - heap::blocks);
    if (unit - 1 >= heap_units - 1 || ((unsigned)(size_t)memory & 15) != 0) {
        printf(
            "free(): no block of malloc() in this program; several files share a heap with "
            "-rdc=true\n");
        __trap();
    }
    unsigned* const head = &heap::heads[__ldcv(&block->size_class)];
    for (unsigned before = __ldcv(head);;) {
        *(volatile unsigned*)&block->next = before & heap_unit_mask;
        __threadfence();
        const unsigned found = atomicCAS(head, before, heap_head(before, unit));
        if (found == before) return;
        before = found;
    }
}

}  // namespace detail
}  // namespace heddle

extern "C" {
__device__ __inline__ __attribute__((noinline)) void* malloc(__SIZE_TYPE__ bytes) {
    return heddle::detail::heap_allocate(bytes);
}
__device__ __inline__ __attribute__((noinline)) void free(void* memory) {
    heddle::detail::heap_release(memory);
}
}

#endif
