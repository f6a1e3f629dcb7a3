/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * Loads and stores with a hint, and questions about addresses. __ldg, __ldcg and __ldcv are those
 * of Heddle's own kernels. */
#ifndef HEDDLE_CUDA_MEMORY_H
#define HEDDLE_CUDA_MEMORY_H

/* The machine has no other way for these than the usual one. */
#define HEDDLE_PLAIN_LOAD(name)        \
    template <typename T>              \
    HEDDLE_DEVICE T name(const T* p) { \
        return *p;                     \
    }
HEDDLE_PLAIN_LOAD(__ldca)
HEDDLE_PLAIN_LOAD(__ldcs)
HEDDLE_PLAIN_LOAD(__ldlu)
HEDDLE_PLAIN_LOAD(__ldu)
#undef HEDDLE_PLAIN_LOAD
#define HEDDLE_PLAIN_STORE(name)             \
    template <typename T, typename V>        \
    HEDDLE_DEVICE void name(T* p, V value) { \
        *p = (T)value;                       \
    }
HEDDLE_PLAIN_STORE(__stwb)
HEDDLE_PLAIN_STORE(__stcg)
HEDDLE_PLAIN_STORE(__stcs)
HEDDLE_PLAIN_STORE(__stwt)
#undef HEDDLE_PLAIN_STORE

HEDDLE_DEVICE void __threadfence_system() {
    __threadfence();
}

/* The windows of Heddle's address map (docs/machine.md). */
HEDDLE_DEVICE unsigned __isShared(const void* p) {
    return heddle::detail::address(p) >> 28 == 1;
}
HEDDLE_DEVICE unsigned __isLocal(const void* p) {
    return heddle::detail::address(p) >> 28 == 2;
}
HEDDLE_DEVICE unsigned __isConstant(const void* p) {
    return heddle::detail::address(p) >> 28 == 0;
}
HEDDLE_DEVICE unsigned __isGlobal(const void* p) {
    return heddle::detail::address(p) >> 28 >= 4;
}
/* One address space: an address is the same in all of them. */
HEDDLE_DEVICE size_t __cvta_generic_to_global(const void* p) {
    return heddle::detail::address(p);
}
HEDDLE_DEVICE size_t __cvta_generic_to_shared(const void* p) {
    return heddle::detail::address(p);
}
HEDDLE_DEVICE size_t __cvta_generic_to_constant(const void* p) {
    return heddle::detail::address(p);
}
HEDDLE_DEVICE void* __cvta_global_to_generic(size_t address) {
    return (void*)address;
}
HEDDLE_DEVICE void* __cvta_shared_to_generic(size_t address) {
    return (void*)address;
}

#endif
