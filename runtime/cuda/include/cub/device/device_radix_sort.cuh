/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "cub/device/device_radix_sort.cuh: Heddle does not have CUB"
