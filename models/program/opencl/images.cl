// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Two-dimensional images and samplers (OpenCL C 1.2, 6.12.14; the rules of sampling are those of
// OpenCL 1.2, 8.2 and 8.3). Pixels and descriptors are loaded through the read-only cache of an SMX that
// has one: no kernel may write an image that it reads.
#include "models/program/include/heddle/intrinsics.h"
#include "models/program/opencl/image_descriptor.h"

#define INLINE static inline __attribute__((always_inline))
// clang gives a function with an image among its arguments a name that says so, and the argument as a
// pointer. Here it is a pointer from the start.
#define NAMED(name) __asm__(name) __attribute__((always_inline))

typedef global const struct heddle_image_descriptor* image;
typedef constant const void* sampler;  // its 32 bits

#define WORD(address) HEDDLE_READ_ONLY_LOAD(LDG_W, address)
#define HALF_WORD(address) HEDDLE_READ_ONLY_LOAD(LDG_HU, address)
#define BYTE(address) HEDDLE_READ_ONLY_LOAD(LDG_BU, address)
#define FIELD(of, name) WORD(&(of)->name)

// The value of a sampler that is written in the source.
sampler translate_sampler(int value) NAMED("__translate_sampler_initializer");
sampler translate_sampler(int value) { return (sampler)value; }

// Formats

INLINE uint channels_of(uint order) {
    if (order == HEDDLE_IMAGE_RG || order == HEDDLE_IMAGE_RA) return 2;
    const bool four =
        order == HEDDLE_IMAGE_RGBA || order == HEDDLE_IMAGE_BGRA || order == HEDDLE_IMAGE_ARGB;
    return four ? 4 : 1;
}
/// Of a channel, or of a packed pixel, which counts as one channel.
INLINE uint bytes_of(uint type) {
    switch (type) {
        case HEDDLE_IMAGE_SNORM_INT8:
        case HEDDLE_IMAGE_UNORM_INT8:
        case HEDDLE_IMAGE_SIGNED_INT8:
        case HEDDLE_IMAGE_UNSIGNED_INT8:
            return 1;
        case HEDDLE_IMAGE_UNORM_INT_101010:
        case HEDDLE_IMAGE_SIGNED_INT32:
        case HEDDLE_IMAGE_UNSIGNED_INT32:
        case HEDDLE_IMAGE_FLOAT:
            return 4;
        default:
            return 2;
    }
}
/// Channels as they lie in memory, as red, green, blue and alpha; `none` and `one` where there is no
/// such channel.
#define BY_COLOUR(type, c, order, one)                          \
    ({                                                          \
        type colour_ = (type)(0, 0, 0, one);                    \
        switch (order) {                                        \
            case HEDDLE_IMAGE_R: colour_.x = c.x; break;        \
            case HEDDLE_IMAGE_A: colour_ = (type)(0, 0, 0, c.x); break;   \
            case HEDDLE_IMAGE_RG: colour_.xy = c.xy; break;     \
            case HEDDLE_IMAGE_RA: colour_.xw = c.xy; break;     \
            case HEDDLE_IMAGE_RGB: colour_.xyz = c.xyz; break;  \
            case HEDDLE_IMAGE_BGRA: colour_ = c.zyxw; break;    \
            case HEDDLE_IMAGE_ARGB: colour_ = c.yzwx; break;    \
            case HEDDLE_IMAGE_INTENSITY: colour_ = c.xxxx; break;         \
            case HEDDLE_IMAGE_LUMINANCE: colour_.xyz = c.xxx; break;      \
            default: colour_ = c; break;                        \
        }                                                       \
        colour_;                                                \
    })
/// The other way round.
#define BY_CHANNEL(c, order)                       \
    ((order) == HEDDLE_IMAGE_A      ? (c).wxyz     \
     : (order) == HEDDLE_IMAGE_RA   ? (c).xwyz     \
     : (order) == HEDDLE_IMAGE_BGRA ? (c).zyxw     \
     : (order) == HEDDLE_IMAGE_ARGB ? (c).wxyz     \
                                    : (c))

// Reading

/// The channels of a pixel in the order of their addresses, without sign.
INLINE uint4 load_pixel(image from, uint order, uint type, int x, int y) {
    const uint bytes = bytes_of(type);
    const uint size = bytes * channels_of(order);
    const uint at = FIELD(from, pixels) + (uint)y * FIELD(from, row_pitch) + (uint)x * size;
    uint4 words = 0;
    if (size == 1) {
        words.x = BYTE(at);
    } else if (size == 2) {
        words.x = HALF_WORD(at);
    } else {
        words.x = WORD(at);
        if (size > 4) words.y = WORD(at + 4);
        if (size > 8) {
            words.z = WORD(at + 8);
            words.w = WORD(at + 12);
        }
    }
    if (bytes == 4) return words;
    if (bytes == 2) return (uint4)(words.x & 0xffff, words.x >> 16, words.y & 0xffff, words.y >> 16);
    return (uint4)(words.x & 0xff, words.x >> 8 & 0xff, words.x >> 16 & 0xff, words.x >> 24);
}

