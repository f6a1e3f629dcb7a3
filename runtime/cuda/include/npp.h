/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "npp.h: Heddle does not have NPP"
