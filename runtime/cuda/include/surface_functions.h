/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "surface_functions.h: Heddle does not have surfaces"
