/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Heddle authors */
#define fp float
#define ALL_POINTS 5
#define NUMBER_THREADS 32

typedef struct params_common
{
    long in_rows, in_cols;
    int in_elem;
    size_t in_mem;
    fp alpha;
    int frame_no;
} params_common;

typedef struct params_unique
{
    int point_no;
    fp *d_frame;
    fp *d_mean;
} params_unique;
