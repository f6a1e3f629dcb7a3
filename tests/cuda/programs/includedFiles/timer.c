/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Heddle authors */
#include <sys/time.h>

long long get_time()
{
    struct timeval tv;
    gettimeofday(&tv, NULL);
    return (tv.tv_sec * 1000000LL) + tv.tv_usec;
}
