// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "kit.h"

/* A random graph in rows of neighbours. */
typedef struct {
    int nodes, edges;
    int *rows, *columns, *weights;
} graph;

static inline graph make_graph(int nodes, int degree, unsigned seed) {
    graph g = {nodes, 0, malloc(sizeof(int) * (nodes + 1)), malloc(sizeof(int) * nodes * degree),
               malloc(sizeof(int) * nodes * degree)};
    for (int i = 0; i < nodes; ++i) {
        g.rows[i] = g.edges;
        const int own = next_random(&seed) % (degree + 1);
        for (int e = 0; e < own; ++e) {
            g.columns[g.edges] = next_random(&seed) % nodes;
            g.weights[g.edges++] = 1 + next_random(&seed) % 9;
        }
    }
    g.rows[nodes] = g.edges;
    return g;
}
