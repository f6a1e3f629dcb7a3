// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#ifndef _BACKPROP_H_
#define _BACKPROP_H_
#define BIGRND 0x7fffffff
#define WIDTH 16
#define HEIGHT 16
#define ETA 0.3
#define MOMENTUM 0.3
typedef struct {
    int input_n, hidden_n;
    float *input_units, *hidden_delta;
    float **input_weights, **input_prev_weights;
} BPNN;
#ifdef __cplusplus
extern "C" {
#endif
BPNN* bpnn_create(int n_in, int n_hidden);
void bpnn_free(BPNN* net);
void bpnn_train_cuda(BPNN* net, float* hidden);
#ifdef __cplusplus
}
#endif
#endif
