/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "cublas.h: Heddle does not have cuBLAS"
