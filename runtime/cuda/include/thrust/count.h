/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "thrust/count.h: Heddle does not have Thrust"
