// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#ifndef REDUCTION_H
#define REDUCTION_H

template <class T>
void reduce(int size, int threads, int blocks, int whichKernel, T* d_idata, T* d_odata);

#endif
