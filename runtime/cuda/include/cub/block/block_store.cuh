/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "cub/block/block_store.cuh: Heddle does not have CUB"
