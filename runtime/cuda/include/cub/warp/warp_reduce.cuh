/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "cub/warp/warp_reduce.cuh: Heddle does not have CUB"
