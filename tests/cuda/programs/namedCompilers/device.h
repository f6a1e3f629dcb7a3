/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Heddle authors */
#ifndef DEVICE_H
#define DEVICE_H

#define N 100

/* 8-byte members off their alignment in 32-bit code that is compiled otherwise. */
struct samples {
    int count;
    double scale;
    float values[N];
    int unused;
    long long total;
};

#ifdef __cplusplus
extern "C" {
#endif
void smooth(struct samples* s);
float half_of(int i);
#ifdef __cplusplus
}
#endif

#endif
