/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * Surfaces: loads and stores in arrays of one to three dimensions, or in layers of one or two. The
 * x of an access counts bytes. A surface reference is a variable of the program; its device's
 * variable is the descriptor that the runtime library writes. */
#ifndef HEDDLE_CUDA_SURFACE_ACCESS_H
#define HEDDLE_CUDA_SURFACE_ACCESS_H

#include "heddle_cuda/texture_reference.h"
#include "surface_types.h"

#if defined(__cplusplus)
#if defined(__CUDA__)
#define HEDDLE_SURFACE_TYPE __attribute__((device_builtin_surface_type))
#else
#define HEDDLE_SURFACE_TYPE
#endif
template <typename T, int dimensions = cudaSurfaceType1D>
struct surface;
template <int dimensions>
struct HEDDLE_SURFACE_TYPE surface<void, dimensions> :
#if defined(__CUDA_ARCH__)
    public heddle_texture_slot, /* first, so that its address is the variable's */
#endif
    public surfaceReference {
};
#undef HEDDLE_SURFACE_TYPE
#endif

#if defined(__CUDA__)
namespace heddle {
namespace detail {

HEDDLE_DEVICE const heddle_texture* surface_of(unsigned long long object) {
    return (const heddle_texture*)(unsigned)object;
}
template <int dimensions>
HEDDLE_DEVICE const heddle_texture* surface_of(const surface<void, dimensions>& reference) {
    return (const heddle_texture*)address(&reference);
}

template <unsigned heddle_texture::*member>
HEDDLE_DEVICE unsigned read_word(const heddle_texture* surface) {
    return HEDDLE_READ_ONLY_LOAD(LDG_W, address(&(surface->*member)));
}

/* A coordinate that lies in [0, size), or negative: the access does nothing. */
HEDDLE_DEVICE int surface_index(int i, int size, cudaSurfaceBoundaryMode mode) {
    if (i >= 0 && i < size) return i;
    if (mode == cudaBoundaryModeTrap) __trap();
    return mode == cudaBoundaryModeClamp ? (i < 0 ? 0 : size - 1) : -1;
}

/* The address of `bytes` in a surface; 0: there is none. */
HEDDLE_DEVICE unsigned surface_address(const heddle_texture* surface, unsigned bytes, int x, int y,
                                       int z, int dimensions, bool deep,
                                       cudaSurfaceBoundaryMode mode) {
    const int width = (int)(read_word<&heddle_texture::width>(surface) *
                            read_word<&heddle_texture::channels>(surface) *
                            read_word<&heddle_texture::bits>(surface) / 8 / bytes * bytes);
    /* The last whole element is the last place. */
    x = surface_index(x, width - (int)bytes + 1, mode);
    if (dimensions >= 2) {
        y = surface_index(y, (int)read_word<&heddle_texture::height>(surface), mode);
    }
    if (deep) z = surface_index(z, (int)read_word<&heddle_texture::depth>(surface), mode);
    if ((x | y | z) < 0) return 0;
    unsigned at = read_word<&heddle_texture::address>(surface) + (unsigned)x;
    if (dimensions >= 2) at += (unsigned)y * read_word<&heddle_texture::pitch>(surface);
    if (deep) at += (unsigned)z * read_word<&heddle_texture::slice>(surface);
    return at;
}

template <typename T>
HEDDLE_DEVICE T surface_read(const heddle_texture* surface, int x, int y, int z, int dimensions,
                             bool deep, cudaSurfaceBoundaryMode mode) {
    const unsigned at = surface_address(surface, sizeof(T), x, y, z, dimensions, deep, mode);
    return at == 0 ? T() : *(const T*)at;
}
template <typename T>
HEDDLE_DEVICE void surface_write(const heddle_texture* surface, T value, int x, int y, int z,
                                 int dimensions, bool deep, cudaSurfaceBoundaryMode mode) {
    const unsigned at = surface_address(surface, sizeof(T), x, y, z, dimensions, deep, mode);
    if (at != 0) *(T*)at = value;
}

}  // namespace detail
}  // namespace heddle

#define HEDDLE_LIST(...) __VA_ARGS__
#define HEDDLE_SURFACE_OF(name, surface_type, parameters, ...)                                     \
    template <typename T>                                                                          \
    HEDDLE_DEVICE T name##read(HEDDLE_LIST surface_type from, HEDDLE_LIST parameters,              \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {              \
        return heddle::detail::surface_read<T>(heddle::detail::surface_of(from), __VA_ARGS__,      \
                                               mode);                                              \
    }                                                                                              \
    template <typename T>                                                                          \
    HEDDLE_DEVICE void name##read(T* value, HEDDLE_LIST surface_type from, HEDDLE_LIST parameters, \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {           \
        *value =                                                                                   \
            heddle::detail::surface_read<T>(heddle::detail::surface_of(from), __VA_ARGS__, mode);  \
    }                                                                                              \
    template <typename T>                                                                          \
    HEDDLE_DEVICE void name##write(T value, HEDDLE_LIST surface_type to, HEDDLE_LIST parameters,   \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {          \
        heddle::detail::surface_write<T>(heddle::detail::surface_of(to), value, __VA_ARGS__,       \
                                         mode);                                                    \
    }
#define HEDDLE_SURFACE(name, dimensions, parameters, ...)                   \
    HEDDLE_SURFACE_OF(name, (cudaSurfaceObject_t), parameters, __VA_ARGS__) \
    HEDDLE_SURFACE_OF(name, (const surface<void, dimensions>&), parameters, __VA_ARGS__)
HEDDLE_SURFACE(surf1D, 1, (int x), x, 0, 0, 1, false)
HEDDLE_SURFACE(surf2D, 2, (int x, int y), x, y, 0, 2, false)
HEDDLE_SURFACE(surf3D, 3, (int x, int y, int z), x, y, z, 3, true)
HEDDLE_SURFACE(surf1DLayered, cudaSurfaceType1DLayered, (int x, int layer), x, 0, layer, 1, true)
HEDDLE_SURFACE(surf2DLayered, cudaSurfaceType2DLayered, (int x, int y, int layer), x, y, layer, 2,
               true)
#undef HEDDLE_SURFACE
#undef HEDDLE_SURFACE_OF
#undef HEDDLE_LIST
#endif

#endif
