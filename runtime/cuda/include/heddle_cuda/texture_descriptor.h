/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * A texture or a surface as device code reads it (texture_fetch.h, surface_access.h) and as the
 * runtime library writes it. Both sides have the same layout of words. Plain C. */
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

/* The device variable of a texture<> or surface<> reference begins with one; a cudaTextureObject_t
 * or cudaSurfaceObject_t is the device address of one. All zeros: not bound; fetches give zeros. Of
 * a surface only the array's own words count: address to bits, depth and slice. */
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
    unsigned depth;      /* slices of three dimensions, or layers; 0: neither */
    unsigned slice;      /* bytes from slice to slice, or from layer to layer */
    unsigned address_z;  /* of three dimensions; layers are clamped */
    unsigned border[4];  /* bits of the border's channels: floats, or integers as they are read */
};

#endif
