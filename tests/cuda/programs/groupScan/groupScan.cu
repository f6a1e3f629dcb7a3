// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Cooperative groups: copies by a block, scans of tiles, groups of threads with the same label.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>
#include <cstdlib>

namespace cg = cooperative_groups;

__global__ void sums(const int *in, int *inclusive, int *exclusive, int *of_label, int *evens) {
    __shared__ int part[128];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, part, in + blockIdx.x * 128, sizeof part);
    cg::wait(block);
    const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    const int i = blockIdx.x * 128 + block.thread_rank(), value = part[block.thread_rank()];
    inclusive[i] = cg::inclusive_scan(warp, value);
    exclusive[i] = cg::exclusive_scan(warp, value, cg::greater<int>());
    const cg::coalesced_group same = cg::labeled_partition(warp, value % 3);
    of_label[i] = cg::reduce(same, value, cg::plus<int>()) * 100 + (int)same.thread_rank();
    const cg::coalesced_group half = cg::binary_partition(warp, value % 2 == 0);
    evens[i] = (int)half.size() * (value % 2 == 0 ? 1 : -1);
}

int main() {
    const int n = 256;
    int host[n], *in, *out[4], found[4][n], wrong = 0;
    for (int i = 0; i < n; ++i) host[i] = (i * 37 + 11) % 23 + 1;
    cudaMalloc(&in, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    for (int **each = out; each != out + 4; ++each) cudaMalloc(each, sizeof host);
    sums<<<n / 128, 128>>>(in, out[0], out[1], out[2], out[3]);
    for (int k = 0; k < 4; ++k) cudaMemcpy(found[k], out[k], sizeof host, cudaMemcpyDeviceToHost);
    for (int first = 0; first < n; first += 32) {
        int sum = 0, most = 0;
        for (int i = first; i < first + 32; ++i) {
            wrong += found[1][i] != most;
            sum += host[i];
            most = host[i] > most ? host[i] : most;
            wrong += found[0][i] != sum;
            int label_sum = 0, rank = 0, evens = 0;
            for (int j = first; j < first + 32; ++j) {
                label_sum += host[j] % 3 == host[i] % 3 ? host[j] : 0;
                rank += j < i && host[j] % 3 == host[i] % 3;
                evens += host[j] % 2 == host[i] % 2;
            }
            wrong += found[2][i] != label_sum * 100 + rank;
            wrong += found[3][i] != (host[i] % 2 == 0 ? evens : -evens);
        }
    }
    printf("%s: %d wrong\n%s\n", cudaGetErrorString(cudaGetLastError()), wrong, wrong == 0 ? "PASSED" : "FAILED");
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
