/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "cuda_bf16.h: Heddle does not have numbers of 16 bits (__nv_bfloat16)"
