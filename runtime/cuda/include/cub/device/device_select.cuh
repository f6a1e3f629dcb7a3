/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "cub/device/device_select.cuh: Heddle does not have CUB"
