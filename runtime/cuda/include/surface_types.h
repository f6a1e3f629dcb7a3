/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Heddle authors */
/* Programs ask whether this name is defined. */
#ifndef __SURFACE_TYPES_H__
#define __SURFACE_TYPES_H__

#include "texture_types.h"

#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceType1DLayered 0xf1
#define cudaSurfaceType2DLayered 0xf2

/* What an access outside of a surface does. */
enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2
};

enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };

#endif
