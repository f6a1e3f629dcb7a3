/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "thrust/inner_product.h: Heddle does not have Thrust"
