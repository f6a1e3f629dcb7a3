// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#ifndef BODYSYSTEM_CUH
#define BODYSYSTEM_CUH
#include <vector_types.h>

// The vector of a scalar.
template <typename T> struct vec3 { typedef float Type; };
template <> struct vec3<float> { typedef float3 Type; };
template <> struct vec3<double> { typedef double3 Type; };
template <typename T> struct vec4 { typedef float Type; };
template <> struct vec4<float> { typedef float4 Type; };
template <> struct vec4<double> { typedef double4 Type; };

template <typename T> __device__ T rsqrt_T(T x) { return rsqrt(x); }
template <> __device__ float rsqrt_T<float>(float x) { return rsqrtf(x); }

__constant__ float softeningSquared;
__constant__ double softeningSquared_fp64;

template <typename T> __device__ T getSofteningSquared() { return softeningSquared; }
template <> __device__ double getSofteningSquared<double>() { return softeningSquared_fp64; }
#endif
