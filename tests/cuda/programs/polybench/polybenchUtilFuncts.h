// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// What the linear-algebra programs share: time and differences in percent.
#ifndef POLYBENCH_UTIL_FUNCTS_H
#define POLYBENCH_UTIL_FUNCTS_H
#include <sys/time.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#define SMALL_FLOAT_VAL 0.00000001

static inline double rtclock() {
    struct timeval now;
    if (gettimeofday(&now, NULL) != 0) printf("Error return from gettimeofday\n");
    return now.tv_sec + now.tv_usec * 1.0e-6;
}

static inline double percentDiff(double a, double b) {
    if (std::fabs(a) < 0.01 && std::fabs(b) < 0.01) return std::fabs(a - b) < 0.01 ? 0 : 100;
    return 100.0 * std::fabs((a - b) / (a + SMALL_FLOAT_VAL));
}

template <class T>
int countBeyond(const T* host, const T* device, int n, double threshold) {
    int fail = 0;
    for (int i = 0; i < n; i++)
        if (!(percentDiff(host[i], device[i]) <= threshold)) fail++;
    return fail;
}

static inline int report(int fail, double threshold) {
    printf("Outputs beyond %g percent: %d\n%s\n", threshold, fail, fail ? "FAILED" : "PASSED");
    return fail != 0;
}
#endif
