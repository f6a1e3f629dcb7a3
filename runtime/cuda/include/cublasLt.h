/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "cublasLt.h: Heddle does not have cuBLAS"
