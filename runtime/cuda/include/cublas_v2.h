/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "cublas_v2.h: Heddle does not have cuBLAS"
