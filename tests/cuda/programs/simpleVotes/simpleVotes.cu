// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Votes, matches and lane masks of a warp, in the old names where -DOLD is given. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

#define CK(x) if (cudaError_t e = (x)) { printf("%d: %s\n", __LINE__, cudaGetErrorString(e)); return 1; }
#ifdef OLD
#define ANY(p) __any(p)
#define ALL(p) __all(p)
#define BALLOT(p) __ballot(p)
#else
#define ANY(p) __any_sync(0xffffffffu, p)
#define ALL(p) __all_sync(0xffffffffu, p)
#define BALLOT(p) __ballot_sync(0xffffffffu, p)
#endif

__global__ void votes(const unsigned *in, unsigned *out)
{
    int tx = threadIdx.x;
    unsigned v = in[tx];
    unsigned *mine = out + tx * 16;
    mine[0] = ANY(v > 90) != 0;
    mine[1] = ALL(v < 100) != 0;
    mine[2] = BALLOT(v & 1);
    // Half of each warp is elsewhere.
    if (tx % 2)
    {
        mine[3] = __ballot_sync(0xaaaaaaaau, v > 50);
        mine[4] = __any_sync(0xaaaaaaaau, v == 7) != 0;
    }
    else
        mine[3] = __activemask();
    __syncwarp();
    mine[5] = __match_any_sync(0xffffffffu, v / 10);
    int pred = 5;
    mine[6] = __match_all_sync(0xffffffffu, tx / 32, &pred);
    mine[7] = pred;
    mine[8] = __reduce_add_sync(0xffffffffu, v);
    mine[9] = __reduce_max_sync(0xffffffffu, v);
    mine[10] = __syncthreads_count(v > 30);
    mine[11] = __syncthreads_and(v < 200) != 0;
    mine[12] = __syncthreads_or(v == 12345) != 0;
    mine[13] = __popc(v) + 100 * __clz(v) + 10000 * __ffs(v);
    mine[14] = __brev(v);
    mine[15] = __byte_perm(v * 0x01020304u, ~v, 0x6521);
}

int main()
{
    const int n = 96;
    unsigned in[n], out[n][16], *d_in, *d_out;
    for (int i = 0; i < n; i++) in[i] = (i * 29 + 3) % 97;
    CK(cudaMalloc(&d_in, sizeof in));
    CK(cudaMalloc(&d_out, sizeof out));
    CK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
    votes<<<1, n>>>(d_in, d_out);
    CK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    int wrong[16] = {0}, above30 = 0;
    for (int i = 0; i < n; i++) above30 += in[i] > 30;
    for (int i = 0; i < n; i++)
    {
        int first = i / 32 * 32;
        unsigned any = 0, all = 1, odd = 0, over = 0, seven = 0, same = 0, sum = 0, most = 0;
        for (int l = 0; l < 32; l++)
        {
            unsigned v = in[first + l];
            any |= v > 90; all &= v < 100; odd |= (v & 1) << l; sum += v; most = v > most ? v : most;
            if (l % 2) { over |= (unsigned)(v > 50) << l; seven |= v == 7; }
            same |= (unsigned)(v / 10 == in[i] / 10) << l;
        }
        unsigned v = in[i], reversed = 0, x = v * 0x01020304u, y = ~v, bytes[8], perm = 0;
        for (int b = 0; b < 32; b++) reversed |= (v >> b & 1) << (31 - b);
        for (int b = 0; b < 4; b++) { bytes[b] = x >> 8 * b & 255; bytes[4 + b] = y >> 8 * b & 255; }
        for (int b = 0; b < 4; b++) perm |= bytes[0x6521 >> 4 * b & 7] << 8 * b;
        unsigned expected[16] = {any, all, odd, i % 2 ? over : 0x55555555u, i % 2 ? seven : out[i][4], same, 0xffffffffu, 1, sum, most, (unsigned)above30, 1, 0,
            (unsigned)(__builtin_popcount(v) + 100 * (v ? __builtin_clz(v) : 32) + 10000 * __builtin_ffs(v)), reversed, perm};
        for (int k = 0; k < 16; k++) wrong[k] += out[i][k] != expected[k];
    }
    int total = 0;
    for (int k = 0; k < 16; k++) if (wrong[k]) { printf("function %d: %d wrong, as %x in thread 1\n", k, wrong[k], out[1][k]); total += wrong[k]; }
    CK(cudaFree(d_in));
    CK(cudaFree(d_out));
    puts(total ? "FAILED" : "PASSED");
    return total != 0;
}
