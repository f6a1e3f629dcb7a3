// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

/* OpenCL's images and samplers as kernels find them, for OpenCL C (images.cl), C and C++ (whoever
 * makes images on the host).
 *
 * The argument of an image parameter is a device pointer to a descriptor in global memory, which
 * the kernel only reads: 32 bytes, a multiple of 4 as address. The argument of a sampler parameter
 * is 32 bits that say what the sampler does, the value that a sampler in a kernel's source has,
 * too. */
struct heddle_image_descriptor {
    unsigned int pixels;      /* address of pixel (0, 0): a multiple of 4, or of smaller pixels */
    unsigned int width;       /* pixels, at least 1 */
    unsigned int height;      /* rows, at least 1 */
    unsigned int row_pitch;   /* bytes from a row to the next one, a multiple of the pixel's size */
    unsigned int order;       /* cl_channel_order: CL_RGBA = 0x10B5, ... */
    unsigned int type;        /* cl_channel_type: CL_UNORM_INT8 = 0x10D2, ... */
    unsigned int reserved[2]; /* 0 */
};

/* A sampler: the sum of three, each with the value of OpenCL C's CLK_ constant. */
#define HEDDLE_SAMPLER_NORMALIZED 0x01u /* CLK_NORMALIZED_COORDS_TRUE */

#define HEDDLE_SAMPLER_ADDRESS 0x0eu         /* mask of: */
#define HEDDLE_SAMPLER_NONE 0x00u            /* CLK_ADDRESS_NONE */
#define HEDDLE_SAMPLER_CLAMP_TO_EDGE 0x02u   /* CLK_ADDRESS_CLAMP_TO_EDGE */
#define HEDDLE_SAMPLER_CLAMP 0x04u           /* CLK_ADDRESS_CLAMP */
#define HEDDLE_SAMPLER_REPEAT 0x06u          /* CLK_ADDRESS_REPEAT */
#define HEDDLE_SAMPLER_MIRRORED_REPEAT 0x08u /* CLK_ADDRESS_MIRRORED_REPEAT */

#define HEDDLE_SAMPLER_NEAREST 0x10u /* CLK_FILTER_NEAREST */
#define HEDDLE_SAMPLER_LINEAR 0x20u  /* CLK_FILTER_LINEAR */

/* Formats that kernels can read and write; images of others can't be made. Orders with every type
 * that is listed beside them; CL_RGB comes with packed types only. */
enum heddle_image_order {
    HEDDLE_IMAGE_R = 0x10B0,
    HEDDLE_IMAGE_A = 0x10B1,
    HEDDLE_IMAGE_RG = 0x10B2,
    HEDDLE_IMAGE_RA = 0x10B3,
    HEDDLE_IMAGE_RGB = 0x10B4, /* UNORM_SHORT_565, UNORM_SHORT_555, UNORM_INT_101010 */
    HEDDLE_IMAGE_RGBA = 0x10B5,
    HEDDLE_IMAGE_BGRA = 0x10B6,      /* types of 8 bits */
    HEDDLE_IMAGE_ARGB = 0x10B7,      /* types of 8 bits */
    HEDDLE_IMAGE_INTENSITY = 0x10B8, /* types that are read as floats */
    HEDDLE_IMAGE_LUMINANCE = 0x10B9  /* types that are read as floats */
};
enum heddle_image_type {
    HEDDLE_IMAGE_SNORM_INT8 = 0x10D0,
    HEDDLE_IMAGE_SNORM_INT16 = 0x10D1,
    HEDDLE_IMAGE_UNORM_INT8 = 0x10D2,
    HEDDLE_IMAGE_UNORM_INT16 = 0x10D3,
    HEDDLE_IMAGE_UNORM_SHORT_565 = 0x10D4,
    HEDDLE_IMAGE_UNORM_SHORT_555 = 0x10D5,
    HEDDLE_IMAGE_UNORM_INT_101010 = 0x10D6,
    HEDDLE_IMAGE_SIGNED_INT8 = 0x10D7,
    HEDDLE_IMAGE_SIGNED_INT16 = 0x10D8,
    HEDDLE_IMAGE_SIGNED_INT32 = 0x10D9,
    HEDDLE_IMAGE_UNSIGNED_INT8 = 0x10DA,
    HEDDLE_IMAGE_UNSIGNED_INT16 = 0x10DB,
    HEDDLE_IMAGE_UNSIGNED_INT32 = 0x10DC,
    HEDDLE_IMAGE_HALF_FLOAT = 0x10DD,
    HEDDLE_IMAGE_FLOAT = 0x10DE
};
