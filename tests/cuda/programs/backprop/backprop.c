// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* The network, in plain C. */
#include "backprop.h"

#include <stdio.h>
#include <stdlib.h>

static float** alloc_2d(int m, int n) {
    float** rows = (float**)malloc((m + 1) * sizeof(float*));
    int i;
    for (i = 0; i <= m; i++) rows[i] = (float*)calloc(n + 1, sizeof(float));
    return rows;
}

BPNN* bpnn_create(int n_in, int n_hidden) {
    BPNN* net = (BPNN*)malloc(sizeof(BPNN));
    int i, j;
    net->input_n = n_in;
    net->hidden_n = n_hidden;
    net->input_units = (float*)malloc((n_in + 1) * sizeof(float));
    net->hidden_delta = (float*)malloc((n_hidden + 1) * sizeof(float));
    net->input_weights = alloc_2d(n_in, n_hidden);
    net->input_prev_weights = alloc_2d(n_in, n_hidden);
    net->input_units[0] = 1.0;
    for (i = 1; i <= n_in; i++) net->input_units[i] = (float)rand() / BIGRND;
    for (j = 1; j <= n_hidden; j++) net->hidden_delta[j] = 0.01f * j;
    for (i = 0; i <= n_in; i++)
        for (j = 0; j <= n_hidden; j++) net->input_weights[i][j] = (float)rand() / BIGRND - 0.5f;
    return net;
}

void bpnn_free(BPNN* net) {
    int i;
    for (i = 0; i <= net->input_n; i++) {
        free(net->input_weights[i]);
        free(net->input_prev_weights[i]);
    }
    free(net->input_weights);
    free(net->input_prev_weights);
    free(net->input_units);
    free(net->hidden_delta);
    free(net);
}
