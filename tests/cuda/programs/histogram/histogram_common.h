// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#ifndef HISTOGRAM_COMMON_H
#define HISTOGRAM_COMMON_H
#define BINS_64 64
#define BINS_256 256
typedef unsigned int uint;
typedef unsigned char uchar;
#define LOG2_WARP_SIZE 5U
#define WARP_SIZE (1U << LOG2_WARP_SIZE)
#define WARP_COUNT 4

extern "C" void histogram64(uint* d_Histogram, void* d_Data, uint byteCount);
extern "C" void histogram256(uint* d_Histogram, void* d_Data, uint byteCount);
extern "C" void histogramGlobal(uint* d_Histogram, void* d_Data, uint byteCount);
#endif
