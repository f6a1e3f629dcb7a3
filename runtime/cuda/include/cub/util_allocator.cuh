/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "cub/util_allocator.cuh: Heddle does not have CUB"