INLINE float4 real_channels(uint4 c, uint type) {
    switch (type) {
        case HEDDLE_IMAGE_UNORM_INT8:
            return convert_float4(c) * (1.0f / 255);
        case HEDDLE_IMAGE_UNORM_INT16:
            return convert_float4(c) * (1.0f / 65535);
        case HEDDLE_IMAGE_SNORM_INT8:
            return max(convert_float4(as_int4(c << 24) >> 24) * (1.0f / 127), -1.0f);
        case HEDDLE_IMAGE_SNORM_INT16:
            return max(convert_float4(as_int4(c << 16) >> 16) * (1.0f / 32767), -1.0f);
        case HEDDLE_IMAGE_UNORM_SHORT_565:
            return (float4)(c.x >> 11, c.x >> 5 & 63, c.x & 31, 0) *
                   (float4)(1.0f / 31, 1.0f / 63, 1.0f / 31, 0);
        case HEDDLE_IMAGE_UNORM_SHORT_555:
            return (float4)(c.x >> 10 & 31, c.x >> 5 & 31, c.x & 31, 0) * (1.0f / 31);
        case HEDDLE_IMAGE_UNORM_INT_101010:
            return (float4)(c.x >> 20 & 1023, c.x >> 10 & 1023, c.x & 1023, 0) * (1.0f / 1023);
        case HEDDLE_IMAGE_HALF_FLOAT: {
            ushort halves[4] = {c.x, c.y, c.z, c.w};
            return vload_half4(0, (const private half*)halves);
        }
        default:
            return as_float4(c);
    }
}
INLINE int4 signed_channels(uint4 c, uint type) {
    if (type == HEDDLE_IMAGE_SIGNED_INT8) return as_int4(c << 24) >> 24;
    if (type == HEDDLE_IMAGE_SIGNED_INT16) return as_int4(c << 16) >> 16;
    return as_int4(c);
}

INLINE float4 real_pixel(image from, int x, int y) {
    const uint order = FIELD(from, order), type = FIELD(from, type);
    const float4 c = real_channels(load_pixel(from, order, type, x, y), type);
    return BY_COLOUR(float4, c, order, 1.0f);
}
INLINE int4 signed_pixel(image from, int x, int y) {
    const uint order = FIELD(from, order), type = FIELD(from, type);
    const int4 c = signed_channels(load_pixel(from, order, type, x, y), type);
    return BY_COLOUR(int4, c, order, 1);
}
INLINE uint4 unsigned_pixel(image from, int x, int y) {
    const uint order = FIELD(from, order), type = FIELD(from, type);
    const uint4 c = load_pixel(from, order, type, x, y);
    return BY_COLOUR(uint4, c, order, 1);
}

// Sampling

/// Alpha outside of an image: these orders have no channel for it.
INLINE bool is_opaque(image of) {
    const uint order = FIELD(of, order);
    return order == HEDDLE_IMAGE_R || order == HEDDLE_IMAGE_RG || order == HEDDLE_IMAGE_RGB ||
           order == HEDDLE_IMAGE_LUMINANCE;
}
INLINE bool is_inside(image of, int x, int y) {
    return (uint)x < FIELD(of, width) && (uint)y < FIELD(of, height);
}
/// A row or column that exists. `clamp` leaves one beside the image, where the border is. Without an
/// address mode nothing outside is asked for; it is as good as the edge then.
INLINE int addressed(int i, int size, uint mode) {
    const int border = mode == HEDDLE_SAMPLER_CLAMP ? 1 : 0;
    return clamp(i, -border, size - 1 + border);
}

/// Where a sampler looks in one dimension: two rows or columns, and how much the second one counts.
struct place {
    int first, second;
    float part;
};
INLINE struct place place_of(float at, int size, uint how) {
    const uint mode = how & HEDDLE_SAMPLER_ADDRESS;
    const float count = convert_float(size);
    const bool repeats = mode == HEDDLE_SAMPLER_REPEAT;
    const bool mirrors = mode == HEDDLE_SAMPLER_MIRRORED_REPEAT;
    if (repeats) {
        at = (at - floor(at)) * count;
    } else if (mirrors) {
        at = fabs(at - 2.0f * rint(0.5f * at)) * count;
    } else if (how & HEDDLE_SAMPLER_NORMALIZED) {
        at *= count;
    }
    // Far outside there is nothing new, and an integer ends.
    at = fmin(fmax(at, -2.0f), count + 2.0f);
    struct place found;
    if (!(how & HEDDLE_SAMPLER_LINEAR)) {
        found.first = convert_int(floor(at));
        found.part = 0;
        if (repeats && found.first >= size) found.first -= size;
        if (mirrors) found.first = min(found.first, size - 1);
        found.first = addressed(found.first, size, mode);
        found.second = found.first;
        return found;
    }
    const float before = floor(at - 0.5f);
    found.part = at - 0.5f - before;
    found.first = convert_int(before);
    found.second = found.first + 1;
    if (repeats) {
        if (found.first < 0) found.first += size;
        if (found.second >= size) found.second -= size;
    }
    found.first = addressed(found.first, size, mode);
    found.second = addressed(found.second, size, mode);
    return found;
}

