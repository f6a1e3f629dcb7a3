// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#ifndef CONVOLUTIONSEPARABLE_COMMON_H
#define CONVOLUTIONSEPARABLE_COMMON_H
#define KERNEL_RADIUS 8
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
extern "C" void setConvolutionKernel(float* h_Kernel);
extern "C" void convolutionRowsGPU(float* d_Dst, float* d_Src, int w, int h);
extern "C" void convolutionColumnsGPU(float* d_Dst, float* d_Src, int w, int h);
#endif
