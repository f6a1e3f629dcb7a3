// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#ifndef SCAN_COMMON_H
#define SCAN_COMMON_H
typedef unsigned int uint;
extern "C" const uint MAX_BATCH_ELEMENTS;
extern "C" void initScan(void);
extern "C" void closeScan(void);
extern "C" size_t scanExclusiveLarge(uint* d_Dst, uint* d_Src, uint arrayLength);
#endif
