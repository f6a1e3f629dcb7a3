/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "thrust/for_each.h: Heddle does not have Thrust"
