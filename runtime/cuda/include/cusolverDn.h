/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "cusolverDn.h: Heddle does not have cuSOLVER"
