/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * A texture as device code reads it (texture_fetch.h) and as the runtime library writes it. Both
 * sides have the same layout: 48 bytes of words. Plain C. */
#ifndef HEDDLE_CUDA_TEXTURE_DESCRIPTOR_H
#define HEDDLE_CUDA_TEXTURE_DESCRIPTOR_H

enum heddle_texture_kind {
    heddle_texture_signed = 0,
    heddle_texture_unsigned = 1,
    heddle_texture_float = 2,
};

/* The numbers of cudaTextureAddressMode, cudaTextureFilterMode and cudaTextureReadMode. */
enum heddle_texture_address {
    heddle_texture_wrap = 0,
    heddle_texture_clamp = 1,
    heddle_texture_mirror = 2,
    heddle_texture_border = 3,
};
enum heddle_texture_filter { heddle_texture_point = 0, heddle_texture_linear = 1 };
enum heddle_texture_read { heddle_texture_element = 0, heddle_texture_normalized_float = 1 };

/* A texture<> reference's device variable begins with one; a cudaTextureObject_t is the device
 * address of one. All zeros: not bound; fetches give zeros. */
struct heddle_texture {
    unsigned address;   /* of the first texel, on the device; 0: not bound */
    unsigned width;     /* texels; of linear memory all of them */
    unsigned height;    /* rows; 0: one dimension */
    unsigned pitch;     /* bytes from row to row; 0 with one dimension */
    unsigned channels;  /* of a texel: 1, 2 or 4 */
    unsigned bits;      /* of a channel: 8, 16 or 32 */
    unsigned kind;      /* heddle_texture_kind */
    unsigned filter;    /* heddle_texture_filter */
    unsigned address_x; /* heddle_texture_address of x; wrap and mirror need normalized */
    unsigned address_y;
    unsigned normalized; /* 1: coordinates from 0 to 1; 0: in texels */
    unsigned read;       /* heddle_texture_read */
};

#endif
