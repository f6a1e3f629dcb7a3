// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* printf in a kernel: the program catches its own output and compares it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cuda_runtime.h>

__global__ void testKernel(int val, const char *unused)
{
    printf("[%d, %d]:\t\tValue is:%d\n", blockIdx.y * gridDim.x + blockIdx.x,
           threadIdx.z * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x, val);
}

__global__ void formats(float f, double d, long long l)
{
    if (threadIdx.x == 0)
    {
        printf("%f %.3f %e %g|%5d|%-5d|%05d|%x|%X|%o|%c|%s|%u|%%\n", f, d, d, f, 42, 42, 42, 255, 255, 8, 'c', "text", 4000000000u);
        printf("%lld %llu %hd %5.1f %+d\n", l, (unsigned long long)l, (short)-3, d, 5);
        int written = printf("no arguments\n");
        if (written < 0) printf("printf returns a negative number\n");
    }
}

int main(int argc, char **argv)
{
    char name[] = "/tmp/simplePrintfXXXXXX";
    int file = mkstemp(name), before = dup(1), wrong = 0;
    if (file < 0) return 1;
    fflush(stdout);
    dup2(file, 1);
    testKernel<<<dim3(2, 2), dim3(2, 2, 2)>>>(10, NULL);
    cudaDeviceSynchronize();
    formats<<<1, 32>>>(1.5f, 2.25, -1234567890123LL);
    cudaError_t error = cudaDeviceSynchronize();
    fflush(stdout);
    dup2(before, 1);
    static char text[10000];
    lseek(file, 0, SEEK_SET);
    int size = read(file, text, sizeof text - 1);
    close(file);
    remove(name);
    printf("%d characters, %s\n", size, cudaGetErrorString(error));
    for (int b = 0; b < 4; b++)
        for (int t = 0; t < 8; t++)
        {
            char line[100];
            snprintf(line, sizeof line, "[%d, %d]:\t\tValue is:%d\n", b, t, 10);
            wrong += strstr(text, line) == NULL;
        }
    const char *expected[] = {"1.500000 2.250 2.250000e+00 1.5|   42|42   |00042|ff|FF|10|c|text|4000000000|%\n", "-1234567890123 18446742839141661493 -3   2.2 +5\n",
                              "no arguments\n"};
    for (int i = 0; i < 3; i++)
        if (!strstr(text, expected[i])) { printf("not there: %s\n", expected[i]); wrong++; }
    if (wrong) printf("%s", text);
    wrong += error != cudaSuccess || strstr(text, "negative");
    printf("%s\n", wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