float4 read_real(image from, sampler how, float2 at)
    NAMED("_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_f");
float4 read_real(image from, sampler how, float2 at) {
    const uint bits = (uint)how;
    const struct place x = place_of(at.x, FIELD(from, width), bits);
    const struct place y = place_of(at.y, FIELD(from, height), bits);
    const float4 border = (float4)(0, 0, 0, is_opaque(from) ? 1 : 0);
    if (!(bits & HEDDLE_SAMPLER_LINEAR)) {
        return is_inside(from, x.first, y.first) ? real_pixel(from, x.first, y.first) : border;
    }
    float4 sum = 0;
    // One copy of the code for the four pixels.
#pragma clang loop unroll(disable)
    for (int corner = 0; corner < 4; ++corner) {
        const int column = corner & 1 ? x.second : x.first;
        const int row = corner & 2 ? y.second : y.first;
        const float weight =
            (corner & 1 ? x.part : 1 - x.part) * (corner & 2 ? y.part : 1 - y.part);
        sum += weight * (is_inside(from, column, row) ? real_pixel(from, column, row) : border);
    }
    return sum;
}

// Integer coordinates come without normalization, filter, and repetition.
#define READ(result, own, code, alpha, pixel)                                                  \
    result own##_at(image from, sampler how, int2 at)                                          \
        NAMED("_Z" code "14ocl_image2d_ro11ocl_samplerDv2_i");                                 \
    result own##_at(image from, sampler how, int2 at) {                                        \
        const uint mode = (uint)how & HEDDLE_SAMPLER_ADDRESS;                                  \
        const int x = addressed(at.x, FIELD(from, width), mode);                               \
        const int y = addressed(at.y, FIELD(from, height), mode);                              \
        if (is_inside(from, x, y)) return pixel(from, x, y);                                   \
        return (result)(0, 0, 0, is_opaque(from) ? alpha : 0);                                 \
    }                                                                                          \
    result own##_plainly(image from, int2 at) NAMED("_Z" code "14ocl_image2d_roDv2_i");        \
    result own##_plainly(image from, int2 at) {                                                \
        return own##_at(from, (sampler)HEDDLE_SAMPLER_CLAMP_TO_EDGE, at);                      \
    }
READ(float4, read_real, "11read_imagef", 1, real_pixel)
READ(int4, read_signed, "11read_imagei", 1, signed_pixel)
READ(uint4, read_unsigned, "12read_imageui", 1, unsigned_pixel)

// Images of integers have no linear filter.
#define READ_NEAREST(result, own, code, pixel)                                                 \
    result own##_near(image from, sampler how, float2 at)                                      \
        NAMED("_Z" code "14ocl_image2d_ro11ocl_samplerDv2_f");                                 \
    result own##_near(image from, sampler how, float2 at) {                                    \
        const uint bits = (uint)how & ~HEDDLE_SAMPLER_LINEAR;                                  \
        const int x = place_of(at.x, FIELD(from, width), bits).first;                          \
        const int y = place_of(at.y, FIELD(from, height), bits).first;                         \
        if (is_inside(from, x, y)) return pixel(from, x, y);                                   \
        return (result)(0, 0, 0, is_opaque(from) ? 1 : 0);                                     \
    }
READ_NEAREST(int4, read_signed, "11read_imagei", signed_pixel)
READ_NEAREST(uint4, read_unsigned, "12read_imageui", unsigned_pixel)

// Writing

