/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "thrust/iterator/permutation_iterator.h: Heddle does not have Thrust"
