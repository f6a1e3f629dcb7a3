// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Breadth-first search by masks of bytes, level by level.
#include <stdio.h>
#include <string.h>
#include <math.h>
#include <stdlib.h>
#include <cuda.h>

#define MAX_THREADS_PER_BLOCK 128

int no_of_nodes, edge_list_size;
FILE *fp;

struct Node
{
    int starting;
    int no_of_edges;
};

#include "kernel.cu"
#include "kernel2.cu"

void make(const char *name, int nodes)
{
    FILE *f = fopen(name, "w");
    if (!f) { perror(name); exit(1); }
    fprintf(f, "%d\n", nodes);
    for (int i = 0, at = 0; i < nodes; i++)
    {
        int degree = 1 + i * 7 % 6;
        fprintf(f, "%d %d\n", at, degree);
        at += degree;
    }
    fprintf(f, "\n0\n\n");
    int edges = 0;
    for (int i = 0; i < nodes; i++) edges += 1 + i * 7 % 6;
    fprintf(f, "%d\n", edges);
    for (int i = 0; i < nodes; i++)
        for (int k = 0; k <= i * 7 % 6; k++) fprintf(f, "%d %d\n", (i * (k + 2) + 1 + 13 * k) % nodes, 1);
    fclose(f);
}

int main(int argc, char **argv)
{
    char input[300] = "graph.txt";
    bool made = true;
    if (argc == 3 && !strcmp(argv[1], "-f")) { snprintf(input, sizeof input, "%s", argv[2]); made = false; }
    else
    {
        if (argc == 2) snprintf(input, sizeof input, "%s/graph.txt", argv[1]);
        make(input, 400);
    }
    fp = fopen(input, "r");
    if (!fp) { printf("Error Reading graph file\n"); return 1; }
    int source = 0;
    if (fscanf(fp, "%d", &no_of_nodes) != 1) return 1;
    int num_of_blocks = 1, num_of_threads_per_block = no_of_nodes;
    if (no_of_nodes > MAX_THREADS_PER_BLOCK)
    {
        num_of_blocks = (int)ceil(no_of_nodes / (double)MAX_THREADS_PER_BLOCK);
        num_of_threads_per_block = MAX_THREADS_PER_BLOCK;
    }
    Node *h_graph_nodes = (Node *)malloc(sizeof(Node) * no_of_nodes);
    bool *h_graph_mask = (bool *)malloc(sizeof(bool) * no_of_nodes), *h_updating_graph_mask = (bool *)malloc(sizeof(bool) * no_of_nodes);
    bool *h_graph_visited = (bool *)malloc(sizeof(bool) * no_of_nodes);
    int start, edgeno, id, cost;
    for (int i = 0; i < no_of_nodes; i++)
    {
        if (fscanf(fp, "%d %d", &start, &edgeno) != 2) return 1;
        h_graph_nodes[i].starting = start;
        h_graph_nodes[i].no_of_edges = edgeno;
        h_graph_mask[i] = h_updating_graph_mask[i] = h_graph_visited[i] = false;
    }
    if (fscanf(fp, "%d", &source) != 1 || fscanf(fp, "%d", &edge_list_size) != 1) return 1;
    h_graph_mask[source] = h_graph_visited[source] = true;
    int *h_graph_edges = (int *)malloc(sizeof(int) * edge_list_size);
    for (int i = 0; i < edge_list_size; i++)
    {
        if (fscanf(fp, "%d %d", &id, &cost) != 2) return 1;
        h_graph_edges[i] = id;
    }
    fclose(fp);
    if (made) remove(input);
    int *h_cost = (int *)malloc(sizeof(int) * no_of_nodes), *queue = (int *)malloc(sizeof(int) * no_of_nodes), *level = (int *)malloc(sizeof(int) * no_of_nodes);
    for (int i = 0; i < no_of_nodes; i++) h_cost[i] = level[i] = -1;
    h_cost[source] = level[source] = 0;

    Node *d_graph_nodes;
    int *d_graph_edges, *d_cost;
    bool *d_graph_mask, *d_updating_graph_mask, *d_graph_visited, *d_over;
    cudaMalloc((void **)&d_graph_nodes, sizeof(Node) * no_of_nodes);
    cudaMemcpy(d_graph_nodes, h_graph_nodes, sizeof(Node) * no_of_nodes, cudaMemcpyHostToDevice);
    cudaMalloc((void **)&d_graph_edges, sizeof(int) * edge_list_size);
    cudaMemcpy(d_graph_edges, h_graph_edges, sizeof(int) * edge_list_size, cudaMemcpyHostToDevice);
    cudaMalloc((void **)&d_graph_mask, sizeof(bool) * no_of_nodes);
    cudaMemcpy(d_graph_mask, h_graph_mask, sizeof(bool) * no_of_nodes, cudaMemcpyHostToDevice);
    cudaMalloc((void **)&d_updating_graph_mask, sizeof(bool) * no_of_nodes);
    cudaMemcpy(d_updating_graph_mask, h_updating_graph_mask, sizeof(bool) * no_of_nodes, cudaMemcpyHostToDevice);
    cudaMalloc((void **)&d_graph_visited, sizeof(bool) * no_of_nodes);
    cudaMemcpy(d_graph_visited, h_graph_visited, sizeof(bool) * no_of_nodes, cudaMemcpyHostToDevice);
    cudaMalloc((void **)&d_cost, sizeof(int) * no_of_nodes);
    cudaMemcpy(d_cost, h_cost, sizeof(int) * no_of_nodes, cudaMemcpyHostToDevice);
    cudaMalloc((void **)&d_over, sizeof(bool));
    dim3 grid(num_of_blocks, 1, 1), threads(num_of_threads_per_block, 1, 1);
    int k = 0;
    bool stop;
    do
    {
        stop = false;
        cudaMemcpy(d_over, &stop, sizeof(bool), cudaMemcpyHostToDevice);
        Kernel<<<grid, threads, 0>>>(d_graph_nodes, d_graph_edges, d_graph_mask, d_updating_graph_mask, d_graph_visited, d_cost, no_of_nodes);
        Kernel2<<<grid, threads, 0>>>(d_graph_mask, d_updating_graph_mask, d_graph_visited, d_over, no_of_nodes);
        cudaMemcpy(&stop, d_over, sizeof(bool), cudaMemcpyDeviceToHost);
        k++;
    } while (stop);
    printf("Kernel Executed %d times\n", k);
    cudaMemcpy(h_cost, d_cost, sizeof(int) * no_of_nodes, cudaMemcpyDeviceToHost);

    int head = 0, tail = 0, wrong = 0, deepest = 0;
    queue[tail++] = source;
    while (head < tail)
    {
        int at = queue[head++];
        for (int i = 0; i < h_graph_nodes[at].no_of_edges; i++)
        {
            int to = h_graph_edges[h_graph_nodes[at].starting + i];
            if (level[to] < 0) { level[to] = level[at] + 1; queue[tail++] = to; }
        }
    }
    for (int i = 0; i < no_of_nodes; i++)
    {
        wrong += level[i] != h_cost[i];
        deepest = level[i] > deepest ? level[i] : deepest;
    }
    wrong += k != deepest + 1;
    printf("%d levels, %d of %d nodes reached, %d wrong\n", deepest, tail, no_of_nodes, wrong);
    free(h_graph_nodes); free(h_graph_edges); free(h_graph_mask); free(h_updating_graph_mask); free(h_graph_visited); free(h_cost); free(queue); free(level);
    cudaFree(d_graph_nodes); cudaFree(d_graph_edges); cudaFree(d_graph_mask); cudaFree(d_updating_graph_mask); cudaFree(d_graph_visited); cudaFree(d_cost); cudaFree(d_over);
    printf("%s\n", wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