/// Channels have the bits that `bytes_of` says, in the lowest bits. What lies outside of the image is
/// not written.
INLINE void store_pixel(image to, int2 at, uint4 channels) {
    if (!is_inside(to, at.x, at.y)) return;
    const uint order = FIELD(to, order), type = FIELD(to, type);
    const uint count = channels_of(order);
    const uint bytes = bytes_of(type);
    const uint address =
        FIELD(to, pixels) + (uint)at.y * FIELD(to, row_pitch) + (uint)at.x * bytes * count;
    const uint4 c = BY_CHANNEL(channels, order);
    if (bytes == 4) {
        global uint* pixel = (global uint*)address;
        pixel[0] = c.x;
        if (count > 1) pixel[1] = c.y;
        if (count > 2) {
            pixel[2] = c.z;
            pixel[3] = c.w;
        }
    } else if (bytes == 2) {
        if (count == 1) {
            *(global ushort*)address = c.x;
        } else {
            global uint* pixel = (global uint*)address;
            pixel[0] = (c.x & 0xffff) | c.y << 16;
            if (count > 2) pixel[1] = (c.z & 0xffff) | c.w << 16;
        }
    } else if (count == 1) {
        *(global uchar*)address = c.x;
    } else if (count == 2) {
        *(global ushort*)address = (c.x & 0xff) | (c.y & 0xff) << 8;
    } else {
        *(global uint*)address =
            (c.x & 0xff) | (c.y & 0xff) << 8 | (c.z & 0xff) << 16 | c.w << 24;
    }
}

INLINE uint4 channels_of_real(float4 value, uint type) {
    switch (type) {
        case HEDDLE_IMAGE_UNORM_INT8:
            return convert_uint4_sat_rte(min(value, 1.0f) * 255);
        case HEDDLE_IMAGE_UNORM_INT16:
            return convert_uint4_sat_rte(min(value, 1.0f) * 65535);
        case HEDDLE_IMAGE_SNORM_INT8:
            return as_uint4(convert_int4_sat_rte(clamp(value, -1.0f, 1.0f) * 127));
        case HEDDLE_IMAGE_SNORM_INT16:
            return as_uint4(convert_int4_sat_rte(clamp(value, -1.0f, 1.0f) * 32767));
        case HEDDLE_IMAGE_UNORM_SHORT_565: {
            const uint4 c = convert_uint4_sat_rte(min(value, 1.0f) * (float4)(31, 63, 31, 0));
            return c.x << 11 | c.y << 5 | c.z;
        }
        case HEDDLE_IMAGE_UNORM_SHORT_555: {
            const uint4 c = convert_uint4_sat_rte(min(value, 1.0f) * 31);
            return c.x << 10 | c.y << 5 | c.z;
        }
        case HEDDLE_IMAGE_UNORM_INT_101010: {
            const uint4 c = convert_uint4_sat_rte(min(value, 1.0f) * 1023);
            return c.x << 20 | c.y << 10 | c.z;
        }
        case HEDDLE_IMAGE_HALF_FLOAT: {
            ushort halves[4];
            vstore_half4_rte(value, 0, (private half*)halves);
            return (uint4)(halves[0], halves[1], halves[2], halves[3]);
        }
        default:
            return as_uint4(value);
    }
}

void write_real(image to, int2 at, float4 value)
    NAMED("_Z12write_imagef14ocl_image2d_woDv2_iDv4_f");
void write_real(image to, int2 at, float4 value) {
    store_pixel(to, at, channels_of_real(value, FIELD(to, type)));
}
void write_signed(image to, int2 at, int4 value)
    NAMED("_Z12write_imagei14ocl_image2d_woDv2_iDv4_i");
void write_signed(image to, int2 at, int4 value) {
    const uint type = FIELD(to, type);
    if (type == HEDDLE_IMAGE_SIGNED_INT8) value = clamp(value, -0x80, 0x7f);
    if (type == HEDDLE_IMAGE_SIGNED_INT16) value = clamp(value, -0x8000, 0x7fff);
    store_pixel(to, at, as_uint4(value));
}
void write_unsigned(image to, int2 at, uint4 value)
    NAMED("_Z13write_imageui14ocl_image2d_woDv2_iDv4_j");
void write_unsigned(image to, int2 at, uint4 value) {
    const uint type = FIELD(to, type);
    if (type == HEDDLE_IMAGE_UNSIGNED_INT8) value = min(value, 0xffu);
    if (type == HEDDLE_IMAGE_UNSIGNED_INT16) value = min(value, 0xffffu);
    store_pixel(to, at, value);
}

// Questions

#define ASK(result, own, code, answer)                                         \
    result own##_of_input(image of) NAMED("_Z" code "14ocl_image2d_ro");       \
    result own##_of_input(image of) { return answer; }                         \
    result own##_of_output(image of) NAMED("_Z" code "14ocl_image2d_wo");      \
    result own##_of_output(image of) { return answer; }
ASK(int, width, "15get_image_width", FIELD(of, width))
ASK(int, height, "16get_image_height", FIELD(of, height))
ASK(int2, dimensions, "13get_image_dim", (int2)(FIELD(of, width), FIELD(of, height)))
ASK(int, type, "27get_image_channel_data_type", FIELD(of, type))
ASK(int, order, "23get_image_channel_order", FIELD(of, order))
