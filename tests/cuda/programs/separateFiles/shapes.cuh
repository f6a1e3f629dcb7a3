// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once
// Device functions and variables that live in other files: needs -rdc=true.
struct Shape
{
    int kind;
    float a, b;
};

extern __device__ float area(const Shape &shape);
extern __device__ int areaCalls;
extern __constant__ float factors[4];
extern __device__ float (*chosen)(float);

template <class T> __device__ T twice(T x) { return x + x; }
__global__ void describe(const Shape *shapes, float *out, int n);
void chooseRoot();
