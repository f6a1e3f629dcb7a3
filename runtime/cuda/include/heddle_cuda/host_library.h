/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * `heddle nvcc` includes this file in front of every C++ source. C++17's special functions of the
 * host's library have tables of long doubles, which clang can't align with -malign-double: they are
 * left out. */
#ifndef HEDDLE_CUDA_HOST_LIBRARY_H
#define HEDDLE_CUDA_HOST_LIBRARY_H

#if defined(__cplusplus) && __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#endif

#endif
