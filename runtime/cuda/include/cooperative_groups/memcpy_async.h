/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "cooperative_groups/memcpy_async.h: Heddle does not have it; reduce.h is there"
