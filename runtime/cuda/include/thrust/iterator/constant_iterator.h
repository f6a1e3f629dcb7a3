/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "thrust/iterator/constant_iterator.h: Heddle does not have Thrust"
