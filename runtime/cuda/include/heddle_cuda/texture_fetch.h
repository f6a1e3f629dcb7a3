/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * Texture fetches in software: texture references and texture objects over linear memory and arrays
 * of one to three dimensions, or layers of one or two. Texels and descriptors are loaded through
 * the read-only cache. */
#ifndef HEDDLE_CUDA_TEXTURE_FETCH_H
#define HEDDLE_CUDA_TEXTURE_FETCH_H

#include "heddle_cuda/texture_reference.h"

namespace heddle {
namespace detail {

/* The parts of a texel's type. */
template <typename T>
struct texel_type {};
#define HEDDLE_TEXEL(name, type, of_kind)                                 \
    template <>                                                           \
    struct texel_type<name> {                                             \
        typedef type scalar;                                              \
        static constexpr unsigned channels = sizeof(name) / sizeof(type); \
        static constexpr unsigned kind = heddle_texture_##of_kind;        \
    };
#define HEDDLE_TEXELS(name, type, of_kind) \
    HEDDLE_TEXEL(type, type, of_kind)      \
    HEDDLE_TEXEL(name##1, type, of_kind)   \
    HEDDLE_TEXEL(name##2, type, of_kind)   \
    HEDDLE_TEXEL(name##4, type, of_kind)
HEDDLE_TEXEL(char, char, signed)
HEDDLE_TEXELS(char, signed char, signed)
HEDDLE_TEXELS(uchar, unsigned char, unsigned)
HEDDLE_TEXELS(short, short, signed)
HEDDLE_TEXELS(ushort, unsigned short, unsigned)
HEDDLE_TEXELS(int, int, signed)
HEDDLE_TEXELS(uint, unsigned int, unsigned)
HEDDLE_TEXELS(long, long, signed)
HEDDLE_TEXELS(ulong, unsigned long, unsigned)
HEDDLE_TEXELS(float, float, float)
#undef HEDDLE_TEXELS
#undef HEDDLE_TEXEL

/* What reading as normalized floats gives. */
template <unsigned channels>
struct floats {};
template <>
struct floats<1> {
    typedef float type;
};
template <>
struct floats<2> {
    typedef float2 type;
};
template <>
struct floats<4> {
    typedef float4 type;
};
template <typename T, bool as_floats>
struct fetched {
    typedef T type;
};
template <typename T>
struct fetched<T, true> {
    typedef typename floats<texel_type<T>::channels>::type type;
};

/* A descriptor in device memory. What the type tells of it is known to the compiler. */
struct texture_view {
    unsigned descriptor, channels, bits, kind;

    template <unsigned heddle_texture::*member>
    __device__ __inline__ __attribute__((always_inline)) unsigned get() const {
        return HEDDLE_READ_ONLY_LOAD(LDG_W,
                                     address(&(((const heddle_texture*)descriptor)->*member)));
    }
    __device__ __inline__ __attribute__((always_inline)) unsigned texel_bytes() const {
        return channels * bits / 8;
    }
};

struct raw_texel {
    unsigned word[4];
};
HEDDLE_DEVICE raw_texel load_texel(unsigned at, unsigned bytes) {
    raw_texel texel = {{0, 0, 0, 0}};
    if (bytes == 1) {
        texel.word[0] = HEDDLE_READ_ONLY_LOAD(LDG_BU, at);
    } else if (bytes == 2) {
        texel.word[0] = HEDDLE_READ_ONLY_LOAD(LDG_HU, at);
    } else {
        texel.word[0] = HEDDLE_READ_ONLY_LOAD(LDG_W, at);
        if (bytes >= 8) texel.word[1] = HEDDLE_READ_ONLY_LOAD(LDG_W, at + 4);
        if (bytes >= 16) {
            texel.word[2] = HEDDLE_READ_ONLY_LOAD(LDG_W, at + 8);
            texel.word[3] = HEDDLE_READ_ONLY_LOAD(LDG_W, at + 12);
        }
    }
    return texel;
}

/* A channel's bits, with others above them. */
HEDDLE_DEVICE unsigned channel_of(const raw_texel& texel, unsigned i, unsigned bits) {
    return bits == 32   ? texel.word[i]
           : bits == 16 ? texel.word[i / 2] >> (i % 2 * 16)
                        : texel.word[0] >> (i * 8);
}

template <typename Scalar>
struct channel_value {
    static __device__ __inline__ __attribute__((always_inline)) Scalar of(unsigned raw,
                                                                          const texture_view&) {
        return (Scalar)raw;
    }
};
template <>
struct channel_value<float> {
    static __device__ __inline__ __attribute__((always_inline)) float of(unsigned raw,
                                                                         const texture_view& view) {
        if (view.kind == heddle_texture_float) return __uint_as_float(raw);
        const unsigned unused = 32 - view.bits;
        if (view.kind == heddle_texture_unsigned) {
            return (float)(raw << unused >> unused) / (float)(~0u >> unused);
        }
        return fmaxf((float)((int)(raw << unused) >> unused) / (float)(~0u >> unused >> 1), -1.0f);
    }
};

/* A word of the descriptor's border. */
template <typename Scalar>
struct channel_bits {
    static __device__ __inline__ __attribute__((always_inline)) Scalar of(unsigned word) {
        return (Scalar)word;
    }
};
template <>
struct channel_bits<float> {
    static __device__ __inline__ __attribute__((always_inline)) float of(unsigned word) {
        return __uint_as_float(word);
    }
};

/* Result: R of at most 4 channels, from channels of the texture; those that it lacks are zeros. */
template <typename R>
HEDDLE_DEVICE R value_of(const raw_texel& texel, const texture_view& view) {
    typedef typename texel_type<R>::scalar scalar;
    struct {
        scalar channel[texel_type<R>::channels];
    } all;
    for (unsigned i = 0; i < texel_type<R>::channels; ++i) {
        const scalar value = channel_value<scalar>::of(channel_of(texel, i, view.bits), view);
        all.channel[i] = i < view.channels ? value : scalar();
    }
    return bit_cast<R>(all);
}

/* A coordinate in texels; wrapped and mirrored ones lie in the texture then. */
struct texture_axis {
    unsigned mode;
    int size;
};
HEDDLE_DEVICE float placed(float x, texture_axis axis, bool normalized) {
    if (!normalized) return x;
    if (axis.mode == heddle_texture_wrap) x -= floorf(x);
    if (axis.mode == heddle_texture_mirror) {
        const float whole = floorf(x);
        x = floorf(whole * 0.5f) * 2.0f == whole ? x - whole : 1.0f - (x - whole);
    }
    return x * (float)axis.size;
}
/* The texel that index i means; negative: none, the border. */
HEDDLE_DEVICE int texel_index(int i, texture_axis axis, bool normalized) {
    if (normalized && axis.mode == heddle_texture_wrap) {
        return i < 0 ? i + axis.size : i >= axis.size ? i - axis.size : i;
    }
    if (axis.mode == heddle_texture_border) return i < axis.size ? i : -1;
    return i < 0 ? 0 : i >= axis.size ? axis.size - 1 : i;
}

/* What lies around the texture. */
template <typename R>
HEDDLE_DEVICE R border_of(const texture_view& view) {
    struct {
        typename texel_type<R>::scalar channel[texel_type<R>::channels];
    } all;
    for (unsigned i = 0; i < texel_type<R>::channels; ++i) {
        all.channel[i] = channel_bits<typename texel_type<R>::scalar>::of(HEDDLE_READ_ONLY_LOAD(
            LDG_W, address(&((const heddle_texture*)view.descriptor)->border[i])));
    }
    return bit_cast<R>(all);
}

template <typename R>
HEDDLE_DEVICE R texel_at(const texture_view& view, int x, int y, int z) {
    if ((x | y | z) < 0) return border_of<R>(view);
    const unsigned at =
        view.get<&heddle_texture::address>() + (unsigned)z * view.get<&heddle_texture::slice>() +
        (unsigned)y * view.get<&heddle_texture::pitch>() + (unsigned)x * view.texel_bytes();
    return value_of<R>(load_texel(at, view.texel_bytes()), view);
}

/* The weight of the second of two neighbours has 8 bits behind the point. */
HEDDLE_DEVICE float weight_of(float x) {
    return rintf((x - floorf(x)) * 256.0f) * (1.0f / 256.0f);
}

/* Where to read. An axis of size 0 is not there; `layer` is the slice then. */
struct texture_point {
    float x, y, z;
    texture_axis across, down, deep;
    bool normalized;
    int layer;
};

template <typename R>
HEDDLE_DEVICE R nearest(const texture_view& view, const texture_point& at) {
    const bool normalized = at.normalized;
    return texel_at<R>(
        view, texel_index(__float2int_rd(at.x), at.across, normalized),
        at.down.size == 0 ? 0 : texel_index(__float2int_rd(at.y), at.down, normalized),
        at.deep.size == 0 ? at.layer : texel_index(__float2int_rd(at.z), at.deep, normalized));
}

#define HEDDLE_INLINE static __device__ __inline__ __attribute__((always_inline))
template <typename R, bool can_filter>
struct filter {
    HEDDLE_INLINE R of(const texture_view& view, const texture_point& at) {
        return nearest<R>(view, at);
    }
};
/* Of floats: the mean of two, four or eight texels. */
template <typename R>
struct filter<R, true> {
    struct channels {
        float channel[texel_type<R>::channels];
    };
    HEDDLE_INLINE channels mixed(channels a, const channels& b, float weight) {
        for (unsigned i = 0; i < texel_type<R>::channels; ++i) {
            a.channel[i] = (1.0f - weight) * a.channel[i] + weight * b.channel[i];
        }
        return a;
    }
    HEDDLE_INLINE channels row(const texture_view& view, const texture_point& at, int y, int z) {
        const int left = __float2int_rd(at.x);
        return mixed(bit_cast<channels>(
                         texel_at<R>(view, texel_index(left, at.across, at.normalized), y, z)),
                     bit_cast<channels>(
                         texel_at<R>(view, texel_index(left + 1, at.across, at.normalized), y, z)),
                     weight_of(at.x));
    }
    HEDDLE_INLINE channels plane(const texture_view& view, const texture_point& at, int z) {
        if (at.down.size == 0) return row(view, at, 0, z);
        const int top = __float2int_rd(at.y);
        return mixed(row(view, at, texel_index(top, at.down, at.normalized), z),
                     row(view, at, texel_index(top + 1, at.down, at.normalized), z),
                     weight_of(at.y));
    }
    HEDDLE_INLINE R of(const texture_view& view, texture_point at) {
        if (view.get<&heddle_texture::filter>() == heddle_texture_point) {
            return nearest<R>(view, at);
        }
        at.x -= 0.5f;
        at.y -= 0.5f;
        if (at.deep.size == 0) return bit_cast<R>(plane(view, at, at.layer));
        at.z -= 0.5f;
        const int front = __float2int_rd(at.z);
        return bit_cast<R>(mixed(plane(view, at, texel_index(front, at.deep, at.normalized)),
                                 plane(view, at, texel_index(front + 1, at.deep, at.normalized)),
                                 weight_of(at.z)));
    }
};
#undef HEDDLE_INLINE

template <typename R>
HEDDLE_DEVICE R fetch_linear(const texture_view& view, int i) {
    if (i < 0 || (unsigned)i >= view.get<&heddle_texture::width>()) return R();
    return texel_at<R>(view, i, 0, 0);
}
template <typename R>
HEDDLE_DEVICE R fetch_at(const texture_view& view, texture_point at, int dimensions) {
    at.across.mode = view.get<&heddle_texture::address_x>();
    at.across.size = (int)view.get<&heddle_texture::width>();
    if (dimensions >= 2) {
        at.down.mode = view.get<&heddle_texture::address_y>();
        at.down.size = (int)view.get<&heddle_texture::height>();
    }
    if (dimensions == 3) {
        at.deep.mode = view.get<&heddle_texture::address_z>();
        at.deep.size = (int)view.get<&heddle_texture::depth>();
    }
    if (at.across.size == 0) return R(); /* not bound */
    at.normalized = view.get<&heddle_texture::normalized>() != 0;
    at.x = placed(at.x, at.across, at.normalized);
    if (at.down.size != 0) at.y = placed(at.y, at.down, at.normalized);
    if (at.deep.size != 0) at.z = placed(at.z, at.deep, at.normalized);
    return filter<R, __is_same(typename texel_type<R>::scalar, float)>::of(view, at);
}
template <typename R>
HEDDLE_DEVICE R fetch(const texture_view& view, float x, float y, float z, int dimensions) {
    return fetch_at<R>(view, texture_point{x, y, z, {0, 0}, {0, 0}, {0, 0}, false, 0}, dimensions);
}
template <typename R>
HEDDLE_DEVICE R fetch_layer(const texture_view& view, float x, float y, int dimensions, int layer) {
    const int last = (int)view.get<&heddle_texture::depth>() - 1;
    layer = layer > last ? last : layer < 0 ? 0 : layer;
    return fetch_at<R>(view, texture_point{x, y, 0, {0, 0}, {0, 0}, {0, 0}, false, layer},
                       dimensions);
}

/* A texture object: as many channels and bits as its descriptor says, where floats are read. */
template <typename R>
HEDDLE_DEVICE texture_view view_of(unsigned long long object) {
    typedef texel_type<R> type;
    texture_view view = {(unsigned)object, type::channels, sizeof(typename type::scalar) * 8,
                         type::kind};
    view.channels = view.get<&heddle_texture::channels>();
    if (type::kind == heddle_texture_float) {
        view.bits = view.get<&heddle_texture::bits>();
        view.kind = view.get<&heddle_texture::kind>();
    }
    return view;
}
template <typename T, int dimensions, cudaTextureReadMode mode>
HEDDLE_DEVICE texture_view view_of(const texture<T, dimensions, mode>& reference) {
    typedef texel_type<T> type;
    return texture_view{reference.heddle_address(), type::channels,
                        sizeof(typename type::scalar) * 8, type::kind};
}

}  // namespace detail
}  // namespace heddle

#define HEDDLE_FETCH(name, dimensions, parameters, arguments, core, ...)                         \
    template <typename T, cudaTextureReadMode mode>                                              \
    HEDDLE_DEVICE typename heddle::detail::fetched<T, mode == cudaReadModeNormalizedFloat>::type \
    name(const texture<T, dimensions, mode>& reference, HEDDLE_LIST parameters) {                \
        return heddle::detail::core<                                                             \
            typename heddle::detail::fetched<T, mode == cudaReadModeNormalizedFloat>::type>(     \
            heddle::detail::view_of(reference), __VA_ARGS__);                                    \
    }                                                                                            \
    template <typename T>                                                                        \
    HEDDLE_DEVICE T name(cudaTextureObject_t object, HEDDLE_LIST parameters) {                   \
        return heddle::detail::core<T>(heddle::detail::view_of<T>(object), __VA_ARGS__);         \
    }                                                                                            \
    template <typename T>                                                                        \
    HEDDLE_DEVICE void name(T* result, cudaTextureObject_t object, HEDDLE_LIST parameters) {     \
        *result = name<T>(object, HEDDLE_LIST arguments);                                        \
    }
#define HEDDLE_LIST(...) __VA_ARGS__
HEDDLE_FETCH(tex1Dfetch, 1, (int x), (x), fetch_linear, x)
HEDDLE_FETCH(tex1D, 1, (float x), (x), fetch, x, 0, 0, 1)
HEDDLE_FETCH(tex2D, 2, (float x, float y), (x, y), fetch, x, y, 0, 2)
HEDDLE_FETCH(tex3D, 3, (float x, float y, float z), (x, y, z), fetch, x, y, z, 3)
HEDDLE_FETCH(tex1DLayered, cudaTextureType1DLayered, (float x, int layer), (x, layer), fetch_layer,
             x, 0, 1, layer)
HEDDLE_FETCH(tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), (x, y, layer),
             fetch_layer, x, y, 2, layer)
/* There are no levels but one. */
HEDDLE_FETCH(tex1DLod, 1, (float x, float), (x, 0.0f), fetch, x, 0, 0, 1)
HEDDLE_FETCH(tex2DLod, 2, (float x, float y, float), (x, y, 0.0f), fetch, x, y, 0, 2)
HEDDLE_FETCH(tex3DLod, 3, (float x, float y, float z, float), (x, y, z, 0.0f), fetch, x, y, z, 3)
#undef HEDDLE_LIST
#undef HEDDLE_FETCH

#endif
