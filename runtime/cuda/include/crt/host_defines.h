/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * The words that CUDA adds to C++. Where the compiler does not compile CUDA, they are nothing. */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __no_return__ __attribute__((noreturn))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __location__(a)
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define __specialization_static static
#define __cudart_builtin__
#define __device_builtin__
#define __grid_constant__

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __cluster_dims__(...)
#define __block_size__(...)
#define __nv_pure__ __attribute__((pure))
/* The compiler's plug-in reads the annotations, and finds managed variables of the host by their
 * section (models/program/pass). */
#if defined(__CUDA_ARCH__)
#define __launch_bounds__(...) \
    __attribute__((launch_bounds(__VA_ARGS__), annotate("heddle_launch_bounds", __VA_ARGS__)))
#define __maxnreg__(n) __attribute__((annotate("heddle_registers", n)))
#define __managed__ __attribute__((device, annotate("heddle_managed")))
/* The section tells the compile driver which functions are kernels. */
#define __global__ __attribute__((global, section(".text.kernel")))
#else
#define __launch_bounds__(...)
#define __maxnreg__(n)
#define __managed__ __attribute__((device, section(".heddle.managed")))
#define __global__ __attribute__((global))
#endif
#else
#define __host__
#define __device__
#define __shared__
#define __constant__
#define __global__
#define __managed__
#define __launch_bounds__(...)
#define __maxnreg__(n)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __nv_pure__
#endif

#endif
