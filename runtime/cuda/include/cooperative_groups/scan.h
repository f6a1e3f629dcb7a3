/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "cooperative_groups/scan.h: Heddle does not have it; reduce.h is there"
