/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Heddle authors */
/* A C program that knows nothing of CUDA. */
#include <stdio.h>
#include "filter.h"

int main(void)
{
    float numbers[70];
    int i, wrong = 0;
    for (i = 0; i < 70; i++) numbers[i] = (float)i;
    setOffset(3);
    wrong += addOffsetOnHost(numbers, 70);
    for (i = 0; i < 70; i++) wrong += numbers[i] != i + 3;
    printf("%d wrong\n%s\n", wrong, wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
