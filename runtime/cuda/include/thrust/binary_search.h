/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "thrust/binary_search.h: Heddle does not have Thrust"
