/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "mma.h: Heddle does not have tensor cores"
