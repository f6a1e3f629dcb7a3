/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "cub/warp/warp_scan.cuh: Heddle does not have CUB"
